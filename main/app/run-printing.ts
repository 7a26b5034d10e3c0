import { app } from 'electron'
import { forTerminal } from '../base/display-text.ts'
import type { Printing } from '../base/launch-command.ts'
import { withTimeout } from '../base/waits.ts'
import type { KeytarChild } from '../keychain/keytar-process.ts'
import { createSystemKeychain } from '../keychain/open.ts'
import { whyUnwritable } from '../log/files.ts'
import { createReport } from '../log/log.ts'
import type { Variables } from '../settings/layers.ts'
import { readUserStore } from '../settings/user-store.ts'
import { createCore } from './core.ts'
import { readHostSystem, toConsole } from './host-system.ts'

interface Started {
  readonly variables: Variables
  readonly forkKeytar: () => KeytarChild
}

/** The timeout of the whole command. Each check has a shorter one. */
const WHOLE_MS = 60_000

export async function runPrinting(what: Printing, started: Started): Promise<void> {
  try {
    // The reader may have closed the pipe (`| head`).
    process.stdout.on('error', () => {})
    const { platform, env } = process
    if (what.kind === 'doctor') await runDoctor(started)
    else {
      const { text, code } =
        what.kind === 'policy'
          ? await (await import('./check-policy.ts')).checkPolicy(what.file, { platform, env })
          : await (await import('./check-computer.ts')).readLog(readHostSystem(started.variables).paths.logDir)
      await new Promise<void>((resolve) => process.stdout.write(forTerminal(text), () => resolve()))
      end(platform, code)
    }
  } catch (error) {
    // Diagnostics don't write to the log.
    createReport(toConsole())('start', error)
    end(process.platform, 1)
  }
}

async function runDoctor({ variables, forkKeytar }: Started): Promise<void> {
  const desktop = readHostSystem(variables)
  const { platform, clock, paths, askTrayHost } = desktop
  const systemKeychain = createSystemKeychain({ platform, clock, fork: forkKeytar })
  const { store, problems: storeProblems } = readUserStore(paths.settingsFile, process.getuid?.())
  const core = createCore({ ...desktop, systemKeychain, store, storeProblems, confirmDestination: async () => false })
  const { printReport } = await import('./check-computer.ts')
  const isSandboxed = !app.commandLine.hasSwitch('no-sandbox')
  const logProblem = whyUnwritable(paths.logDir)
  const printing = printReport(core, { paths, isSandboxed, logProblem, askTrayHost }, process.stdout)
  const code = await withTimeout(clock, WHOLE_MS, printing, 1)
  systemKeychain.stop()
  // Ending normally would wait for a thread that is blocked in a keychain call.
  if (systemKeychain.isInProcess && core.keychain.isBusy) process.kill(process.pid, 'SIGKILL')
  end(platform, code)
}

/** On Linux, Electron's own exit waits for the session bus, which may never answer. */
function end(platform: NodeJS.Platform, code: number): void {
  if (platform === 'linux') (process as unknown as { reallyExit(code: number): never }).reallyExit(code)
  app.exit(code)
}

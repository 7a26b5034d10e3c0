/** `latchkey-desktop --doctor`: checks this computer, prints the results, and sets the exit code. */
import { app } from 'electron'
import { withTimeout } from '../base/with-timeout.ts'
import type { Child } from '../keychain/keytar-channel.ts'
import { whyUnwritable } from '../log/files.ts'
import { createReport } from '../log/report.ts'
import type { Variables } from '../settings/environment.ts'
import { readUserStore } from '../settings/user-store.ts'
import { createCore } from './core.ts'
import { readHostSystem, toConsole } from './host-system.ts'
import { systemKeychain } from './system-keychain.ts'

interface Started {
  /** The environment variables that contain settings, including the client secret. */
  readonly variables: Variables
  readonly forkKeytar: () => Child
}

/** The timeout of the whole command. The timeout of each check is shorter. */
const WHOLE_MS = 60_000

export async function runDiagnostics({ variables, forkKeytar }: Started): Promise<void> {
  try {
    // The reader may have closed the pipe (`| head`).
    process.stdout.on('error', () => {})
    const desktop = readHostSystem(variables)
    const { platform, clock, paths, askTrayHost } = desktop
    const keychain = systemKeychain({ platform, clock, fork: forkKeytar })
    const { store, problems: storeProblems } = readUserStore(paths.settingsFile, process.getuid?.())
    const core = createCore({ ...desktop, keychain, store, storeProblems, confirmDestination: async () => false })
    const { printReport } = await import('./check-computer.ts')
    const isSandboxed = !app.commandLine.hasSwitch('no-sandbox')
    const logProblem = whyUnwritable(paths.logDir)
    const printing = printReport(core, { paths, isSandboxed, logProblem, askTrayHost }, process.stdout)
    const code = await withTimeout(clock, WHOLE_MS, printing, 1)
    keychain.stop()
    // A normal exit would wait for a thread that is blocked in a keychain call.
    if (keychain.isInProcess && (await core.openedKeychain()).busy()) process.kill(process.pid, 'SIGKILL')
    end(platform, code)
  } catch (error) {
    // The error is only printed, because diagnostics don't write to the log.
    createReport(toConsole())('start', error)
    end(process.platform, 1)
  }
}

/** Ends the process. On Linux, Electron's own exit waits for the bus, and for ever if the bus doesn't answer. */
function end(platform: NodeJS.Platform, code: number): void {
  if (platform === 'linux') (process as unknown as { reallyExit(code: number): never }).reallyExit(code)
  app.exit(code)
}

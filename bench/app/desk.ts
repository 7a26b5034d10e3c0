/** One desktop for all that is measured: a display, a panel, a keychain, a service, and the programs. */
import { chmodSync, copyFileSync, cpSync } from 'node:fs'
import path from 'node:path'
import { type DemoService, startDemoService } from '../../demo/service.ts'
import { ANA } from '../../demo/users.ts'
import { startKeyring } from '../../test/keyring/keyring.ts'
import { run } from '../../test/keyring/programs.ts'
import { install, launch } from '../../test/support/app.ts'
import { startLogind } from '../../test/support/logind.ts'
import prepare, { ordinaryFolder, ordinaryUser } from '../../test/support/ordinary-user.ts'
import { LatchkeyWindow } from '../../test/support/window.ts'
import type { BareScriptOrder } from './bare-script.ts'
import type { Program } from './program.ts'
import { type Screen, startScreen } from './screen.ts'
import { type TrayWatch, watchTray } from './tray-watch.ts'

export interface Desk {
  readonly service: DemoService
  readonly screen: Screen
  readonly tray: TrayWatch
  readonly programs: {
    /** Signed in, hidden. */
    readonly latchkey: Program
    /** With a service, and nobody signed in. */
    readonly signInForm: Program
    readonly bareTray: Program
    readonly bareWindow: Program
  }
  /** Milliseconds that the bare script takes to read a refresh token from the keychain and to use it. */
  bareRefresh(): Promise<number>
  stop(): Promise<void>
}

/** Minutes of the tokens: 60. */
const TOKEN_LIFETIME = 3_600

export async function openDesk(): Promise<Desk> {
  const undo: (() => unknown)[] = []
  const keep = <T>(thing: T, end: (thing: T) => unknown): T => {
    undo.push(() => end(thing))
    return thing
  }
  const stop = async () => {
    for (const one of undo.splice(0).reverse()) await one()
  }
  try {
    undo.push(prepare())
    const folder = (name: string) => keep(ordinaryFolder(name), (each) => each.remove()).path
    const installation = keep(install(), (each) => each.remove())
    const keyring = keep(await startKeyring({ ...ordinaryUser() }), (each) => each.stop())
    const screen = keep(await startScreen(folder('screen')), (each) => each.stop())
    const bus = keyring.env.DBUS_SESSION_BUS_ADDRESS
    const tray = keep(await watchTray(bus), (each) => each.stop())
    // Usual desktops have one. One bus serves for the session and the computer.
    keep(await startLogind(bus), (each) => each.stop())
    const service = keep(await startDemoService({ tokenLifetime: TOKEN_LIFETIME }), (each) => each.stop())

    const env = { ...keyring.env, ...screen.env, DBUS_SYSTEM_BUS_ADDRESS: bus, TMPDIR: keyring.env.HOME }
    const withService = { ...env, LATCHKEY_BASE_URL: service.address }
    const bare = path.join(path.dirname(installation.appFolder), 'bare')
    for (const name of ['bare-tray', 'bare-window']) cpSync(path.resolve('bench', name), path.join(bare, name), COPY)
    const { executable } = installation
    const program = (
      name: string,
      appFolder: string,
      own: Program['env'] = env,
      args: readonly string[] = [],
    ): Program => ({
      executable,
      appFolder,
      dataFolder: folder(name),
      env: own,
      args,
    })
    const programs = {
      latchkey: program('signed-in', installation.appFolder, withService, ['--hidden']),
      signInForm: program('form', installation.appFolder, { ...env, LATCHKEY_BASE_URL: `${service.address}/other` }),
      bareTray: program('bare-tray', path.join(bare, 'bare-tray')),
      bareWindow: program('bare-window', path.join(bare, 'bare-window')),
    }

    const running = await launch({ installation, dataFolder: programs.latchkey.dataFolder, env: withService })
    const window = await LatchkeyWindow.of(running.app)
    await window.signIn(ANA)
    await window.signedIn.waitFor()
    await running.quit()

    // Where it finds keytar.
    const script = path.join(installation.appFolder, 'bare-script.mjs')
    copyFileSync(path.resolve('out/bench-app/bare-script.mjs'), script)
    chmodSync(script, 0o644)
    const runScript = async (order: Omit<BareScriptOrder, 'baseAddress'>) => {
      const words = [script, JSON.stringify({ ...order, baseAddress: service.address })]
      const { code, stdout, stderr } = await run(process.execPath, words, { env, ...ordinaryUser() })
      if (code !== 0) throw new Error(`the bare script ended with ${code}: ${stderr}`)
      return Number(stdout)
    }
    await runScript({ login: { username: ANA.username, password: ANA.password } })
    return { service, screen, tray, programs, bareRefresh: () => runScript({}), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const COPY = { recursive: true } as const

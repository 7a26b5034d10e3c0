/** What all measurements use: a display, a panel, a keychain, a service, and the programs. */
import { chmodSync, cpSync } from 'node:fs'
import path from 'node:path'
import { type DemoService, startDemoService } from '../demo/service.ts'
import { ANA } from '../demo/users.ts'
import { startKeyring } from '../test/keyring/keyring.ts'
import { install, launch } from '../test/support/app.ts'
import { startLogind } from '../test/support/logind.ts'
import prepare, { ordinaryFolder, ordinaryUser } from '../test/support/ordinary-user.ts'
import { type BareTokens, watchBareTokens } from './bare-tokens.ts'
import { during, type Program } from './program.ts'
import { type Screen, startScreen } from './screen.ts'
import { type TrayWatch, watchTray } from './tray-watch.ts'

export interface Desktop {
  readonly service: DemoService
  readonly screen: Screen
  readonly tray: TrayWatch
  readonly programs: {
    /** Latchkey, signed in and started hidden. */
    readonly latchkey: Program
    /** Latchkey with a service, but not signed in. */
    readonly signInForm: Program
    readonly bareTray: Program
    /** A bare tray app that also reads a refresh token from the keychain and exchanges it. */
    readonly bareToken: Program
    readonly bareWindow: Program
    readonly bareServer: Program
  }
  readonly cli: string
  /** The programs' home folder, without the user's own configuration. */
  readonly home: string
  /** The socket of the agent, or of the bare server. */
  socketOf(program: Program): string
  readonly bareTokens: BareTokens
  stop(): Promise<void>
}

/** So long that no token expires during the run. */
const TOKEN_LIFETIME_S = 86_400
const BARE_APPS = ['bare-tray', 'bare-token', 'bare-window', 'bare-server']

export async function openDesktop(): Promise<Desktop> {
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
    // This bus serves as session bus and as system bus.
    keep(await startLogind(bus), (each) => each.stop())
    const service = keep(await startDemoService({ tokenLifetime: TOKEN_LIFETIME_S }), (each) => each.stop())

    const installed = path.dirname(installation.appFolder)
    /** Copies a file or folder to where the app's user can read it. */
    const place = (from: string, name: string, mode?: number): string => {
      const to = path.join(installed, name)
      cpSync(path.resolve(from), to, { recursive: true })
      if (mode !== undefined) chmodSync(to, mode)
      return to
    }
    for (const name of BARE_APPS) place(`bench/${name}`, name)
    const preloaded = place('bench/signals.cjs', 'signals.cjs', 0o644)
    const cli = place('cli/latchkey', 'latchkey', 0o755)
    // Node looks for keytar next to the bundle, so the bundle lies in the app's folder.
    place('out/bench/bare-token.cjs', 'app/bare-token.cjs', 0o644)
    const bareTokens = keep(await watchBareTokens(folder('bare-tokens')), (each) => each.stop())

    const { executable } = installation
    const env = { ...keyring.env, ...screen.env, DBUS_SYSTEM_BUS_ADDRESS: bus, TMPDIR: keyring.env.HOME }
    const bare = (name: string): Program => {
      return { executable, appFolder: path.join(installed, name), dataFolder: folder(name), env, preloaded }
    }
    const latchkey = (name: string, baseAddress: string): Program => {
      const { appFolder } = installation
      return {
        executable,
        appFolder,
        dataFolder: folder(name),
        env: { ...env, LATCHKEY_BASE_URL: baseAddress },
        preloaded,
      }
    }
    const programs = {
      latchkey: { ...latchkey('signed-in', service.address), args: ['--hidden'] },
      signInForm: latchkey('form', `${service.address}/other`),
      bareTray: bare('bare-tray'),
      bareToken: {
        ...bare('bare-token'),
        env: { ...env, BENCH_BASE_ADDRESS: service.address, BENCH_SOCKET: bareTokens.socket },
      },
      bareWindow: bare('bare-window'),
      bareServer: bare('bare-server'),
    }

    const running = await launch({ installation, ...programs.latchkey, args: [] })
    const page = await running.window()
    await page.getByLabel('Username').fill(ANA.username)
    await page.getByLabel('Password', { exact: true }).fill(ANA.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: /: menu$/ }).waitFor()
    await running.quit()
    const { bareToken } = programs
    await during({ ...bareToken, env: { ...bareToken.env, BENCH_SIGN_IN: '1' } }, () => bareTokens.next())

    return {
      ...{ service, screen, tray, programs, cli, bareTokens, home: keyring.env.HOME, stop },
      socketOf: ({ dataFolder }) => path.join(dataFolder, 'agent.sock'),
    }
  } catch (error) {
    // A failure to clean up must not hide why the benchmark ended.
    await stop().catch(() => {})
    throw error
  }
}

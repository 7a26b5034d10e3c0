import { chmodSync, cpSync } from 'node:fs'
import path from 'node:path'
import { startDemoService } from '../demo/service.ts'
import { ANA } from '../demo/users.ts'
import { startKeyring } from '../test/keyring/keyring.ts'
import { install, launch } from '../test/support/app.ts'
import { startLogind } from '../test/support/logind.ts'
import prepare, { ordinaryFolder, ordinaryUser } from '../test/support/ordinary-user.ts'
import type { Program } from './program.ts'
import { startScreen } from './screen.ts'
import { watchTray } from './tray-watch.ts'

export type Desktop = Awaited<ReturnType<typeof openDesktop>>

/** No token expires during the run, and the bare program can refresh with the same token each time. */
const LIFETIME_S = 86_400

/** Opens what all measurements use: a display, a panel, a keychain, a service, and the programs. */
export async function openDesktop() {
  const undo: (() => unknown)[] = []
  const keep = <T extends { stop(): unknown }>(thing: T): T => {
    undo.push(() => thing.stop())
    return thing
  }
  const stop = async () => {
    for (const one of undo.splice(0).reverse()) await one()
  }
  try {
    undo.push(prepare())
    const folder = (name: string) => {
      const made = ordinaryFolder(name)
      undo.push(() => made.remove())
      return made.path
    }
    const installation = install()
    undo.push(() => installation.remove())
    const keyring = keep(await startKeyring({ ...ordinaryUser() }))
    const screen = keep(await startScreen(folder('screen')))
    const bus = keyring.env.DBUS_SESSION_BUS_ADDRESS
    const tray = keep(await watchTray(bus))
    // This bus serves as session bus and as system bus.
    keep(await startLogind(bus))
    const service = keep(await startDemoService({ tokenLifetime: LIFETIME_S, grace: LIFETIME_S }))

    const { executable, appFolder } = installation
    const place = (from: string, name: string, mode?: number): string => {
      const to = path.join(path.dirname(appFolder), name)
      cpSync(path.resolve(from), to, { recursive: true })
      if (mode !== undefined) chmodSync(to, mode)
      return to
    }
    const bareFolder = place('bench/bare', 'bare')
    const cli = place('cli/latchkey', 'latchkey', 0o755)
    // Node looks for keytar next to the bundle, so the bundle lies in the app's folder.
    place('out/bench/bare-token.cjs', 'app/bare-token.cjs', 0o644)

    const env = { ...keyring.env, ...screen.env, DBUS_SYSTEM_BUS_ADDRESS: bus, TMPDIR: keyring.env.HOME }
    const preloaded = path.join(bareFolder, 'signals.cjs')
    const latchkey = (name: string, address: string) => {
      return { executable, appFolder, dataFolder: folder(name), env: { ...env, LATCHKEY_BASE_URL: address }, preloaded }
    }
    const bare = (name: string) => {
      const variables = { BENCH_PROGRAM: name, BENCH_SERVICE: service.address }
      return { ...latchkey(name, service.address), appFolder: bareFolder, env: { ...env, ...variables } }
    }
    const programs = {
      latchkey: { ...latchkey('signed-in', service.address), args: ['--hidden'] },
      signInForm: latchkey('form', `${service.address}/other`),
      bareTray: bare('tray'),
      bareToken: bare('token'),
      bareWindow: bare('window'),
      bareServer: bare('server'),
      barePipe: bare('pipe'),
    }

    const running = await launch({ installation, ...programs.latchkey, args: [] })
    const page = await running.window()
    await page.getByLabel('Username').fill(ANA.username)
    await page.getByLabel('Password', { exact: true }).fill(ANA.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: /: menu$/ }).waitFor()
    await running.quit()
    const authorization = `Basic ${btoa(`${ANA.username}:${ANA.password}`)}`
    const answer = await fetch(`${service.address}/auth/login`, { headers: { authorization } })
    await keyring.put('bench', (await answer.json()).refreshToken)

    return {
      service,
      screen,
      tray,
      programs,
      cli,
      stop,
      /** The programs' home folder, without the user's own configuration. */
      home: keyring.env.HOME,
      socketOf: ({ dataFolder }: Program) => path.join(dataFolder, 'agent.sock'),
    }
  } catch (error) {
    // A failure to clean up must not hide why the benchmark ended.
    await stop().catch(() => {})
    throw error
  }
}

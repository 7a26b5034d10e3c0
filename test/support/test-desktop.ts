import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { type DemoServiceOptions, type ServiceOperation, startDemoService } from '../../demo/service.ts'
import { ANA, DEMO_USERS } from '../../demo/users.ts'
import { type Keyring, startKeyring } from '../keyring/keyring.ts'
import { systemKeychain } from '../keyring/system-keychain.ts'
import { alterFiles } from './alter.ts'
import { type Installation, install, type LaunchOptions, launch, ROOT, type RunningApp, startUndriven } from './app.ts'
import { entryNameOn } from './entry.ts'
import { evidence, filesUnder, findLeaks, tokensAsSecrets } from './leaks.ts'
import { ordinaryFolder, ordinaryUser, own } from './ordinary-user.ts'
import { startPanel } from './panel.ts'
import { systemVariables } from './system.ts'
import { LatchkeyWindow } from './window.ts'

export interface TestDesktopOptions {
  readonly service?: DemoServiceOptions
  readonly from?: () => Installation
  /** Changes the app's files before it starts. `folder` has the app's `package.json`. */
  readonly alter?: (folder: string) => void
}

interface StartOptions {
  /** The service's address in the environment; by default that of the desk's own service; with `null`, none. */
  readonly baseUrl?: string | null
  readonly env?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  /** True if the environment decides where the data folder is. */
  readonly isDefaultDataFolder?: boolean
}

export interface TestDesktopApp extends RunningApp {
  open(): Promise<LatchkeyWindow>
  /** Starts the app a second time while it runs. Resolves to the exit code of the second start. */
  startAgain(...args: readonly string[]): Promise<number | null>
}

/** A person's desktop, with a service. On Windows and macOS, it is the desktop of the user who runs the tests. */
export type TestDesktop = Awaited<ReturnType<typeof openTestDesktop>>

const isLinux = process.platform === 'linux'

/** Registers a function that is called at the end. The function that was registered last is called first. */
export type Finish = (end: (failed: boolean) => unknown) => void

const withTest: Finish = (end) =>
  onTestFinished(async ({ task }) => {
    await end(task.result?.state === 'fail')
  })

/** Apps, service, keychain and files end with the test, unless `finish` says otherwise. */
export async function openTestDesktop(
  { service: wanted, from = install, alter }: TestDesktopOptions = {},
  finish = withTest,
) {
  const undo = <T>(thing: T, end: (thing: T, failed: boolean) => unknown): T => {
    finish((failed) => end(thing, failed))
    return thing
  }
  const folder = undo(ordinaryFolder('desk'), (each) => each.remove()).path
  const inside = (name: string): string => {
    const file = path.join(folder, name)
    mkdirSync(file, { mode: 0o700 })
    own(file)
    return file
  }
  const installation = undo(from(), (each) => each.remove())
  if (alter !== undefined) await alterFiles(installation, alter)
  const service = undo(await startDemoService(wanted), (each) => each.stop())
  const keyring = undo(
    isLinux ? await startKeyring(ordinaryUser()) : systemKeychain(() => [entryNameOn({ service, dataFolder })]),
    (each) => each.stop(),
  )
  const dataFolder = inside('data')
  const settingsFile = path.join(dataFolder, 'config.json')
  const home = inside('home')
  const variables: Record<string, string> = isLinux ? variablesOn(keyring, home, inside) : systemVariables()

  /** SECURITY: expects after every test that no token and no password is on disk or in the output. */
  const expectNoLeaks = ({ printed }: RunningApp): void => {
    const passwords = DEMO_USERS.map(({ username, password }) => ({ name: `password of ${username}`, value: password }))
    const secrets = [...tokensAsSecrets(service.issuedSecrets()), ...passwords]
    const places = [...filesUnder(dataFolder), ...filesUnder(home), evidence('what it printed', printed())]
    const leaks = findLeaks(secrets, places)
    if (leaks.length > 0) throw new Error(`secrets have leaked:\n${leaks.join('\n')}`)
  }

  const launchOptions = (options: StartOptions): LaunchOptions => {
    const { baseUrl = service.address, env = {}, args = [], isDefaultDataFolder = false } = options
    const connection: Record<string, string> = baseUrl === null ? {} : { LATCHKEY_BASE_URL: baseUrl }
    const folder = isDefaultDataFolder ? undefined : dataFolder
    return { installation, dataFolder: folder, args, env: { ...variables, ...connection, ...env } }
  }

  return {
    service,
    keyring,
    installation,
    dataFolder,
    /** The folder with all other folders that a program may write to: home, desktop and temporary. */
    home,
    startUndriven: (options: StartOptions = {}) => undo(startUndriven(launchOptions(options)), (each) => each.end()),
    async start(started: StartOptions = {}): Promise<TestDesktopApp> {
      const options = launchOptions(started)
      const running = undo(await launch(options), async (each, failed) => {
        // A picture of each window says more than the error of a failed test.
        for (const [index, page] of (failed ? each.app.windows() : []).entries()) {
          const file = path.join(ROOT, 'out/test', `failed-${process.pid}-${index}.png`)
          await page.screenshot({ path: file, timeout: 5_000 }).catch(() => {})
        }
        if (!each.isSettled) await each.quit()
        expectNoLeaks(each)
      })
      const isMeant = installation.archive !== undefined
      // An app that ends while it starts can't answer. That is no error, because some tests make it crash.
      const isPackaged = await running.app.evaluate(({ app }) => app.isPackaged).catch(() => isMeant)
      if (isPackaged !== isMeant) throw new Error('the tests drive a different app than intended')
      return Object.assign(running, {
        open: () => LatchkeyWindow.of(running.app),
        startAgain: (...args: readonly string[]) => startUndriven({ ...options, args }).ended,
      })
    },
    startPanel: async () => undo(await startPanel(keyring.env.DBUS_SESSION_BUS_ADDRESS), (each) => each.stop()),
    count: (operation: ServiceOperation) =>
      service.requests.filter((request) => request.operation === operation && request.status === 200).length,
    settings: (): unknown => (existsSync(settingsFile) ? JSON.parse(readFileSync(settingsFile, 'utf8')) : undefined),
  }
}

export async function openSignedIn(options: TestDesktopOptions = {}) {
  const desk = await openTestDesktop(options)
  const app = await desk.start()
  const window = await app.open()
  await window.signIn(ANA)
  return { desk, app, window }
}

/** The environment variables for the desktop's own folders and bus, in place of those of the user who runs the tests. */
const variablesOn = ({ env }: Keyring, home: string, inside: (name: string) => string) => ({
  DBUS_SESSION_BUS_ADDRESS: env.DBUS_SESSION_BUS_ADDRESS,
  HOME: home,
  XDG_CONFIG_HOME: inside('home/config'),
  XDG_CACHE_HOME: inside('home/cache'),
  XDG_DATA_HOME: inside('home/share'),
  XDG_STATE_HOME: inside('home/state'),
  XDG_RUNTIME_DIR: inside('home/run'),
  TMPDIR: inside('home/tmp'),
})

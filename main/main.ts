/** The composition root: the only file that constructs and wires. */
import { existsSync, renameSync } from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import { app, clipboard, session as electronSession, ipcMain } from 'electron'
import ElectronStore from 'electron-store'
import type { AppView, ConnectionView, Handlers } from '../preload/contract.ts'
import { loadTexts } from '../text/index.ts'
import { Agent } from './agent/agent.ts'
import { locate } from './agent/location.ts'
import { problemSentence } from './agent/problem.ts'
import { SessionSource } from './agent/session-source.ts'
import { loadKeytar } from './keychain/load-keytar.ts'
import { type OpenedKeychain, openSecretStore } from './keychain/open.ts'
import { createAuthService } from './service/auth-service.ts'
import { createHttpClient } from './service/http-client.ts'
import { createIdentityProvider } from './service/identity-provider.ts'
import { DeadlineClock, systemTime } from './session/clock.ts'
import { Connections } from './session/connections.ts'
import type { AuthServices } from './session/ports.ts'
import { Session } from './session/session.ts'
import { readClientSecret } from './settings/client-secret.ts'
import { readEnvironment } from './settings/environment.ts'
import type { SettingsProblem } from './settings/layer.ts'
import { policyPath, readPolicy } from './settings/policy.ts'
import { connectionView, Settings } from './settings/settings.ts'
import { UserSettings } from './settings/user-settings.ts'
import { setApplicationMenu } from './shell/app-menu.ts'
import { ORIGIN, registerAppScheme, START_PAGE, serveRenderer } from './shell/app-scheme.ts'
import { TokenClipboard } from './shell/clipboard.ts'
import { hardenSession, hardenWebContents } from './shell/hardening.ts'
import { Ipc } from './shell/ipc.ts'
import { startsHidden } from './shell/launch-command.ts'
import { followWindowInDock, liveInTheBackground } from './shell/lifecycle.ts'
import { createLoginItem } from './shell/login-item.ts'
import { MainWindow } from './shell/main-window.ts'
import { NoTray, type Remembered } from './shell/no-tray.ts'
import { notificationModel } from './shell/notification-model.ts'
import { canNotify, nameForWindows, showNotification } from './shell/notifications.ts'
import { Notifier } from './shell/notifier.ts'
import { TrayView } from './shell/tray.ts'
import { askTrayHost, awaitTrayHost } from './shell/tray-host.ts'
import { trayIcon } from './shell/tray-icons.ts'
import { trayModel } from './shell/tray-model.ts'
import { watchWake } from './shell/wake.ts'

/** Set by the build: true in the one for the crash tests alone. */
declare const __CRASH_POINTS__: boolean

/** How long quitting waits for a reply that is under way: milliseconds. */
const QUIT_PATIENCE = 10_000

const report = (line: string): void => console.error(line)

// SECURITY: every renderer is sandboxed, whatever a window asks for (Electron: app.enableSandbox). Where somebody
// has taken the sandbox away (root can't have it), asking for it would keep every process from starting.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
registerAppScheme()
const environment = readEnvironment(process.env)

if (app.requestSingleInstanceLock()) void run()
else app.quit()

async function run(): Promise<void> {
  const clock = new DeadlineClock(systemTime)
  const { store, problems } = openUserStore()
  const user = new UserSettings(store)
  const policy = readPolicy(policyPath(process.platform, process.env), process.platform)
  const settings = new Settings({ policy, environment, user })

  nameForWindows()
  await app.whenReady()
  const texts = await loadTexts(app.getLocale())
  setApplicationMenu(process.platform)
  hardenWebContents()
  // SECURITY: in memory, so that the window leaves nothing on the disk.
  const windowSession = electronSession.fromPartition('latchkey')
  hardenSession(windowSession)
  serveRenderer(windowSession, path.join(app.getAppPath(), 'out/renderer'))

  // Begun before the window and awaited after it: what a person sees doesn't wait for the keychain.
  const opening = openSecretStore({ platform: process.platform, hostname: hostname(), clock, loadKeytar })
  let keychain: OpenedKeychain | undefined
  let prepared: Promise<void> = Promise.resolve()
  const prepare = (): Promise<void> => {
    prepared = readKeychain()
    return prepared
  }
  const readKeychain = async (): Promise<void> => {
    keychain = await opening
    const address = settings.connection?.baseAddress
    settings.keychainSecret = address === undefined ? undefined : await readClientSecret(keychain.store, address)
  }
  const http = createHttpClient({ userAgent: `Latchkey/${app.getVersion()}`, clock })
  const crashPoints = __CRASH_POINTS__ ? new (await import('./crash-points.ts')).CrashPoints(process.env) : undefined

  const services = ({ baseAddress }: ConnectionView): AuthServices => {
    const service = createAuthService({ baseAddress, http })
    const password = crashPoints?.service(service) ?? service
    const provider = settings.connection?.identityProvider
    if (provider === undefined) return { password }
    return { password, sso: createIdentityProvider({ ...provider, authAddress: provider.authUrl, http }) }
  }
  const openSession = (connection: ConnectionView): Session => {
    if (keychain === undefined) throw new Error('no session before the keychain')
    const storage = { store: keychain.store, marker: user }
    return new Session({
      name: connection.baseAddress,
      services: services(connection),
      ...(crashPoints?.ports(storage) ?? storage),
      clock,
      random: Math.random,
    })
  }
  const connections = new Connections({
    settings: {
      connection: () => settings.connection && connectionView(settings.connection),
      setBaseAddress: (text) => settings.setBaseAddress(text),
    },
    prepare,
    open: openSession,
    clock,
  })
  // A user's own step may raise the keychain's unlock prompt once more.
  const handlers: Handlers = {
    ...connections.handlers,
    signIn: (input) => {
      keychain?.allowPrompts()
      return connections.handlers.signIn(input)
    },
  }

  const view = (): AppView => ({
    version: app.getVersion(),
    ...connections.view,
    notices: [...problems, ...settings.problems].map((problem) => texts.settingsProblem(problem)),
  })
  const window = new MainWindow({
    preload: path.join(app.getAppPath(), 'out/preload/preload.cjs'),
    address: START_PAGE,
    session: windowSession,
    devTools: !app.isPackaged,
    place: remembered(store, 'window'),
    onOpened: () => noTray.windowOpened(),
    onClosed: () => void noTray.windowClosed(),
    report,
  })
  const ipc = new Ipc({ handlers, view, contents: () => window.current?.webContents, origin: ORIGIN, report })
  const { platform, execPath, env, argv } = process
  const loginItem = createLoginItem({ platform, isPackaged: app.isPackaged, execPath, env }, app)
  const tray = new TrayView({
    model: () =>
      trayModel(view(), texts, {
        now: clock.wall(),
        canCopyToken: connections.session?.accessToken !== undefined,
        startsAtLogin: loginItem?.isEnabled(),
      }),
    icon: (icon) => trayIcon(icon, platform),
    actions: {
      show: () => window.show(),
      renewNow: () => void handlers.renewNow(undefined),
      copyToken: () => {
        const token = connections.session?.accessToken
        if (token !== undefined) void tokens.copy(token)
      },
      signOut: () => void handlers.signOut(undefined),
      startAtLogin: () => {
        attempt(() => loginItem?.set(!loginItem.isEnabled()))
        tray.render()
      },
      quit: () => app.quit(),
    },
    clock,
    platform,
  })
  const tokens = new TokenClipboard(clipboard, clock)
  const notifier = new Notifier({
    clock,
    show: (notice) => showNotification(notice, () => window.show()),
    isWatched: () => window.isInFront,
  })
  const noTray = new NoTray({
    ask: async () => (platform === 'linux' && canNotify() ? askTrayHost({ clock }) : 'unknown'),
    told: remembered(store, 'toldNoTray'),
    onChange: () => publish(),
  })
  const publish = (): void => {
    ipc.publish()
    tray.render()
    notifier.render(notificationModel(view(), texts, { now: clock.wall(), hasNoTray: noTray.isDue }))
  }

  const dataFolder = app.getPath('userData')
  const isDefaultDataFolder = !app.commandLine.hasSwitch('user-data-dir')
  const agent = new Agent({
    location: locate({ platform, env, dataFolder, isDefaultDataFolder }),
    source: new SessionSource(connections),
    view,
    clock,
    uid: process.getuid?.(),
  })

  liveInTheBackground({
    show: () => window.show(),
    stop: async () => {
      noTray.stop()
      notifier.stop()
      // A native call of the keychain that answers while the process ends would abort it.
      await Promise.all([tokens.clear(), agent.stop(), connections.stop(), prepared])
    },
    patience: QUIT_PATIENCE,
    isStuck: () => keychain?.busy() ?? false,
  })
  followWindowInDock()
  ipc.start()
  if (!startsHidden(platform, argv, () => app.getLoginItemSettings().wasOpenedAtLogin)) window.show()
  connections.subscribe(publish)
  if (platform === 'linux') {
    // A panel that comes later than the app, as they do at login, gets the icon once more.
    void askTrayHost({ clock }).then((host) => host === 'present' || awaitTrayHost(undefined, () => tray.renew()))
    // An AppImage may have moved.
    attempt(() => loginItem?.isEnabled() && loginItem.set(true))
  }
  watchWake(() => {
    clock.check()
    connections.wake()
  })
  const serving = agent.start().then((state) => {
    if (state.kind === 'failed') report(problemSentence(state.problem))
  })
  await Promise.all([serving, connections.start()])
}

const remembered = <T>(store: ElectronStore, key: string): Remembered<T> => ({
  get: () => store.get(key),
  set: (value) => store.set(key, value),
})

/** Does what the system may refuse, and says so where it does. */
function attempt(act: () => unknown): void {
  try {
    act()
  } catch (error) {
    report(error instanceof Error ? error.message : String(error))
  }
}

/** The user's settings file. A damaged one is set aside, and said so; it is never deleted. */
function openUserStore(): { readonly store: ElectronStore; readonly problems: readonly SettingsProblem[] } {
  const file = path.join(app.getPath('userData'), 'config.json')
  const open = () => {
    const store = new ElectronStore()
    // SECURITY: electron-store opens a channel to every renderer; ours knows the contract's alone.
    ipcMain.removeAllListeners('electron-store-get-data')
    return store
  }
  try {
    return { store: open(), problems: [] }
  } catch (error) {
    if (!existsSync(file)) throw error
    const aside = path.join(path.dirname(file), `config.damaged-${Date.now()}.json`)
    renameSync(file, aside)
    return { store: open(), problems: [{ source: 'user', where: aside, problem: 'damaged' }] }
  }
}

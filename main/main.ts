/** The composition root: the only file that constructs and wires. */
import { hostname, release } from 'node:os'
import path from 'node:path'
import { app, clipboard, session as electronSession, ipcMain } from 'electron'
import ElectronStore from 'electron-store'
import type { AppView, Handlers } from '../preload/contract.ts'
import { loadTexts } from '../text/index.ts'
import { Agent } from './agent/agent.ts'
import { LONGEST_PATH, locate } from './agent/location.ts'
import { SessionSource } from './agent/session-source.ts'
import keytarChild from './keychain/keytar-child.ts?modulePath'
import { hasOwnProcess, KeytarProcess } from './keychain/keytar-process.ts'
import { loadKeytar } from './keychain/load-keytar.ts'
import { type OpenedKeychain, openSecretStore } from './keychain/open.ts'
import { KeychainProxyCredentials } from './network/keychain-credentials.ts'
import { createNetwork } from './network/network.ts'
import { createAuthService } from './service/auth-service.ts'
import { createHttpClient } from './service/http-client.ts'
import { createIdentityProvider } from './service/identity-provider.ts'
import { DeadlineClock, systemTime } from './session/clock.ts'
import { Connections } from './session/connections.ts'
import type { AuthServices } from './session/ports.ts'
import { Session } from './session/session.ts'
import { lockedUntil } from './settings/client-secret.ts'
import { type Connection, isSameConnection } from './settings/connection.ts'
import { readEnvironment } from './settings/environment.ts'
import { settingsNotice } from './settings/notices.ts'
import { policyPath } from './settings/policy.ts'
import { PolicyFile } from './settings/policy-file.ts'
import { connectionView, Settings } from './settings/settings.ts'
import { UserSettings } from './settings/user-settings.ts'
import { openUserStore } from './settings/user-store.ts'
import { AgentSwitch } from './shell/agent-switch.ts'
import { setApplicationMenu } from './shell/app-menu.ts'
import { registerAppScheme, serveRenderer } from './shell/app-scheme.ts'
import { appView } from './shell/app-view.ts'
import { attempt } from './shell/attempt.ts'
import { TokenClipboard } from './shell/clipboard.ts'
import { diagnostics } from './shell/diagnostics.ts'
import { hardenSession, hardenWebContents } from './shell/hardening.ts'
import { forkKeychain } from './shell/keychain-process.ts'
import { startsHidden } from './shell/launch-command.ts'
import { followWindowInDock, liveInTheBackground } from './shell/lifecycle.ts'
import { createLoginItem } from './shell/login-item.ts'
import { nameForWindows } from './shell/notifications.ts'
import { Openings } from './shell/openings.ts'
import { remembered } from './shell/remembered.ts'
import { saveText } from './shell/save-text.ts'
import { shellCalls } from './shell/shell-calls.ts'
import { StartAtLogin } from './shell/start-at-login.ts'
import { systemProxy } from './shell/system-proxy.ts'
import { UserInterface } from './shell/user-interface.ts'
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
  const dataFolder = app.getPath('userData')
  const { store, problems } = openUserStore(path.join(dataFolder, 'config.json'), openStore, Date.now())
  const user = new UserSettings(store)
  const policy = new PolicyFile({
    path: policyPath(process.platform, process.env),
    platform: process.platform,
    clock,
    onChange: () => settingsChanged(),
  })
  const settings = new Settings({ policy, environment, user, keychain: async () => (await opening).store })

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
  const fork = () => forkKeychain(keytarChild, process.env)
  const keytarProcess = hasOwnProcess(process.platform) ? new KeytarProcess({ fork, clock }) : undefined
  const opening = openSecretStore({
    platform: process.platform,
    hostname: hostname(),
    clock,
    loadKeytar: () => keytarProcess?.load() ?? loadKeytar(),
    // A session's entry bears the name of its connection. As anywhere, its marker goes before it.
    onMoving: (name) => name === settings.connection?.baseAddress && user.set(name, 'stored'),
  })
  let keychain: OpenedKeychain | undefined
  let prepared: Promise<void> = Promise.resolve()
  const prepare = (): Promise<void> => {
    prepared = readKeychain()
    return prepared
  }
  const readKeychain = async (): Promise<void> => {
    keychain = await opening
    await settings.readClientSecret()
  }
  const proxyCredentials = opening.then(({ store }) => new KeychainProxyCredentials(store))
  const network = createNetwork({
    clock,
    env: process.env,
    platform: process.platform,
    resolveProxy: systemProxy(),
    credentials: { get: async (proxyHost) => (await proxyCredentials).get(proxyHost) },
    // Until the administrator's file has `tls`: `policy: () => policy.reading.tls`, and `isGuarded` of settings/policy.ts.
    policy: () => ({}),
    isGuarded: () => false,
    serviceHosts: () => (settings.connection === undefined ? [] : [new URL(settings.connection.baseAddress).host]),
  })
  const http = createHttpClient({ userAgent: `Latchkey/${app.getVersion()}`, clock, ...network.http })
  const crashPoints = __CRASH_POINTS__ ? new (await import('./crash-points.ts')).CrashPoints(process.env) : undefined

  const services = ({ baseAddress, identityProvider: provider }: Connection): AuthServices => {
    const service = createAuthService({ baseAddress, http })
    const password = crashPoints?.service(service) ?? service
    if (provider === undefined) return { password }
    return { password, sso: createIdentityProvider({ ...provider, authAddress: provider.authUrl, http }) }
  }
  const openSession = (connection: Connection): Session => {
    if (keychain === undefined) throw new Error('no session before the keychain')
    const isReady = async () => {
      const hasCome = await settings.findClientSecret()
      if (hasCome) void connections.start()
      return !hasCome
    }
    const storage = { store: lockedUntil(keychain.store, isReady), marker: user }
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
      connection: () => settings.connection,
      view: connectionView,
      isSame: isSameConnection,
      save: (input) => settings.save(input),
      check: (input) => settings.check(input),
    },
    prepare,
    open: openSession,
    // A user's own step may raise the keychain's unlock prompt once more.
    onStep: () => keychain?.allowPrompts(),
    clock,
  })
  const { platform, execPath, env, argv } = process
  const started = { platform, isPackaged: app.isPackaged, execPath, env }
  const startAtLogin = new StartAtLogin(createLoginItem(started, app), remembered(store, 'askedStartAtLogin'))
  const openings = new Openings()
  const version = app.getVersion()
  const notices = () => [...problems, ...settings.problems].map((problem) => settingsNotice(problem, texts))
  const view = (): AppView =>
    appView({ version, connections, settings, agent: agentSwitch, startAtLogin, openings, notices })
  const agent = new Agent({
    location: locate({ platform, env, dataFolder, isDefaultDataFolder: !app.commandLine.hasSwitch('user-data-dir') }),
    source: new SessionSource(connections),
    view: () => ({ version, ...connections.view }),
    clock,
    uid: process.getuid?.(),
  })
  const agentSwitch = new AgentSwitch({
    agent,
    policy: () => policy.reading.agent,
    own: user,
    problem: (state) =>
      state.kind === 'failed' ? texts.agent.trouble({ ...state.problem, most: LONGEST_PATH }) : undefined,
    report,
    onChange: () => ui.publish(),
  })
  const tokens = new TokenClipboard(clipboard, clock)
  const writeDiagnostics = async (): Promise<string> => {
    const versions = { Latchkey: version, Electron: process.versions.electron, [platform]: release() }
    return diagnostics(view(), texts, { versions, keychain: keychain?.probe, now: clock.wall() })
  }
  const handlers: Handlers = {
    ...connections.handlers,
    ...shellCalls({
      session: () => connections.session,
      clipboard: tokens,
      startAtLogin,
      agent: agentSwitch,
      saveDiagnostics: () => saveText(writeDiagnostics, { ...texts.shell.diagnostics, window: ui.window }),
      onChange: () => ui.publish(),
    }),
  }
  const ui = new UserInterface({
    view,
    handlers,
    canCopyToken: () => connections.session?.accessToken !== undefined,
    texts,
    clock,
    platform,
    session: windowSession,
    preload: path.join(app.getAppPath(), 'out/preload/preload.cjs'),
    store,
    openings,
    startAtLogin,
    report,
  })
  const settingsChanged = (): void => {
    void agentSwitch.apply()
    void connections.start()
  }
  liveInTheBackground({
    show: () => ui.show(),
    stop: async () => {
      policy.stop()
      ui.stop()
      // A native call of the keychain that answers while the process ends would abort it.
      await Promise.all([tokens.clear(), agent.stop(), connections.stop(), prepared])
    },
    patience: QUIT_PATIENCE,
    end: () => keytarProcess?.stop(),
    isStuck: () => keytarProcess === undefined && (keychain?.busy() ?? false),
  })
  followWindowInDock()
  ui.start()
  if (!startsHidden(platform, argv, () => app.getLoginItemSettings().wasOpenedAtLogin)) ui.show()
  connections.subscribe(() => ui.publish())
  // An AppImage may have moved.
  if (platform === 'linux') attempt(() => startAtLogin.refresh(), report)
  watchWake(() => {
    clock.check()
    policy.check()
    // A request that slept through its deadline is over first: then what it was for is asked again at once.
    setImmediate(() => connections.wake())
  })
  policy.start()
  agent.usage.subscribe(() => ui.publishToWindow())
  await Promise.all([agentSwitch.apply(), connections.start()])
}

function openStore(): ElectronStore {
  const store = new ElectronStore()
  // SECURITY: electron-store opens a channel to every renderer; ours knows the contract's alone.
  ipcMain.removeAllListeners('electron-store-get-data')
  return store
}

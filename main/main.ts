/** The composition root: the only file that constructs and wires. `start.ts` has made the icon and loads it. */
import { homedir } from 'node:os'
import path from 'node:path'
import { app, clipboard, session as electronSession, ipcMain, net, powerMonitor, type Tray } from 'electron'
import ElectronStore from 'electron-store'
import type { CallName, Handlers } from '../contract/calls.ts'
import type { Failure } from '../contract/failures.ts'
import type { AppView } from '../contract/views.ts'
import { loadTexts, type Texts } from '../text/index.ts'
import { Agent } from './agent/agent.ts'
import { LONGEST_PATH, locate } from './agent/location.ts'
import { SessionSource } from './agent/session-source.ts'
import { layConnections } from './connect.ts'
import { CheckUp } from './doctor/check-up.ts'
import { layFoundation } from './foundation.ts'
import { remembered } from './key-value-store.ts'
import type { Child } from './keychain/conversation.ts'
import { logAgent, logProblems, logProxies, logUpdates } from './log/app-events.ts'
import { whyUnwritable } from './log/files.ts'
import { logFolder } from './log/location.ts'
import { type OpenLog, openLog } from './log/log-file.ts'
import { createReport, type Report } from './log/report.ts'
import { failureFields } from './log/session-events.ts'
import { systemTime } from './session/clock.ts'
import { within } from './session/within.ts'
import { destinationDialog } from './settings/destination.ts'
import type { Variables } from './settings/environment.ts'
import { readEnvironment } from './settings/layers.ts'
import type { SettingsProblem } from './settings/problems.ts'
import { settingsNotice } from './settings/problems.ts'
import { openUserStore, readUserStore } from './settings/user-store.ts'
import { AgentSwitch } from './shell/agent-switch.ts'
import { appView } from './shell/app-view.ts'
import { attempt } from './shell/attempt.ts'
import { TokenClipboard } from './shell/clipboard.ts'
import type { EarlyCalls } from './shell/early-calls.ts'
import { liveInTheBackground } from './shell/lifecycle.ts'
import { createLoginItem } from './shell/login-item.ts'
import { Openings } from './shell/openings.ts'
import { copyToken, shellCalls } from './shell/shell-calls.ts'
import { StartAtLogin } from './shell/start-at-login.ts'
import { confirm, saveText } from './surfaces/dialogs.ts'
import { createSurfaces } from './surfaces/surfaces.ts'
import { systemProxy } from './surfaces/system-proxy.ts'
import { watchWake } from './surfaces/wake.ts'
import { hasPublisher, hasUninstaller } from './updates/installed.ts'
import { updatePlan } from './updates/plan.ts'
import { Updates } from './updates/updates.ts'
import { Changes, ViewStore } from './view-store.ts'

/** Set by the build: true in the one for the crash tests alone. */
declare const __CRASH_POINTS__: boolean

/** Latest start of background work after the sessions. */
const BACKGROUND_AT_LATEST_MS = 2_000
/** How long quitting waits for a reply that is under way. */
const QUIT_TIMEOUT_MS = 10_000
/** How much of the log goes with the diagnostics: lines. */
const LAST_LINES = 300

const toConsole = { isDevelopment: !app.isPackaged, print: (line: string) => console.error(line) }

const { platform, env, execPath } = process
const dataFolder = app.getPath('userData')
const isDefaultDataFolder = !app.commandLine.hasSwitch('user-data-dir')
const settingsFile = path.join(dataFolder, 'config.json')
const logAt = logFolder({ platform, env, home: homedir(), dataFolder, isDefaultDataFolder })
const agentAt = locate({ platform, env, dataFolder, isDefaultDataFolder })
/** What app and doctor stand on has these in common. */
const common = (variables: Variables) => ({
  platform,
  env,
  version: app.getVersion(),
  environment: readEnvironment(variables),
  resolveProxy: systemProxy(electronSession),
})

/** `--doctor`: prints what it finds, and ends with a code that tells. */
export async function examine({ variables, forkKeytar }: Pick<Started, 'variables' | 'forkKeytar'>): Promise<void> {
  try {
    await app.whenReady()
    // Whoever reads may be gone (`| head`).
    process.stdout.on('error', () => {})
    const { examineAlone } = await import('./examine.ts')
    const { store, problems } = readUserStore(settingsFile)
    const foundation = layFoundation({ ...common(variables), forkKeychain: forkKeytar, store })
    const places = placesOf(foundation.policy.path)
    const surroundings = { problems, places, logProblem: whyUnwritable(logAt), agent: agentAt }
    const code = await examineAlone(foundation, surroundings, process.stdout)
    foundation.keytarProcess?.stop()
    // Node would wait for a thread that waits for the keychain.
    if (foundation.keytarProcess === undefined && (await foundation.opening()).busy())
      process.kill(process.pid, 'SIGKILL')
    app.exit(code)
  } catch (error) {
    // The doctor must not write to the log.
    endAtOnce(createReport(toConsole), error)
  }
}

/** Nothing was under way yet that could be lost. */
function endAtOnce(report: Report, error: unknown): void {
  report('start', error)
  app.exit(1)
}

const placesOf = (policyFile: string) =>
  [
    ['policy', policyFile],
    ['data', dataFolder],
    ['log', logAt],
  ] as const

interface Started {
  /** The environment, as it was found. */
  readonly variables: Variables
  readonly tray: Tray
  /** Without its window. */
  readonly isHidden: boolean
  readonly earlyCalls: EarlyCalls
  /** On Linux: the keychain's process, started already. */
  readonly firstKeychain: Child | undefined
  readonly forkKeytar: () => Child
}

/** The app, from its icon on. */
export async function run(started: Started): Promise<void> {
  const log = openLog({ folder: logAt, clock: systemTime })
  const report = createReport({ log, ...toConsole })
  try {
    await live(started, log, report)
  } catch (error) {
    endAtOnce(report, error)
  }
}

async function live(
  { variables, tray, isHidden, earlyCalls, forkKeytar, firstKeychain }: Started,
  log: OpenLog,
  report: Report,
): Promise<void> {
  const { store, problems } = openUserStore(settingsFile, openStore, Date.now())
  const foundation = layFoundation({
    ...common(variables),
    forkKeychain: forkKeytar,
    firstKeychain,
    store,
    onRoute: logProxies(log),
    onPolicyChange: () => settingsChanged(),
    onProxyLogin: () => connections.wake(),
    confirmDestination: (change) => confirm(destinationDialog(change, texts.shell.destination)),
  })
  const { clock, policy, settings, keytarProcess, opening, version } = foundation

  // A bug in one place costs the session nothing: without a listener Electron shows its stack in a dialog.
  process.on('uncaughtException', (error) => report('uncaught', error))
  process.on('unhandledRejection', (error) => report('unhandled', error))
  log.info('app.started', { version, electron: process.versions.electron, platform })
  const locale = app.getLocale()
  const texts = await loadTexts(locale)

  const crashPoints = __CRASH_POINTS__ ? new (await import('./crash-points.ts')).CrashPoints(env) : undefined
  const sessions = layConnections(foundation, crashPoints)
  const { connections } = sessions
  const started = { platform, isPackaged: app.isPackaged, execPath, env }
  const startAtLogin = new StartAtLogin(createLoginItem(started, app), remembered(store, 'askedStartAtLogin'))
  const openings = new Openings()
  const changes = new Changes()
  const { changed } = changes
  let savedDiagnostics: string | undefined
  let networkProblems: readonly SettingsProblem[] = []
  const allProblems = () => [...problems, ...settings.problems, ...networkProblems]
  const noteProblems = logProblems(log)
  const findProblems = async (): Promise<void> => {
    networkProblems = await foundation.networkProblems()
    noteProblems(allProblems())
    changed()
  }
  const isUnsafe = app.commandLine.hasSwitch('no-sandbox')
  const notices = (words: Texts) => [
    ...(isUnsafe ? [words.shell.noSandbox] : []),
    ...allProblems().map((problem) => settingsNotice(problem, words)),
    ...(sessions.losesClientSecret() ? [words.shell.losesClientSecret] : []),
  ]
  const views = new ViewStore<AppView>(
    () =>
      appView({
        version,
        connections,
        settings,
        agent: agentSwitch,
        startAtLogin,
        openings,
        checkUp,
        updates,
        savedDiagnostics: () => savedDiagnostics,
        notices: () => notices(texts),
      }),
    changes,
  )
  const agent = new Agent({
    location: agentAt,
    connections: {
      get names() {
        return connections.names
      },
      source: (name) => new SessionSource(connections, name),
    },
    view: (name) => ({ version, ...connections.viewOf(name) }),
    clock,
    uid: process.getuid?.(),
  })
  const noteAgent = logAgent(log)
  const agentSwitch = new AgentSwitch({
    agent,
    setting: settings.app.of('agent'),
    problem: (state) =>
      state.kind === 'failed' ? texts.agent.trouble({ ...state.problem, most: LONGEST_PATH }) : undefined,
    note: noteAgent,
    onChange: changed,
  })
  const tokens = new TokenClipboard(clipboard, clock, changed)
  const surroundings = () => {
    return { notices, places: placesOf(policy.path), logProblem: log.problem, agent: agentAt }
  }
  const checkUp = new CheckUp({
    examine: async () => {
      const { examine: begin } = await import('./examine.ts')
      return begin(foundation, surroundings(), texts)
    },
    onChange: changed,
  })
  const writeDiagnostics = async (): Promise<string> => {
    const { diagnose } = await import('./examine.ts')
    return diagnose(foundation, surroundings(), await log.tail(LAST_LINES))
  }
  const updateConfig = path.join(process.resourcesPath, 'app-update.yml')
  const updates = new Updates({
    plan: () =>
      updatePlan({
        platform,
        isPackaged: app.isPackaged,
        feed: settings.app.of('updateFeed').value,
        hasUninstaller: () => hasUninstaller(execPath),
        hasPublisher: () => hasPublisher(updateConfig),
      }),
    load: async () => {
      const { createAppUpdater } = await import('./surfaces/app-updater.ts')
      return createAppUpdater({ platform, config: updateConfig, clock })
    },
    clock,
    isBusy: () => connections.isBusy,
    onChange: changed,
    note: logUpdates(log),
  })
  const noteSaved = (file: string): void => {
    savedDiagnostics = path.basename(file)
    changed()
  }
  const session = (name?: string) => connections.session(name)
  const noteFailure = (call: CallName, failure: Failure) => log.warn('call.failed', { call, ...failureFields(failure) })
  const handlers: Handlers = {
    ...connections.handlers,
    ...shellCalls({
      session,
      clipboard: tokens,
      startAtLogin,
      agent: agentSwitch,
      checkComputer: () => checkUp.check(),
      saveDiagnostics: () => saveText(writeDiagnostics, { ...texts.shell.diagnostics, onSaved: noteSaved }),
      onChange: changed,
    }),
    restartToUpdate: () => updates.restart(),
    saveProxyCredentials: (input) => foundation.proxySignIn.save(input),
  }
  const surfaces = createSurfaces({
    views,
    changed,
    handlers,
    sessions: {
      show: (name) => void connections.show(name),
      renewNow: (name = connections.shown) => void connections.callsOf(name)?.renewNow(undefined),
      signOut: (name = connections.shown) => void connections.callsOf(name)?.signOut(undefined),
      canCopyToken: (name) => session(name)?.accessToken !== undefined,
    },
    clipboard: {
      copyToken: async (name) => {
        const outcome = await copyToken({ session, clipboard: tokens }, name)
        if (!outcome.ok) noteFailure('copyToken', outcome.failure)
        return outcome
      },
      isTokenCopied: (name) => tokens.holds(session(name)?.accessToken),
    },
    loginItem: {
      get isEnabled() {
        return startAtLogin.view?.enabled
      },
      toggle: () => {
        const isDone = attempt('startAtLogin', () => startAtLogin.toggle(), report)
        changed()
        return isDone
      },
    },
    navigation: {
      request: (screen) => {
        openings.ask(screen)
        changed()
      },
      forget: () => openings.forget(),
    },
    diagnostics: checkUp,
    tray,
    texts,
    locale,
    clock,
    platform,
    store,
    log,
    report,
    onFailure: noteFailure,
  })
  const settingsChanged = (): void => {
    void findProblems()
    void agentSwitch.apply()
    void connections.start()
  }
  let isEnding = false
  let trial: Promise<unknown> = Promise.resolve()
  liveInTheBackground({
    show: () => surfaces.window.show(),
    stop: async () => {
      isEnding = true
      policy.stop()
      updates.stop()
      for (const surface of surfaces.all.toReversed()) void surface.stop()
      // A native call of the keychain that answers while the process ends would abort it.
      await Promise.all([tokens.clear(), agent.stop(), connections.stop(), sessions.prepared(), trial])
      noteAgent(agent.state)
      log.info('app.stopped')
    },
    patience: QUIT_TIMEOUT_MS,
    end: () => keytarProcess?.stop(),
    isStuck: () => keytarProcess === undefined && sessions.isKeychainBusy(),
  })
  for (const surface of surfaces.all) surface.start()
  if (earlyCalls.end() || !isHidden) surfaces.window.show()
  connections.subscribe(changed)
  const opened = connections.start()
  // An AppImage may have moved.
  if (platform === 'linux') attempt('startAtLogin', () => startAtLogin.refresh(), report)
  watchWake({ clock, net, powerMonitor }, () => {
    log.info('app.woke')
    clock.check()
    policy.check()
    // A request that slept through its deadline is over first: then what it was for is asked again at once.
    setImmediate(() => connections.wake())
  })
  policy.start()
  updates.start()
  const stopNoting = agent.usage.subscribe(() => {
    stopNoting()
    // SECURITY: that tools ask, and not which.
    log.info('agent.used')
  })
  agent.usage.subscribe(changed)
  void agentSwitch.apply()
  const sessionsFirst = within(clock, BACKGROUND_AT_LATEST_MS, connections.restored(), undefined)
  trial = opened
    .then(() => sessionsFirst)
    .then(opening)
    // What stands in it is read first.
    .then(({ probe }) => probe())
    .then((probe) => log.info('keychain.probed', probe))
    .catch((error: unknown) => report('keychain', error))
  await sessionsFirst
  if (isEnding) return
  surfaces.tray.watchPanel()
  void findProblems()
}

function openStore(): ElectronStore {
  const store = new ElectronStore({ cache: true })
  // SECURITY: electron-store opens a channel to every renderer; ours knows the contract's alone.
  ipcMain.removeAllListeners('electron-store-get-data')
  return store
}

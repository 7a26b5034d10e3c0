/** Builds the app from its parts: core, then features, then surfaces. Independent of Electron. */
import type { Texts } from '../text/index.ts'
import { Agent } from './agent/agent.ts'
import { LONGEST_PATH } from './agent/location.ts'
import { SessionSource } from './agent/session-source.ts'
import type { Surroundings } from './check-computer.ts'
import { createConnections } from './connections.ts'
import { type Core, type CorePorts, createCore } from './core.ts'
import type { CrashPoints } from './crash-points.ts'
import { AgentFeature } from './features/agent.ts'
import { Clipboard, type TextClipboard } from './features/clipboard.ts'
import { Connect } from './features/connect.ts'
import { Diagnostics } from './features/diagnostics.ts'
import { mergeHandlers, mergeViews } from './features/feature.ts'
import { LastSignIns } from './features/last-sign-ins.ts'
import { LoginItemFeature } from './features/login-item.ts'
import { Navigation } from './features/navigation.ts'
import { ProxySignIn } from './features/proxy-sign-in.ts'
import { Sessions } from './features/sessions.ts'
import { SettingsProblems } from './features/settings-problems.ts'
import { UpdatesFeature } from './features/updates.ts'
import type { Browser } from './grants.ts'
import { remembered } from './key-value-store.ts'
import { Listeners } from './listeners.ts'
import { logAgent, logProblems, logProxies, logUpdates } from './log/app-events.ts'
import type { OpenLog } from './log/log-file.ts'
import type { Report } from './log/report.ts'
import { failureFields } from './log/session-events.ts'
import type { LoginItem } from './login-item/login-item.ts'
import { type Part, Phases } from './phases.ts'
import type { Places } from './places.ts'
import { withTimeout } from './session/with-timeout.ts'
import type { saveText } from './surfaces/dialogs.ts'
import type { SurfacePorts, Surfaces } from './surfaces/surfaces.ts'
import type { UpdatePlan } from './updates/plan.ts'
import { type Updater, Updates } from './updates/updates.ts'
import { Changes, ViewStore } from './view-store.ts'

export interface AppPorts extends Omit<CorePorts, 'onRoute'>, Pick<Surroundings, 'askTrayHost'> {
  readonly texts: Texts
  readonly log: OpenLog
  readonly report: Report
  /** Electron's version. */
  readonly electron: string | undefined
  readonly places: Places
  /** Only in builds for the crash tests. */
  readonly crashPoints: CrashPoints | undefined
  readonly createSurfaces: (ports: Omit<SurfacePorts, 'tray' | 'locale'>) => Surfaces
  /** True if the window should open at the start. */
  readonly isWindowWanted: () => boolean
  readonly clipboard: TextClipboard
  /** Opens the provider's page in the system's browser. False if no browser could be opened. */
  readonly openBrowser: Browser['open']
  /** `undefined` if the app can't start at login. */
  readonly loginItem: LoginItem | undefined
  /** Calls `wake` when the computer may have slept or the network may have changed; returns the undo. */
  readonly watchWake: (wake: () => void) => () => void
  readonly updates: {
    /** @param feed the administrator's update feed */
    plan(feed: string | undefined): UpdatePlan
    load(): Promise<Updater>
  }
  /** Asks the user for a file and writes a text to it. */
  readonly saveText: typeof saveText
  /** True if Chromium's sandbox is off. */
  readonly isUnsafe: boolean
  /** The user's own id; `undefined` on Windows. */
  readonly uid: number | undefined
}

/**
 * The longest time that background work waits for the sessions. A refresh at login can take 20 s until the network is
 * available. A panel that started in that time would show no icon, because the app would not be watching for it yet.
 */
const BACKGROUND_AT_LATEST_MS = 2_000
/** How long quitting waits for pending replies. */
const STOP_TIMEOUT_MS = 10_000
/** The number of log lines in the diagnostics. */
const LOG_LINES = 300

type Engine = ReturnType<typeof createConnections>

export interface App {
  /** Resolves when everything has been started. */
  start(): Promise<void>
  /** Stops everything without losing a pending reply. */
  stop(): Promise<void>
  /** Opens the window, or brings it to the front. */
  show(): void
  /** True if a call to the keychain would keep this process from ending. */
  isStuck(): boolean
}

export function createApp(ports: AppPorts): App {
  const { log, clock, report } = ports
  const core = createCore({ ...ports, onRoute: logProxies(log) })
  const returns = new Listeners()
  const browser = {
    open: ports.openBrowser,
    onReturn: returns.tell,
    page: { language: ports.texts.language, ...ports.texts.browserPage },
  }
  const engine = createConnections(core, browser, ports.crashPoints)
  const changes = new Changes()
  const features = createFeatures(ports, core, engine, changes.changed)
  const views = new ViewStore(() => mergeViews(features), changes)
  const surfaces = ports.createSurfaces({
    ...ports,
    ...features,
    views,
    changed: changes.changed,
    handlers: mergeHandlers(features),
    onFailure: (call, failure) => log.warn('call.failed', { call, ...failureFields(failure) }),
  })

  const { proxySignIn, sessions, lastSignIns, loginItem, updates, agent, clipboard, settingsProblems } = features
  const wake = wakePart(ports, core, engine)
  const keychain = keychainPart(ports, core, sessions)
  const phases = new Phases(
    [
      {
        name: 'icon',
        parts: { app: appPart(ports, core), ...Object.fromEntries(surfaces.all.map((each) => [each.name, each])) },
      },
      {
        name: 'window',
        parts: {
          firstWindow: { start: () => (ports.isWindowWanted() ? surfaces.window.show() : undefined) },
          browserReturn: { start: () => void returns.subscribe(() => surfaces.window.show()) },
        },
      },
      {
        name: 'sessions',
        parts: { proxySignIn, sessions, lastSignIns, loginItem, wake, policy: core.policy, updates, agent, clipboard },
      },
      {
        name: 'background',
        waitsFor: () => withTimeout(clock, BACKGROUND_AT_LATEST_MS, sessions.restored(), undefined),
        parts: { panel: { start: () => surfaces.tray.watchPanel() }, settings: settingsProblems, keychain },
      },
    ],
    { clock, report, stopTimeoutMs: STOP_TIMEOUT_MS },
  )
  return {
    start: () => phases.start(),
    stop: () => phases.stop(),
    show: () => surfaces.window.show(),
    isStuck: () => core.keychain.isInProcess && engine.keychain.isBusy(),
  }
}

function createFeatures(ports: AppPorts, core: Core, engine: Engine, changed: () => void) {
  const { clock, texts, log, report, places, version } = ports
  const { settings, onPolicyChange } = core
  const { connections } = engine
  const session = (name?: string) => connections.session(name)

  const sessions = new Sessions({
    connections,
    prepared: () => engine.keychain.prepared(),
    settings,
    onPolicyChange,
    changed,
  })
  const lastSignIns = new LastSignIns({ connections, stored: remembered(ports.store, 'lastSignIns') })
  const proxySignIn = new ProxySignIn({
    onRequest: core.onRequest,
    credentials: core.proxyCredentials,
    onSaved: () => connections.wake(),
  })
  const agent = new AgentFeature({
    agent: new Agent({
      location: places.agentEndpoint,
      connections: {
        get names() {
          return connections.names
        },
        source: (name) => new SessionSource(connections, name),
      },
      view: (name) => ({ version, ...connections.viewOf(name) }),
      clock,
      uid: ports.uid,
    }),
    clock,
    setting: settings.app.of('agent'),
    onPolicyChange,
    platform: ports.platform,
    shown: () => connections.shown,
    problem: (state) =>
      state.kind === 'failed' ? texts.agent.trouble({ ...state.problem, most: LONGEST_PATH }) : undefined,
    log: { state: logAgent(log), firstUse: () => log.info('agent.used') },
    changed,
  })
  const clipboard = new Clipboard({ clipboard: ports.clipboard, clock, session, changed })
  const loginItem = new LoginItemFeature({
    item: ports.loginItem,
    setting: settings.app.of('startAtLogin'),
    onPolicyChange,
    asked: remembered(ports.store, 'askedStartAtLogin'),
    report,
    changed,
  })
  const updates = new UpdatesFeature({
    version,
    updates: new Updates({
      plan: () => ports.updates.plan(settings.app.of('updateFeed').value),
      load: ports.updates.load,
      clock,
      isBusy: () => connections.isBusy,
      onChange: changed,
      note: logUpdates(log),
    }),
  })
  const settingsProblems = new SettingsProblems({
    settings: core.settingsProblems,
    network: core.networkProblems,
    onPolicyChange,
    losesClientSecret: () => engine.keychain.losesClientSecret(),
    isUnsafe: ports.isUnsafe,
    texts,
    log: logProblems(log),
    changed,
  })
  const surroundings = (): Surroundings => ({
    places,
    logProblem: log.problem,
    problems: settingsProblems.problems,
    isSandboxed: !ports.isUnsafe,
    askTrayHost: ports.askTrayHost,
  })
  const diagnostics = new Diagnostics({
    check: async () => {
      const { checkComputer } = await import('./check-computer.ts')
      return checkComputer(core, surroundings(), texts)
    },
    save: (onSaved) =>
      ports.saveText(
        async () => {
          const { writeDiagnostics } = await import('./check-computer.ts')
          return writeDiagnostics(core, surroundings(), await log.tail(LOG_LINES))
        },
        { ...texts.desktop.diagnostics, onSaved },
      ),
    changed,
  })
  const navigation = new Navigation({ changed })
  const connect = new Connect({ connections, isFirst: () => settings.isFirst, reach: engine.probe })
  return {
    sessions,
    lastSignIns,
    connect,
    proxySignIn,
    agent,
    clipboard,
    loginItem,
    updates,
    settingsProblems,
    diagnostics,
    navigation,
  }
}

/** Writes the first and last line of the log; ends after all other parts. */
function appPart({ log, platform, version, electron }: AppPorts, { keychain }: Core): Part {
  return {
    start: () => log.info('app.started', { version, electron, platform }),
    stop: () => {
      keychain.stop()
      log.info('app.stopped')
    },
  }
}

/** On wake, checks at once everything that depends on time or the network. */
function wakePart({ watchWake, log, clock }: AppPorts, { policy }: Core, { connections }: Engine): Part {
  let undo = (): void => {}
  return {
    start: () => {
      undo = watchWake(() => {
        log.info('app.woke')
        clock.check()
        policy.check()
        // A request that slept through its deadline must end first, so that it is retried immediately.
        setImmediate(() => connections.wake())
      })
    },
    stop: () => undo(),
  }
}

/** Logs the keychain's state, once its entries have been read. */
function keychainPart({ log }: AppPorts, { openedKeychain }: Core, sessions: Pick<Sessions, 'opened'>): Part {
  let probing: Promise<void> = Promise.resolve()
  return {
    start: () => {
      probing = sessions
        .opened()
        .then(openedKeychain)
        .then(({ probe }) => probe())
        .then((probe) => log.info('keychain.probed', probe))
      return probing
    },
    // A native call that answers while the process ends would abort it.
    stop: () => probing.catch(() => {}),
  }
}

/** Builds the features from the core and the session engine. */
import type { Texts } from '../../text/index.ts'
import { Agent } from '../agent/agent.ts'
import { LONGEST_PATH } from '../agent/location.ts'
import { type KeyValueStore, remembered } from '../base/key-value-store.ts'
import { AgentFeature } from '../features/agent.ts'
import { Clipboard, type TextClipboard } from '../features/clipboard.ts'
import { Connect } from '../features/connect.ts'
import { Diagnostics } from '../features/diagnostics.ts'
import { LastSignIns } from '../features/last-sign-ins.ts'
import { type LoginItem, LoginItemFeature } from '../features/login-item.ts'
import { Navigation } from '../features/navigation.ts'
import { ProxySignIn } from '../features/proxy-sign-in.ts'
import { Sessions } from '../features/sessions.ts'
import { SettingsProblems } from '../features/settings-problems.ts'
import { Switches } from '../features/switches.ts'
import { UpdatesFeature } from '../features/updates.ts'
import { logAgent, logProblems, logUpdates } from '../log/app-events.ts'
import type { OpenLog } from '../log/log-file.ts'
import type { Report } from '../log/report.ts'
import type { saveText } from '../surfaces/dialogs.ts'
import type { UpdatePlan } from '../updates/plan.ts'
import { type Updater, Updates } from '../updates/updates.ts'
import type { Surroundings } from './check-computer.ts'
import type { Engine } from './connections.ts'
import type { Core } from './core.ts'
import type { Paths } from './paths.ts'
import { SessionSource } from './session-source.ts'

export interface FeaturesPorts extends Pick<Surroundings, 'askTrayHost'> {
  readonly texts: Texts
  readonly log: OpenLog
  readonly report: Report
  readonly paths: Paths
  /** The user's settings file. */
  readonly store: KeyValueStore
  readonly clipboard: TextClipboard
  /** `undefined` if the app can't start at login. */
  readonly loginItem: LoginItem | undefined
  readonly updates: {
    /** @param feed the administrator's update feed */
    plan(feed: string | undefined): UpdatePlan
    load(): Promise<Updater>
  }
  /** Asks the user for a file and writes a text to it. */
  readonly saveText: typeof saveText
  /** Shows a file in the system's file manager. */
  readonly showInFolder: (file: string) => void
  /** True if Chromium's sandbox is off. */
  readonly isUnsafe: boolean
  /** The user's own id; `undefined` on Windows. */
  readonly uid: number | undefined
}

/** The number of log lines in the diagnostics. */
const LOG_LINES = 300

export function createFeatures(ports: FeaturesPorts, core: Core, engine: Engine, changed: () => void) {
  const { texts, log, report, paths } = ports
  const { clock, version, platform, settings, onPolicyChange } = core
  const { connections } = engine
  const session = (name?: string) => connections.session(name)

  const sessions = new Sessions({
    connections,
    keychain: engine.keychain,
    settings,
    probe: engine.probe,
    onPolicyChange,
    changed,
  })
  const lastSignIns = new LastSignIns({ connections, stored: remembered(ports.store, 'lastSignIns'), changed })
  const proxySignIn = new ProxySignIn({
    onRequest: core.onRequest,
    credentials: core.proxyCredentials,
    onSaved: () => connections.wake(),
  })
  const agent = new AgentFeature({
    agent: new Agent({
      location: paths.agentEndpoint,
      connections: {
        get names() {
          return connections.names
        },
        source: (name) => new SessionSource(connections, name),
      },
      view: (name) => ({ version, ...connections.viewOf(name) }),
      clock,
      onCheck: (listener) => clock.onCheck(listener),
      uid: ports.uid,
    }),
    clock,
    setting: settings.app.of('agent'),
    onPolicyChange,
    platform,
    shown: () => connections.shown,
    problem: (state) =>
      state.kind === 'failed' ? texts.agent.error({ ...state.problem, most: LONGEST_PATH }) : undefined,
    log: {
      state: logAgent(log),
      firstUse: () => log.info('agent.used'),
      restored: () => log.warn('agent.restored'),
    },
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
  const switches = new Switches({
    settings: settings.app,
    desktop: { startAtLogin: loginItem.place },
    apply: { agent: () => agent.apply() },
    report,
    changed,
  })
  const updates = new UpdatesFeature({
    version,
    updates: new Updates({
      plan: () => ports.updates.plan(settings.app.of('updateFeed').value),
      load: ports.updates.load,
      clock,
      isBusy: () => sessions.isBusy,
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
    paths,
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
    showInFolder: ports.showInFolder,
    changed,
  })
  const navigation = new Navigation({ changed })
  const connect = new Connect({
    hasService: () => connections.viewOf(connections.shown).connection !== undefined,
    settings: sessions.handlers,
    isFirst: () => settings.isFirst,
    reach: engine.probe,
  })
  return {
    sessions,
    lastSignIns,
    connect,
    proxySignIn,
    agent,
    clipboard,
    loginItem,
    switches,
    updates,
    settingsProblems,
    diagnostics,
    navigation,
  }
}

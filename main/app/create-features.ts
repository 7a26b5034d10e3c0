import type { Handlers } from '../../contract/calls.ts'
import { mayCopyToken } from '../../contract/settings.ts'
import type { AppView } from '../../contract/views.ts'
import type { Texts } from '../../text/index.ts'
import { Agent, type GatewayUse } from '../agent/agent.ts'
import { LONGEST_PATH } from '../agent/location.ts'
import { throughGateway } from '../agent/tools.ts'
import { type KeyValueStore, remembered } from '../base/key-value-store.ts'
import { Listeners } from '../base/listeners.ts'
import { AgentFeature } from '../features/agent.ts'
import { Clipboard, type TextClipboard } from '../features/clipboard.ts'
import { Connect } from '../features/connect.ts'
import { Diagnostics } from '../features/diagnostics.ts'
import { Gateways } from '../features/gateways.ts'
import { LastSignIns } from '../features/last-sign-ins.ts'
import { type LoginItem, LoginItemFeature } from '../features/login-item.ts'
import { Navigation } from '../features/navigation.ts'
import { ProxySignIn } from '../features/proxy-sign-in.ts'
import { Sessions } from '../features/sessions.ts'
import { SettingsProblems } from '../features/settings-problems.ts'
import { Switches } from '../features/switches.ts'
import { Gateway } from '../gateway/gateway.ts'
import { logAgent, logProblems, logUpdates } from '../log/events.ts'
import type { Report } from '../log/log.ts'
import type { OpenLog } from '../log/log-file.ts'
import { Bridges } from '../mcp/bridges.ts'
import { createKeepAliveAgents } from '../network/keep-alive-agents.ts'
import type { ConnectionManager } from '../session/connection-manager.ts'
import type { saveText } from '../surfaces/dialogs.ts'
import type { UpdatePlan } from '../updates/plan.ts'
import { type Updater, Updates } from '../updates/updates.ts'
import type { CheckPorts } from './check-computer.ts'
import type { Connections } from './connections.ts'
import type { Core } from './core.ts'
import type { Paths } from './host-system.ts'
import { type Part, whileRunning } from './phases.ts'
import { agentConnections, SessionSource } from './session-source.ts'

export interface FeaturesPorts extends Pick<CheckPorts, 'askTrayHost'> {
  readonly texts: Texts
  readonly log: OpenLog
  readonly report: Report
  readonly paths: Paths
  readonly store: KeyValueStore
  readonly systemClipboard: TextClipboard
  readonly systemLoginItem: LoginItem | undefined
  readonly updater: {
    plan(feed: string | undefined): UpdatePlan
    load(): Promise<Updater>
  }
  readonly saveText: typeof saveText
  readonly showInFolder: (file: string) => void
  readonly isSandboxed: boolean
  /** The user's id; `undefined` on Windows. */
  readonly uid: number | undefined
  /** The command that runs `latchkey` in a checkout; `undefined` in a packaged app. */
  readonly command?: string | undefined
}

export function createFeatures(ports: FeaturesPorts, core: Core, opened: Connections, changed: () => void) {
  const { report } = ports
  const { clock, settings, onPolicyChange } = core
  const { connections } = opened
  const session = (name?: string) => connections.session(name)

  const sessions = new Sessions({
    connections,
    keychain: core.keychain,
    clientSecrets: opened.clientSecrets,
    settings,
    probe: opened.addressProbe.try,
    onPolicyChange,
    changed,
  })
  const lastSignIns = new LastSignIns({ connections, stored: remembered(ports.store, 'lastSignIns'), changed })
  const proxySignIn = new ProxySignIn({
    onRequest: core.onRequest,
    credentials: core.proxyCredentials,
    onSaved: () => connections.wake(),
  })
  const tools = settings.app.of('agent')
  const isForbidden = () => !mayCopyToken({ enabled: tools.value, source: tools.source })
  const clipboard = new Clipboard({ clipboard: ports.systemClipboard, clock, session, isForbidden, changed })
  const gatewayUses = new Listeners<GatewayUse>()
  const gateways = gatewaysFeature(core, connections, clipboard, gatewayUses.tell, changed)
  const bridges = mcpBridges(core, connections)
  const toolAccess = { gateways, bridges, onGatewayUse: gatewayUses.subscribe }
  const agent = agentFeature(ports, core, connections, toolAccess, changed)
  const loginItem = new LoginItemFeature({
    item: ports.systemLoginItem,
    setting: settings.app.of('startAtLogin'),
    onPolicyChange,
    asked: remembered(ports.store, 'askedStartAtLogin'),
    report,
    changed,
  })
  const switches = new Switches({
    settings: settings.app,
    desktop: { startAtLogin: loginItem.stored },
    apply: { agent: () => agent.apply() },
    report,
    changed,
  })
  const updates = createUpdates(ports, core, () => sessions.isBusy, changed)
  const settingsProblems = settingsProblemsFeature(ports, core, changed)
  const diagnostics = diagnosticsFeature(ports, core, opened, settingsProblems, changed)
  const navigation = new Navigation(changed)
  const connect = new Connect({
    hasService: () => connections.viewOf(connections.shown).connection !== undefined,
    settings: sessions.handlers,
    isFirst: () => settings.isFirst,
    reach: opened.addressProbe.try,
  })
  return {
    parts: {
      proxySignIn,
      sessions,
      lastSignIns,
      mcp: bridgesPart(bridges, onPolicyChange),
      agent,
      gateways,
      clipboard,
      loginItem,
      updates,
      settingsProblems,
    },
    switches,
    diagnostics,
    navigation,
    handlers: new Records(sessions.handlers)
      .and(connect.handlers)
      .and(proxySignIn.handlers)
      .and(clipboard.handlers)
      .and(gateways.handlers)
      .and(switches.handlers)
      .and(updates.handlers)
      .and(diagnostics.handlers).all satisfies Handlers,
    view: (): AppView =>
      new Records(sessions.view())
        .and(lastSignIns.view())
        .and(agent.view())
        .and(gateways.view())
        .and(loginItem.view())
        .and(switches.view())
        .and(updates.view())
        .and(settingsProblems.view())
        .and(diagnostics.view())
        .and(navigation.view()).all,
  }
}

function settingsProblemsFeature(
  { texts, log, isSandboxed }: FeaturesPorts,
  core: Core,
  changed: () => void,
): SettingsProblems {
  return new SettingsProblems({
    settings: core.settingsProblems,
    network: core.networkProblems,
    onPolicyChange: core.onPolicyChange,
    losesClientSecret: () => core.settings.losesClientSecret(core.keychain.store()),
    isSandboxed,
    texts,
    log: logProblems(log),
    changed,
  })
}

function createUpdates(
  { updater, log }: FeaturesPorts,
  { clock, version, settings }: Core,
  isBusy: () => boolean,
  changed: () => void,
): Updates {
  const plan = () => updater.plan(settings.app.of('updateFeed').value)
  return new Updates({ version, plan, load: updater.load, clock, isBusy, onChange: changed, note: logUpdates(log) })
}

function mcpBridges({ clock, settings, open }: Core, connections: ConnectionManager): Bridges {
  return new Bridges({
    http: { open },
    clock,
    isAllowed: () => settings.app.of('mcp').value,
    addresses: (name) => {
      const { connection } = connections.viewOf(name)
      const listed = settings.app.of('mcpServers').value
      return connection && { data: connection.dataAddress ?? connection.baseAddress, listed }
    },
    source: (name) => new SessionSource(connections, name),
  })
}

function bridgesPart(bridges: Bridges, onPolicyChange: Core['onPolicyChange']): Part {
  const watching = whileRunning(() => onPolicyChange(() => bridges.apply()))
  return {
    ...watching,
    stop: async () => {
      await watching.stop?.()
      await bridges.stop()
    },
  }
}

interface ToolAccess {
  readonly gateways: Gateways
  readonly bridges: Bridges
  readonly onGatewayUse: Listeners<GatewayUse>['subscribe']
}

function agentFeature(
  { texts, log, paths, uid, command }: FeaturesPorts,
  { clock, version, platform, settings, onPolicyChange }: Core,
  connections: ConnectionManager,
  { gateways, bridges, onGatewayUse }: ToolAccess,
  changed: () => void,
): AgentFeature {
  return new AgentFeature({
    agent: new Agent({
      location: paths.agentEndpoint,
      connections: agentConnections(connections, clock),
      view: (name) => ({ version, ...connections.viewOf(name) }),
      clock,
      onCheck: (listener) => clock.onCheck(listener),
      gateway: { view: (name) => gateways.viewOf(name), newPassword: (name) => gateways.newPassword(name) },
      onGatewayUse,
      bridges,
      uid,
    }),
    clock,
    setting: settings.app.of('agent'),
    announcesAsking: settings.app.of('askToSignIn'),
    onPolicyChange,
    platform,
    command,
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
}

function gatewaysFeature(
  { clock, settings, network, gatewayRecords: records, onPolicyChange }: Core,
  connections: ConnectionManager,
  clipboard: Clipboard,
  onUse: (use: GatewayUse) => void,
  changed: () => void,
): Gateways {
  return new Gateways({
    connections,
    settings,
    records,
    make: (name) =>
      new Gateway({
        source: new SessionSource(connections, name),
        clock,
        onCheck: (listener) => clock.onCheck(listener),
        passwordHash: () => {
          const address = settings.of(name).connection?.baseAddress
          return address === undefined ? undefined : records.of(address).passwordHash
        },
        agents: (url) => createKeepAliveAgents(url, { clock, http: network.http }),
        onChange: changed,
        onAsked: (userAgent, result) => onUse({ connection: name, tool: throughGateway(userAgent), result }),
      }),
    isSignedIn: (name) => new SessionSource(connections, name).tokenState.kind === 'signedIn',
    onPolicyChange,
    copy: (secret, stayMs) => clipboard.copy(secret, stayMs),
    changed,
  })
}

function diagnosticsFeature(
  ports: FeaturesPorts,
  core: Core,
  { connections, addressProbe }: Connections,
  settingsProblems: SettingsProblems,
  changed: () => void,
): Diagnostics {
  const { texts, log } = ports
  const checkPorts = (): CheckPorts => ({
    paths: ports.paths,
    logProblem: log.problem,
    problems: settingsProblems.problems,
    isSandboxed: ports.isSandboxed,
    askTrayHost: ports.askTrayHost,
    unreached: addressProbe.failed,
  })
  return new Diagnostics({
    check: async (onBegin) => {
      const { checkComputer } = await import('./check-computer.ts')
      return checkComputer(core, checkPorts(), texts, onBegin)
    },
    forgetTried: addressProbe.forget,
    save: (onSaved) =>
      ports.saveText(
        async () => {
          const { LOG_LINES, writeDiagnostics } = await import('./check-computer.ts')
          const { sessionInWords } = await import('../diagnostics/report.ts')
          const sessions = connections.names.map((name) => sessionInWords(name, connections.viewOf(name).session))
          return writeDiagnostics(core, checkPorts(), { sessions, log: await log.tail(LOG_LINES) })
        },
        { ...texts.desktop.diagnostics, onSaved },
      ),
    showInFolder: ports.showInFolder,
    changed,
  })
}

/** Merges objects. The code doesn't compile if two of them have a key in common. */
class Records<All extends object> {
  readonly all: All

  constructor(all: All) {
    this.all = all
  }

  and<More extends object>(more: More & { readonly [K in keyof All]?: never }): Records<All & More> {
    return new Records<All & More>({ ...this.all, ...more })
  }
}

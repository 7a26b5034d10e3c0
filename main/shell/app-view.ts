import type { AppView } from '../../contract/views.ts'

type Connected = Pick<AppView, 'connections' | 'mayAddConnections' | 'shown' | 'connection' | 'session'>

/** Whoever shows a part of itself. */
interface Shown<T> {
  readonly view: T
}

interface AppViewParts {
  readonly version: string
  readonly connections: Shown<Connected>
  /** Of a connection, by its name. */
  readonly settings: { of(name: string): Shown<AppView['settings']> }
  readonly agent: { viewOf(connection: string): AppView['agent'] }
  readonly startAtLogin: Shown<AppView['startAtLogin']>
  readonly openings: Shown<AppView['opening']>
  readonly checkUp: Shown<AppView['checkUp']>
  readonly updates: Shown<AppView['update']>
  readonly savedDiagnostics: () => string | undefined
  readonly notices: () => readonly string[]
}

/** All that the window shows, as it is now. */
export function appView(parts: AppViewParts): AppView {
  const startAtLogin = parts.startAtLogin.view
  const opening = parts.openings.view
  const checkUp = parts.checkUp.view
  const update = parts.updates.view
  const savedDiagnostics = parts.savedDiagnostics()
  const connected = parts.connections.view
  return {
    version: parts.version,
    ...connected,
    settings: parts.settings.of(connected.shown).view,
    agent: parts.agent.viewOf(connected.shown),
    ...(startAtLogin === undefined ? {} : { startAtLogin }),
    ...(opening === undefined ? {} : { opening }),
    ...(checkUp === undefined ? {} : { checkUp }),
    ...(update === undefined ? {} : { update }),
    ...(savedDiagnostics === undefined ? {} : { savedDiagnostics }),
    notices: parts.notices(),
  }
}

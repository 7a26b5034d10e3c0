import type { AppView } from '../../preload/contract.ts'

/** Whoever shows a part of itself. */
interface Shown<T> {
  readonly view: T
}

interface AppViewParts {
  readonly version: string
  readonly connections: Shown<Pick<AppView, 'connection' | 'session'>>
  readonly settings: Shown<AppView['settings']>
  readonly agent: Shown<AppView['agent']>
  readonly startAtLogin: Shown<AppView['startAtLogin']>
  readonly openings: Shown<AppView['opening']>
  readonly checkUp: Shown<AppView['checkUp']>
  readonly notices: () => readonly string[]
}

/** All that the window shows, as it is now. */
export function appView(parts: AppViewParts): AppView {
  const startAtLogin = parts.startAtLogin.view
  const opening = parts.openings.view
  const checkUp = parts.checkUp.view
  return {
    version: parts.version,
    ...parts.connections.view,
    settings: parts.settings.view,
    agent: parts.agent.view,
    ...(startAtLogin === undefined ? {} : { startAtLogin }),
    ...(opening === undefined ? {} : { opening }),
    ...(checkUp === undefined ? {} : { checkUp }),
    notices: parts.notices(),
  }
}

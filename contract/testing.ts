import { GRANTS } from './grants.ts'
import {
  type DesktopSwitch,
  SETTING_FIELDS,
  SETTINGS,
  type SettingsView,
  USER_SWITCHES,
  type UserSwitch,
} from './settings.ts'
import type { AppView, ConnectionView, SessionView, SwitchesView, SwitchView } from './views.ts'

type Given = { readonly [N in UserSwitch]?: SwitchView | (N extends DesktopSwitch ? undefined : never) }

/** All switches. A switch that isn't given has its default; if it has no default, it is off. */
export function switchesOf(given: Given = {}): SwitchesView {
  const views = USER_SWITCHES.flatMap((name) => {
    const view = name in given ? given[name] : { enabled: SETTINGS[name].default ?? false }
    return view === undefined ? [] : [[name, view] as const]
  })
  return Object.fromEntries(views) as SwitchesView
}

export const connection: ConnectionView = {
  baseAddress: 'https://data.example.com',
  host: 'data.example.com',
  source: 'user',
  grants: [GRANTS.password],
}

export const settings: SettingsView = {
  ...(Object.fromEntries(SETTING_FIELDS.map((field) => [field, {}])) as SettingsView),
  baseAddress: { value: 'https://data.example.com', source: 'user' },
}

const MINUTE = 60_000

/** A session in each state at this time. Its access token is good for another 41 minutes. */
export function sessionsAt(now: number) {
  const account = { username: 'ana', displayName: 'ana', grant: GRANTS.password } as const
  const token = { receivedAt: now - 19 * MINUTE, expiresAt: now + 41 * MINUTE, refreshesAt: now + 30 * MINUTE }
  const common = { account, token, refresh: 'idle', kept: 'keychain' } as const
  const ended = { code: 'sessionEnded', serverText: 'this token was used before' } as const
  return {
    notConfigured: { kind: 'notConfigured' },
    restoring: { kind: 'restoring' },
    sessionUnread: { kind: 'sessionUnread', why: 'locked' },
    unknownVersion: { kind: 'unknownVersion' },
    signedOut: { kind: 'signedOut', revocation: 'none' },
    signingIn: { kind: 'signingIn' },
    active: { kind: 'active', ...common },
    unreachable: { kind: 'unreachable', ...common, failure: { code: 'unreachable' }, retryAt: now + 12_000 },
    ending: { kind: 'ending', ...common, failure: ended },
    expired: { kind: 'expired', account, refresh: 'idle', failure: ended },
  } as const satisfies { readonly [K in SessionView['kind']]: Extract<SessionView, { kind: K }> }
}

export function viewOf(session: SessionView, over: Partial<AppView> = {}): AppView {
  const isSetUp = session.kind !== 'notConfigured'
  const shown = isSetUp ? { connection: over.connection ?? connection } : {}
  return {
    version: '0.1.0',
    notices: [],
    connections: [{ name: 'default', isOwn: false, session, ...shown }],
    mayAddConnections: true,
    shown: 'default',
    session,
    settings: isSetUp ? settings : { ...settings, baseAddress: {} },
    agent: { uses: [] },
    needs: [],
    gateway: { kind: 'off' },
    switches: switchesOf(),
    offersStartAtLogin: false,
    ...shown,
    ...over,
  }
}

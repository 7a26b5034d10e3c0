import type { AppView, SessionView, TokenView } from '../../preload/contract.ts'
import type { Texts } from '../../text/index.ts'
import { isRenewing, trayLine } from '../../text/state.ts'

export type TrayIcon = 'signedIn' | 'renewing' | 'unreachable' | 'needsYou' | 'signedOut'

/** What a menu entry does; the shell knows how. */
export type TrayAction = 'show' | 'renewNow' | 'copyToken' | 'signOut' | 'startAtLogin' | 'settings' | 'quit'

export type TrayEntry =
  | { readonly type: 'line'; readonly label: string }
  | { readonly type: 'separator' }
  | { readonly type: 'action'; readonly label: string; readonly action: TrayAction; readonly enabled: boolean }
  | { readonly type: 'checkbox'; readonly label: string; readonly action: TrayAction; readonly checked: boolean }

export interface TrayModel {
  readonly icon: TrayIcon
  readonly tooltip: string
  readonly menu: readonly TrayEntry[]
  /** Milliseconds until the menu tells another time that is left; absent where it tells none. */
  readonly staleIn?: number
}

export interface TrayContext {
  /** The desktop's wall clock: milliseconds since the epoch. */
  readonly now: number
  readonly canCopyToken: boolean
  /** Absent where the app can't start at login. */
  readonly startsAtLogin?: boolean | undefined
}

const MINUTE = 60_000
const SEPARATOR: TrayEntry = { type: 'separator' }

/** All that the tray shows, from what the window is shown. */
export function trayModel(
  view: Pick<AppView, 'connection' | 'session'>,
  texts: Texts,
  { now, canCopyToken, startsAtLogin }: TrayContext,
): TrayModel {
  const { session, connection } = view
  const line = trayLine(texts, view)
  const signedIn = 'account' in session
  const token = tokenLeft(session, now)
  const action = (name: TrayAction, label: string, enabled = true): TrayEntry => ({
    type: 'action',
    action: name,
    label,
    enabled,
  })
  const account = signedIn ? texts.shell.account(session.account.displayName, connection?.host) : undefined
  const lines = [
    line,
    // The first line may have said it.
    ...(account === undefined || line.includes(account) ? [] : [account]),
    ...(token === undefined ? [] : [texts.tray.timeLeft(token.expiresAt - now)]),
  ]
  return {
    icon: iconOf(session),
    tooltip: texts.tray.tooltip(line),
    menu: [
      ...lines.map((label): TrayEntry => ({ type: 'line', label })),
      SEPARATOR,
      action('show', texts.tray.show),
      // Greyed while it runs: a menu that changes its length under the pointer is clicked wrong.
      ...(signedIn ? [action('renewNow', texts.tray.renewNow, !isRenewing(session))] : []),
      ...(canCopyToken && token !== undefined ? [action('copyToken', texts.shell.copyToken)] : []),
      ...(signedIn ? [SEPARATOR, action('signOut', texts.tray.signOut)] : []),
      SEPARATOR,
      ...(startsAtLogin === undefined
        ? []
        : [
            {
              type: 'checkbox',
              action: 'startAtLogin',
              label: texts.shell.startAtLogin,
              checked: startsAtLogin,
            } as const,
          ]),
      action('settings', texts.shell.settings),
      action('quit', texts.tray.quit),
    ],
    // Time left is rounded down to minutes: it is another just after each of them.
    ...(token !== undefined && { staleIn: ((token.expiresAt - now) % MINUTE) + 1 }),
  }
}

/** The access token, where one is held that still serves. */
function tokenLeft(session: SessionView, now: number): TokenView | undefined {
  const token = 'token' in session ? session.token : undefined
  return token !== undefined && token.expiresAt > now ? token : undefined
}

function iconOf(session: SessionView): TrayIcon {
  switch (session.kind) {
    case 'active':
      if (session.kept === 'unwritten') return 'needsYou'
      return isRenewing(session) ? 'renewing' : 'signedIn'
    case 'unreachable':
      return 'unreachable'
    case 'ending':
    case 'expired':
    case 'keychainLocked':
      return 'needsYou'
    case 'restoring':
    case 'signingIn':
      return 'renewing'
    case 'notConfigured':
    case 'signedOut':
      return 'signedOut'
  }
}

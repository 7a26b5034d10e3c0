import type { AppView, SessionView } from '../../preload/contract.ts'
import type { Texts } from '../../text/index.ts'
import { isRenewing, trayLine } from '../../text/state.ts'

export type TrayIcon = 'signedIn' | 'renewing' | 'unreachable' | 'needsYou' | 'signedOut'

/** What a menu entry does; the shell knows how. */
export type TrayAction = 'show' | 'renewNow' | 'signOut' | 'quit'

export type TrayEntry =
  | { readonly type: 'line'; readonly label: string }
  | { readonly type: 'separator' }
  | { readonly type: 'action'; readonly label: string; readonly action: TrayAction }

export interface TrayModel {
  readonly icon: TrayIcon
  readonly tooltip: string
  readonly menu: readonly TrayEntry[]
}

const SEPARATOR: TrayEntry = { type: 'separator' }

/** All that the tray shows, from what the window is shown. */
export function trayModel(view: Pick<AppView, 'connection' | 'session'>, texts: Texts): TrayModel {
  const { session } = view
  const line = trayLine(texts, view)
  const action = (name: TrayAction, label: string): TrayEntry => ({ type: 'action', action: name, label })
  const signedIn = 'account' in session
  const sessionActions = [
    ...(canRenew(session) ? [action('renewNow', texts.tray.renewNow)] : []),
    ...(signedIn ? [action('signOut', texts.tray.signOut)] : []),
  ]
  return {
    icon: iconOf(session),
    tooltip: texts.tray.tooltip(line),
    menu: [
      { type: 'line', label: line },
      SEPARATOR,
      action('show', signedIn ? texts.tray.show : texts.tray.signIn),
      ...sessionActions,
      SEPARATOR,
      action('quit', texts.tray.quit),
    ],
  }
}

function canRenew(session: SessionView): boolean {
  return 'renewal' in session && session.renewal === 'idle'
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

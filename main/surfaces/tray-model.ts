import { isOver } from '../../contract/session-end.ts'
import { isLocked } from '../../contract/settings.ts'
import type {
  AppView,
  ConnectionSessionView,
  SessionView,
  SignInNeed,
  SwitchesView,
  TokenView,
} from '../../contract/views.ts'
import type { Texts } from '../../text/index.ts'
import { isRefreshing, isUnsaved, needLine, needOf, trayLine } from '../../text/state.ts'

export type TrayIcon = 'signedIn' | 'refreshing' | 'unreachable' | 'attention' | 'signedOut'

export const FIRST_ICON: TrayIcon = 'refreshing'

export type TrayAction =
  | 'show'
  | 'signIn'
  | 'refreshNow'
  | 'copyToken'
  | 'signOut'
  | 'startAtLogin'
  | 'settings'
  | 'help'
  | 'quit'

/** An item of the menu, as Electron takes it, except for what a click does. A line of text is disabled. */
export interface TrayEntry {
  readonly type?: 'separator' | 'checkbox'
  readonly label?: string
  readonly enabled?: boolean
  readonly checked?: boolean
  readonly action?: TrayAction
  /** The connection that the action is about. Absent if the action is about the app. */
  readonly connection?: string
  readonly submenu?: readonly TrayEntry[]
}

export interface TrayModel {
  readonly icon: TrayIcon
  readonly tooltip: string
  readonly menu: readonly TrayEntry[]
  /** How many milliseconds pass until the remaining time in the menu changes. Absent if the menu shows no time. */
  readonly staleIn?: number
}

export interface TrayContext {
  /** The time by the wall clock, in milliseconds since the epoch. */
  readonly now: number
  readonly canCopyToken: (name: string) => boolean
  readonly isTokenCopied: (name: string) => boolean
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Each update wakes the computer, so long remaining times are shown in coarser steps. */
const STEPS = [
  { above: DAY_MS, length: 60 * MINUTE_MS },
  { above: 10 * MINUTE_MS, length: 5 * MINUTE_MS },
]
const SEPARATOR: TrayEntry = { type: 'separator' }

type Connection = ConnectionSessionView & { readonly need: SignInNeed | undefined }

const URGENCY: readonly TrayIcon[] = ['attention', 'unreachable', 'refreshing', 'signedIn', 'signedOut']

export function trayModel(
  view: Pick<AppView, 'connections' | 'needs'> & { readonly switches: Pick<SwitchesView, 'startAtLogin'> },
  texts: Texts,
  context: TrayContext,
): TrayModel {
  const connections = view.connections.map((each): Connection => ({ ...each, need: needOf(view, each) }))
  const { startAtLogin } = view.switches
  const { now } = context
  const icons = connections.map(({ session, need }) => (need === undefined ? iconOf(session) : 'attention'))
  const tokens = connections.flatMap(({ session }) => lastToken(session, now) ?? [])
  const one = connections.length === 1 ? connections[0] : undefined
  const isCopied = connections.some(({ name }) => context.isTokenCopied(name))
  const lines = connections.map((each) => lineOf(each, texts, one !== undefined))
  const show = { action: 'show', label: texts.tray.show } as const
  return {
    icon: URGENCY.find((icon) => icons.includes(icon)) ?? 'signedOut',
    // After a click on Copy in the menu, the pointer is still on the icon, so the tooltip confirms the copy.
    tooltip: withoutMarkup(texts.tray.tooltip([...lines, ...(isCopied ? [texts.session.copied] : [])].join('\n'))),
    menu: [
      ...(one === undefined ? submenus(connections, texts, context, show) : connectionMenu(one, texts, context, show)),
      SEPARATOR,
      ...(startAtLogin === undefined
        ? []
        : [
            {
              type: 'checkbox',
              action: 'startAtLogin',
              label: texts.desktop.startAtLogin,
              checked: startAtLogin.enabled,
              enabled: !isLocked('startAtLogin', startAtLogin.source),
            } as const,
          ]),
      { action: 'settings', label: texts.desktop.settings },
      { action: 'help', label: texts.tray.help },
      { action: 'quit', label: texts.tray.quit },
    ],
    ...(tokens.length > 0 && {
      staleIn: Math.min(...tokens.map(({ expiresAt }) => timeLeft(expiresAt - now, texts).lasts)),
    }),
  }
}

function lineOf(view: Connection, texts: Texts, isOnly: boolean): string {
  const line = [trayLine(texts, view), ...(view.need ? [needLine(texts, view.need)] : [])].join('. ')
  const called = view.connection?.host ?? view.name
  return isOnly || line.includes(called) ? line : `${called}: ${line}`
}

/** Doubles ampersands. SECURITY: a menu hides a single ampersand, so one host or name could look like another. */
const literal = (line: string): string => line.replaceAll('&', '&&')

/**
 * Removes markup. SECURITY: Plasma shows a tooltip as HTML, with pictures from the network, if its first line looks
 * like HTML (Qt: mightBeRichText). So markup in a name could hide or imitate other text, or contact a server.
 */
const withoutMarkup = (tooltip: string): string => tooltip.replaceAll('<', '‹').replaceAll('&lt;', '＆lt;')

function submenus(
  connections: readonly Connection[],
  texts: Texts,
  context: TrayContext,
  show: TrayEntry,
): readonly TrayEntry[] {
  const each = connections.map((view): TrayEntry => {
    const label = literal(lineOf(view, texts, false))
    return { label, submenu: connectionMenu(view, texts, context, { ...show, connection: view.name }) }
  })
  return [...each, SEPARATOR, show]
}

function connectionMenu(
  { name, session, connection, need }: Connection,
  texts: Texts,
  { now, canCopyToken }: TrayContext,
  show: TrayEntry,
): readonly TrayEntry[] {
  const line = trayLine(texts, { session, ...(connection === undefined ? {} : { connection }) })
  const signedIn = 'account' in session
  const last = lastToken(session, now)
  const isOpen = signedIn && session.kind !== 'expired'
  const action = (action: TrayAction, label: string, enabled = true): TrayEntry => {
    return { action, label, enabled, connection: name }
  }
  const account = signedIn ? texts.desktop.account(session.account.displayName, connection?.host) : undefined
  const lines = [
    line,
    ...(need === undefined ? [] : [needLine(texts, need)]),
    ...(account === undefined || line.includes(account) ? [] : [account]),
    ...(last === undefined ? [] : [timeLeft(last.expiresAt - now, texts).label]),
  ]
  return [
    ...lines.map((line): TrayEntry => ({ label: literal(line), enabled: false })),
    SEPARATOR,
    needsSignIn(session) ? action('signIn', texts.tray.signIn) : show,
    // The item is disabled and not removed: in a shorter menu, the pointer would be on another item.
    ...(isOpen ? [action('refreshNow', texts.tray.refreshNow, !isRefreshing(session))] : []),
    ...(canCopyToken(name) && tokenOf(session, now) !== undefined
      ? [action('copyToken', texts.desktop.copyToken)]
      : []),
    ...(session.kind === 'unreachable' && tokenOf(session, now) === undefined
      ? [action('signIn', texts.tray.signIn)]
      : []),
    ...(isOpen ? [SEPARATOR, action('signOut', texts.tray.signOut)] : []),
  ]
}

/** The text for the remaining time in the menu, and how many milliseconds the text stays true. */
function timeLeft(left: number, texts: Texts): { readonly label: string; readonly lasts: number } {
  const step = STEPS.find(({ above }) => left > above)
  if (step === undefined) {
    const rest = left % MINUTE_MS
    return { label: texts.tray.timeLeft(left - rest), lasts: rest + 1 }
  }
  const shown = (Math.ceil(left / step.length) - 1) * step.length
  return { label: texts.tray.timeLeftOver(shown), lasts: left - shown }
}

const needsSignIn = (session: SessionView): boolean =>
  session.kind === 'ending' || (session.kind !== 'unknownVersion' && isOver(session))

function tokenOf(session: SessionView, now: number): TokenView | undefined {
  const token = 'token' in session ? session.token : undefined
  return token !== undefined && token.expiresAt > now ? token : undefined
}

/** The access token, if it may be the session's last one. A countdown is only useful then. */
function lastToken(session: SessionView, now: number): TokenView | undefined {
  const token = tokenOf(session, now)
  return session.kind === 'active' && token?.refreshesAt !== undefined ? undefined : token
}

function iconOf(session: SessionView): TrayIcon {
  if (isUnsaved(session)) return 'attention'
  switch (session.kind) {
    case 'active':
      return isRefreshing(session) ? 'refreshing' : 'signedIn'
    case 'unreachable':
      return 'unreachable'
    case 'ending':
    case 'expired':
    case 'sessionUnread':
    case 'unknownVersion':
      return 'attention'
    case 'restoring':
    case 'signingIn':
      return 'refreshing'
    case 'notConfigured':
    case 'signedOut':
      return 'signedOut'
  }
}

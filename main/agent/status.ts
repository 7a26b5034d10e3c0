import { assertNever } from '../../contract/assert-never.ts'
import type { AccountView, AppView, SessionEnd, SessionView, UnreadReason } from '../../contract/views.ts'
import { enKeychain } from '../../text/en/keychain.ts'
import { systemOf } from '../../text/system.ts'
import { dateOf } from './date.ts'
import { type Form, type Reply, replyOf } from './reply.ts'
import { type Outlook, outlookOf, sessionEndOf } from './until.ts'

export type StatusView = Pick<AppView, 'version' | 'connection' | 'session'>

/** The answer of `GET /v1/status`; times are seconds since the epoch. Contains no token. */
export interface Status {
  /** The session's state, in snake_case. */
  readonly state: string
  /** A sentence that explains the state and the next step. */
  readonly message: string
  readonly account?: string
  /** The user's name, as the window shows it. */
  readonly displayName?: string
  /** The service's host. */
  readonly service?: string
  readonly expiresAt?: number
  readonly refreshesAt?: number
  /** Who says when the session ends, or that there is no limit; absent if nobody does. */
  readonly sessionEnd?: 'provider' | 'earlier_sessions' | 'at_least' | 'no_limit'
  /** When the session ends by itself. */
  readonly sessionEndsAt?: number
  /** Where the session is stored. */
  readonly kept?: string
  /** The time that the request asked about. */
  readonly until?: number
  /** Whether the session is expected to last until that time. `message` then says so. */
  readonly outlook?: Outlook
  /** The app's version. */
  readonly version: string
}

/** @param until The time that the request asked about, in milliseconds since the epoch. */
export function statusOf({ version, connection, session }: StatusView, until?: number): Status {
  const account = 'account' in session ? session.account : undefined
  const token = 'token' in session ? session.token : undefined
  const message = messageOf(session, connection?.host)
  return {
    state: session.kind === 'sessionUnread' ? UNREAD[session.why].state : snakeCase(session.kind),
    message,
    ...(account === undefined || account.username === '' ? {} : { account: account.username }),
    ...(account === undefined || account.displayName === '' ? {} : { displayName: account.displayName }),
    ...(connection === undefined ? {} : { service: connection.host }),
    ...(token === undefined ? {} : { expiresAt: seconds(token.expiresAt) }),
    ...(token?.refreshesAt === undefined ? {} : { refreshesAt: seconds(token.refreshesAt) }),
    ...endFields(sessionEndOf(session)),
    ...('kept' in session ? { kept: session.kept } : {}),
    ...(until === undefined ? {} : { until: seconds(until), ...outlookOf(session, until, message) }),
    version,
  }
}

function endFields(end: SessionEnd | undefined): Pick<Status, 'sessionEnd' | 'sessionEndsAt'> {
  if (end === undefined) return {}
  if (end.kind === 'never') return { sessionEnd: 'no_limit' }
  const said = end.kind === 'notBefore' ? 'at_least' : end.saidBy === 'provider' ? 'provider' : 'earlier_sessions'
  return { sessionEnd: said, sessionEndsAt: seconds(end.at) }
}

/** The status as JSON, with the origin of each connection's service, or as text with one `name: value` per line. */
export function statusReply(status: Status, form: Form, connections: Readonly<Record<string, string>>): Reply {
  if (form === 'json') return replyOf(200, form, JSON.stringify({ ...status, connections }))
  return replyOf(200, form, linesOf(inWords(status)))
}

/** The status with its times in words, so that nobody takes the token's end for the session's. */
function inWords({ expiresAt, refreshesAt, sessionEnd, sessionEndsAt = 0, until, ...status }: Status): object {
  const { kept, outlook, version, ...before } = status
  const isRenewed = status.state === 'active' && refreshesAt !== undefined
  const renewed = isRenewed ? '; Latchkey renews it before then' : ''
  const ends = dateOf(sessionEndsAt * 1_000)
  const saidBy = {
    provider: `on about ${ends}, as the provider says`,
    earlier_sessions: `on about ${ends}, as your last sessions did`,
    at_least: `on ${ends} at the earliest`,
    no_limit: 'never: the provider sets no limit',
  }
  return {
    ...before,
    // Only a session says where it is kept.
    ...(kept === undefined ? {} : { 'session ends': sessionEnd === undefined ? 'not known' : saidBy[sessionEnd] }),
    ...(expiresAt === undefined ? {} : { 'token ends': `${dateOf(expiresAt * 1_000)}${renewed}` }),
    ...(kept === undefined ? {} : { kept: kept === 'memory' ? 'memory, until Latchkey quits' : kept }),
    ...(until === undefined ? {} : { until: dateOf(until * 1_000) }),
    ...(outlook === undefined ? {} : { outlook }),
    version,
  }
}

/** One `name: value` per line. */
export const linesOf = (values: object): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}: ${String(value).replace(/\p{C}/gu, ' ')}`)
    .join('\n')

const keychain = enKeychain(systemOf(process.platform))

const UNREAD: Readonly<Record<UnreadReason, { readonly state: string; readonly message: string }>> = {
  locked: {
    state: 'keychain_locked',
    message:
      process.platform === 'win32'
        ? `${keychain.Your} is not responding. Latchkey continues as soon as it does.`
        : `${keychain.Your} is locked. Unlock it, and Latchkey continues.`,
  },
  unavailable: {
    state: 'keychain_unavailable',
    message: `${keychain.Your} is not responding. Latchkey continues as soon as it does.`,
  },
  missing: { state: 'session_missing', message: `Your session is not in ${keychain.your}. Open Latchkey and sign in.` },
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1_000)

/** The display name and the username, formatted as in the window. */
function person({ username, displayName }: AccountView): string {
  if (displayName === '' || username === '') return displayName || username
  return displayName === username ? username : `${displayName} (${username})`
}

/** Some providers don't name the user. */
function signedInAs(account: AccountView, host: string | undefined): string {
  const name = person(account)
  return name === '' ? `Signed in at ${host ?? 'your service'}` : `Signed in as ${name}`
}

function messageOf(session: SessionView, host: string | undefined): string {
  switch (session.kind) {
    case 'notConfigured':
      return 'Latchkey does not know your service yet. Open Latchkey and enter its address.'
    case 'restoring':
      return 'Latchkey is restoring your session.'
    case 'sessionUnread':
      return UNREAD[session.why].message
    case 'unknownVersion':
      return 'Another version of Latchkey saved your session. Update Latchkey, or open it and sign in.'
    case 'signedOut':
      return 'You are not signed in. Open Latchkey and sign in.'
    case 'signingIn':
      return 'A sign-in is in progress.'
    case 'active':
      return `${signedInAs(session.account, host)}.`
    case 'unreachable':
      return session.token === undefined
        ? `${signedInAs(session.account, host)}, but no token is available right now. Latchkey keeps trying.`
        : `${signedInAs(session.account, host)}. No new token is available right now; the current one is still valid.`
    case 'ending':
      return 'The session cannot be renewed. The current token is valid until it expires. Open Latchkey and sign in.'
    case 'expired':
      return 'The session has ended. Open Latchkey and sign in.'
    default:
      return assertNever(session)
  }
}

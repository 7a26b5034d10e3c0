import { assertNever } from '../../contract/assert-never.ts'
import { isOver } from '../../contract/session-end.ts'
import type { AccountView, AppView, SessionEnd, SessionView, UnreadReason } from '../../contract/views.ts'
import { enKeychain } from '../../text/en/keychain.ts'
import { systemOf } from '../../text/system.ts'
import { KEYCHAIN_SILENT, type Reply, type ReplyForm, replyOf } from './replies.ts'

export type StatusView = Pick<AppView, 'version' | 'connection' | 'session'>

/**
 * Times in the reply are seconds since the epoch. `message` has the state and the next step, and says whether the
 * session is expected to last until the time asked about: `until`, in milliseconds since the epoch.
 * @param at the connection's name; absent for the default connection
 */
export function statusOf({ version, connection, session }: StatusView, until?: number, at?: string) {
  const account = 'account' in session ? session.account : undefined
  const token = 'token' in session ? session.token : undefined
  const message = messageOf(session, connection?.host, at)
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

/** With `at_least`, the session may last longer. */
function endFields(end: SessionEnd | undefined): { sessionEnd?: EndSource; sessionEndsAt?: number } {
  if (end === undefined) return {}
  if (end.kind === 'never') return { sessionEnd: 'no_limit' }
  const said = end.kind === 'notBefore' ? 'at_least' : end.saidBy === 'provider' ? 'provider' : 'earlier_sessions'
  return { sessionEnd: said, sessionEndsAt: seconds(end.at) }
}

type EndSource = 'provider' | 'earlier_sessions' | 'at_least' | 'no_limit'
type Status = ReturnType<typeof statusOf>

/** As JSON, the reply also has the origin of each connection's service. */
export function statusReply(status: Status, form: ReplyForm, connections: Readonly<Record<string, string>>): Reply {
  if (form === 'json') return replyOf(200, form, JSON.stringify({ ...status, connections }))
  const names = Object.keys(connections).join(', ')
  return replyOf(200, form, fieldLines({ ...inWords(status), ...(names.includes(',') && { connections: names }) }))
}

/** The status with its times in words, so that nobody mistakes the token's end for the session's. */
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
    ...(kept === undefined ? {} : { 'session ends': sessionEnd === undefined ? 'not known' : saidBy[sessionEnd] }),
    ...(expiresAt === undefined ? {} : { 'token ends': `${dateOf(expiresAt * 1_000)}${renewed}` }),
    ...(kept === undefined ? {} : { kept: kept === 'memory' ? 'memory, until Latchkey quits' : kept }),
    ...(until === undefined ? {} : { until: dateOf(until * 1_000) }),
    ...(outlook === undefined ? {} : { outlook }),
    version,
  }
}

export const fieldLines = (values: object): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}: ${String(value).replace(/\p{C}/gu, ' ')}`)
    .join('\n')

const keychain = enKeychain(systemOf(process.platform))

const UNREAD: Readonly<Record<UnreadReason, { readonly state: string; readonly message: string }>> = {
  locked: {
    state: 'keychain_locked',
    message:
      process.platform === 'win32' ? KEYCHAIN_SILENT : `${keychain.Your} is locked. Unlock it, and Latchkey continues.`,
  },
  unavailable: {
    state: 'keychain_unavailable',
    message: KEYCHAIN_SILENT,
  },
  missing: { state: 'session_missing', message: `Your session is not in ${keychain.your}. Open Latchkey and sign in.` },
}

export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1_000)

function person({ username, displayName }: AccountView): string {
  if (displayName === '' || username === '') return displayName || username
  return displayName === username ? username : `${displayName} (${username})`
}

/** Some providers don't name the user. */
function signedInAs(account: AccountView, host: string | undefined): string {
  const name = person(account)
  return name === '' ? `Signed in at ${host ?? 'your service'}` : `Signed in as ${name}`
}

function messageOf(session: SessionView, host: string | undefined, at: string | undefined): string {
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
      return `You are not signed in${at === undefined ? '' : ` to ${at}`}. Open Latchkey and sign in.`
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

/** A moment in the future: the next time that the clock shows these hours and minutes, or a duration from now. */
export type Until = { readonly hours: number; readonly minutes: number } | { readonly durationMs: number }

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads `07:00`, `8h`, `30m`, `2d` or seconds. Refuses `0` to `24`, which probably mean an hour of the day. */
export function readUntil(text: string): Until | undefined {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  if (hours !== undefined) return { hours: Number(hours), minutes: Number(minutes) }
  const [, count, unit = 's'] = /^(\d{1,9})([smhd])?$/.exec(text) ?? []
  if (/^(?:1?\d|2[0-4])$/.test(text)) return undefined
  const durationMs = Number(count) * (UNITS_MS[unit] ?? Number.NaN)
  return durationMs <= LONGEST_MS ? { durationMs } : undefined
}

const LONGEST_MS = 366 * 86_400_000

/** In milliseconds since the epoch. A time of day is in the desktop's time zone. */
export function timeOf(until: Until, now: number): number {
  if ('durationMs' in until) return now + until.durationMs
  const today = new Date(now)
  const on = (days: number) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() + days, until.hours, until.minutes).getTime()
  return on(0) > now ? on(0) : on(1)
}

/** `undefined` if the end is unknown or nobody is signed in. */
export function sessionEndOf(session: SessionView): SessionEnd | undefined {
  if (!('kept' in session)) return undefined
  const { token } = session
  // Without a refresh token, the session ends with its access token.
  const isLast = session.kind === 'ending' || (token !== undefined && token.refreshesAt === undefined)
  if (isLast && token !== undefined) return { kind: 'expected', at: token.expiresAt, saidBy: 'provider' }
  return 'end' in session ? session.end : undefined
}

type Outlook = 'lasts' | 'ends_before' | 'signed_out' | 'not_known'

export function outlookOf(
  session: SessionView,
  until: number,
  state: string,
): { readonly outlook: Outlook; readonly message: string } {
  // Only the states in which the user is signed in say where the session is kept.
  if ('kept' in session) return signedIn(session, until)
  if (session.kind === 'notConfigured' || isOver(session)) return { outlook: 'signed_out', message: state }
  return { outlook: 'not_known', message: `${NOT_KNOWN}. ${state}` }
}

const LASTS = 'The session is expected to last until then'
const NOT_KNOWN = 'It is not known whether the session lasts until then'
const WAIT = 'A job that asks for its tokens with --wait goes on once you sign in again.'

type SignedIn = Extract<SessionView, { kind: 'active' | 'unreachable' | 'ending' }>

function signedIn(session: SignedIn, until: number): { readonly outlook: Outlook; readonly message: string } {
  const end = sessionEndOf(session)
  const it = session.account.grant.issuer === 'service' ? 'the service' : 'the provider'
  const quitting = session.kept === 'memory' ? ', and it ends in any case when Latchkey quits' : ''
  switch (end?.kind) {
    case undefined:
      return { outlook: 'not_known', message: `${NOT_KNOWN}: ${it} does not say when it ends${quitting}. ${WAIT}` }
    case 'never':
      return { outlook: 'lasts', message: `${LASTS}: ${it} sets no limit${quitting}.` }
    case 'notBefore':
      return end.at >= until
        ? { outlook: 'lasts', message: `${LASTS}: it ends on ${dateOf(end.at)} at the earliest.` }
        : { outlook: 'not_known', message: `${NOT_KNOWN}: it is only certain to last until ${dateOf(end.at)}.` }
    case 'expected': {
      const when = `${dateOf(end.at)}, as ${end.saidBy === 'provider' ? `${it} says` : 'your last sessions did'}`
      return end.at >= until
        ? { outlook: 'lasts', message: `${LASTS}: it ends on about ${when}.` }
        : { outlook: 'ends_before', message: `The session is expected to end before then: on about ${when}. ${WAIT}` }
    }
  }
}

/** The date and time in the desktop's time zone, in ASCII for any terminal. Example: `Fri, 27 Nov 2026, 18:00`. */
export const dateOf = (at: number): string =>
  new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(at)

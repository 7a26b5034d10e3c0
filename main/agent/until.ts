/** How long a job will run, and whether the session is expected to last as long. */
import { assertNever } from '../../contract/assert-never.ts'
import type { SessionEnd, SessionView } from '../../contract/views.ts'
import { dateOf } from './date.ts'

/** What `until` names: the next time that the desktop's clock shows this, or this long from now. */
export type Until = { readonly hours: number; readonly minutes: number } | { readonly durationMs: number }

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads `07:00`, `8h`, `30m`, `2d` or whole seconds. Refuses a bare `7`, which is meant as an hour of the day or as hours. */
export function readUntil(text: string): Until | undefined {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  if (hours !== undefined) return { hours: Number(hours), minutes: Number(minutes) }
  const [, count, unit = 's'] = /^(\d{1,9})([smhd])?$/.exec(text) ?? []
  if (/^(?:1?\d|2[0-4])$/.test(text)) return undefined
  const durationMs = Number(count) * (UNITS_MS[unit] ?? Number.NaN)
  return durationMs <= LONGEST_MS ? { durationMs } : undefined
}

const LONGEST_MS = 366 * 86_400_000

/** The time that is meant, in milliseconds since the epoch. Uses the desktop's time zone. */
export function timeOf(until: Until, now: number): number {
  if ('durationMs' in until) return now + until.durationMs
  const today = new Date(now)
  const on = (days: number) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() + days, until.hours, until.minutes).getTime()
  return on(0) > now ? on(0) : on(1)
}

/** When the session ends by itself, as far as is known. `undefined` also if nobody is signed in. */
export function sessionEndOf(session: SessionView): SessionEnd | undefined {
  switch (session.kind) {
    case 'active':
    case 'unreachable':
    case 'ending': {
      const { token } = session
      // Without a refresh token, the session ends with its access token.
      const isLast = session.kind === 'ending' || (token !== undefined && token.refreshesAt === undefined)
      if (isLast && token !== undefined) return { kind: 'expected', at: token.expiresAt, saidBy: 'provider' }
      return 'end' in session ? session.end : undefined
    }
    case 'notConfigured':
    case 'restoring':
    case 'sessionUnread':
    case 'unknownVersion':
    case 'signedOut':
    case 'signingIn':
    case 'expired':
      return undefined
    default:
      return assertNever(session)
  }
}

export const OUTLOOKS = ['lasts', 'ends_before', 'signed_out', 'not_known'] as const
export type Outlook = (typeof OUTLOOKS)[number]

/**
 * Whether the session is expected to last until this time, in a code and a sentence.
 * @param state What is said about the session itself.
 */
export function outlookOf(
  session: SessionView,
  until: number,
  state: string,
): { readonly outlook: Outlook; readonly message: string } {
  switch (session.kind) {
    case 'notConfigured':
    case 'unknownVersion':
    case 'signedOut':
    case 'expired':
      return { outlook: 'signed_out', message: state }
    case 'sessionUnread':
      if (session.why === 'missing') return { outlook: 'signed_out', message: state }
      return { outlook: 'not_known', message: `${NOT_KNOWN}. ${state}` }
    case 'restoring':
    case 'signingIn':
      return { outlook: 'not_known', message: `${NOT_KNOWN}. ${state}` }
    case 'active':
    case 'unreachable':
    case 'ending':
      return signedIn(sessionEndOf(session), until)
    default:
      return assertNever(session)
  }
}

const LASTS = 'The session is expected to last until then'
const NOT_KNOWN = 'It is not known whether the session lasts until then'
const WAIT = 'A job that asks for its tokens with --wait goes on once you sign in again.'

function signedIn(end: SessionEnd | undefined, until: number): { readonly outlook: Outlook; readonly message: string } {
  switch (end?.kind) {
    case undefined:
      return { outlook: 'not_known', message: `${NOT_KNOWN}: the provider does not say when it ends. ${WAIT}` }
    case 'never':
      return { outlook: 'lasts', message: `${LASTS}: the provider sets no limit.` }
    case 'notBefore':
      return end.at >= until
        ? { outlook: 'lasts', message: `${LASTS}: it ends on ${dateOf(end.at)} at the earliest.` }
        : { outlook: 'not_known', message: `${NOT_KNOWN}: it is only certain to last until ${dateOf(end.at)}.` }
    case 'expected': {
      const when = `${dateOf(end.at)}, as ${end.saidBy === 'provider' ? 'the provider says' : 'your last sessions did'}`
      return end.at >= until
        ? { outlook: 'lasts', message: `${LASTS}: it ends on about ${when}.` }
        : { outlook: 'ends_before', message: `The session is expected to end before then: on about ${when}. ${WAIT}` }
    }
  }
}

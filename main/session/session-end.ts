/**
 * When a session will end by itself, as far as that is known. Pure functions. Times are milliseconds since the epoch, by
 * the desktop's wall clock, because they outlive a restart.
 */
import type { SessionEnd } from '../../contract/views.ts'
import { LENGTHS_KEPT, type TokenPair } from './ports.ts'

const SECOND = 1_000
const HOUR = 3_600 * SECOND

/** What the issuer last said about the end of the session. */
export interface SaidEnd {
  readonly at: number | 'never'
  readonly saidAt: number
  /** True if the end has stayed where it was. Otherwise each refresh moves it, or there has been only one answer. */
  readonly isFixed: boolean
}

/** What is known about the time of a session. */
export interface SessionTimes {
  /** When the user signed in. Absent if an earlier version stored the session. */
  readonly startedAt?: number
  readonly said?: SaidEnd
}

/** A longer duration counts as absent: a number that large is more likely a time. */
const LONGEST_MS = 10 * 366 * 24 * HOUR

/**
 * The session's end that an answer names.
 * @param expiry When the refresh token expires, if it is a JWT that says so, by the issuer's clock.
 * @param now The time of receipt.
 */
export function endIn(
  { refreshExpiresIn: told, serverTime }: Pick<TokenPair, 'refreshExpiresIn' | 'serverTime'>,
  expiry: number | undefined,
  now: number,
): SaidEnd['at'] | undefined {
  const end = told === undefined || told === 0 ? undefined : within(told * SECOND, now)
  if (end !== undefined) return end
  if (expiry !== undefined) return within(expiry - (serverTime ?? now), now)
  return told === 0 ? 'never' : undefined
}

const within = (left: number, now: number): number | undefined =>
  left > 0 && left <= LONGEST_MS ? now + left : undefined

/** Two answers that are closer together don't show whether the end moves. */
const TOO_SOON_MS = 5 * SECOND

/**
 * What is known after another answer. Many issuers name an idle limit, which every refresh extends (Keycloak's *SSO
 * Session Idle*), so an end is certain only once a refresh hasn't moved it.
 */
export function afterAnswer(
  before: SaidEnd | undefined,
  at: SaidEnd['at'] | undefined,
  now: number,
  isSameToken: boolean,
): SaidEnd | undefined {
  // What was said about this token still holds. About another token, it says nothing.
  if (at === undefined) return isSameToken ? before : undefined
  const said = { at, saidAt: now, isFixed: false }
  if (before === undefined || at === 'never' || before.at === 'never' || now < before.saidAt) return said
  const passed = now - before.saidAt
  if (passed < TOO_SOON_MS) return before
  return { ...said, isFixed: at - before.at < passed / 2 }
}

/** How far lengths may differ to count as equal. */
const TOLERANCE = 0.1

/** The length of the last sessions, if they agree: the shortest, because a session may not last longer. */
function usualLength(lengths: readonly number[]): number | undefined {
  const last = lengths.slice(-LENGTHS_KEPT)
  const shortest = Math.min(...last)
  return last.length === LENGTHS_KEPT && Math.max(...last) - shortest <= shortest * TOLERANCE ? shortest : undefined
}

/** @param lengths How long earlier sessions at this issuer lasted, in milliseconds; the latest last. */
export function endOf(
  { startedAt, said }: SessionTimes,
  lengths: readonly number[],
  now: number,
): SessionEnd | undefined {
  if (said?.at === 'never') return { kind: 'never' }
  const least = said !== undefined && said.at > now ? said.at : undefined
  if (least !== undefined && said?.isFixed) return expected(least, 'provider', startedAt)
  const usual = usualLength(lengths)
  const usually = startedAt === undefined || usual === undefined ? undefined : startedAt + usual
  if (usually !== undefined && usually > Math.max(now, least ?? 0)) {
    return expected(usually, 'earlierSessions', startedAt)
  }
  return least === undefined ? undefined : { kind: 'notBefore', at: least }
}

const expected = (at: number, saidBy: 'provider' | 'earlierSessions', startedAt: number | undefined): SessionEnd => {
  const warnsAt = warningOf(at, startedAt)
  return { kind: 'expected', at, saidBy, ...(warnsAt !== undefined && { warnsAt }) }
}

/**
 * How long a session lasted that the issuer has just ended. `undefined` if that isn't known to a tenth, for example
 * because the computer slept.
 * @param aliveAt When the session last answered with tokens.
 */
export function lengthOf(startedAt: number, aliveAt: number, now: number): number | undefined {
  const length = aliveAt - startedAt
  return length > 0 && now >= aliveAt && now - aliveAt <= length * TOLERANCE ? length : undefined
}

/** When a working day begins, on the desktop's clock. */
const MORNING = 9
const LATEST_WARNING_MS = 2 * HOUR

const isWeekend = (day: Date): boolean => day.getDay() === 0 || day.getDay() === 6

/**
 * When to warn of the end: on the morning of the last working day that leaves two hours; if the session is younger than
 * that, two hours before the end. A session that is shorter still needs no warning. Uses the desktop's time zone.
 */
export function warningOf(end: number, startedAt = Number.NEGATIVE_INFINITY): number | undefined {
  const latest = end - LATEST_WARNING_MS
  const day = new Date(latest)
  day.setHours(MORNING, 0, 0, 0)
  while (day.getTime() > latest || isWeekend(day)) day.setDate(day.getDate() - 1)
  return [day.getTime(), latest].find((at) => at >= startedAt)
}

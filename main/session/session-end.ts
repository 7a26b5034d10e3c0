/** When a session will end by itself, if known. In milliseconds of the wall clock, which outlives a restart. */
import type { SessionEnd } from '../../contract/views.ts'
import { LENGTHS_KEPT, type TokenPair } from './ports.ts'

const SECOND = 1_000
const HOUR = 3_600 * SECOND

/** What the issuer last said about the end of the session. */
export interface StatedEnd {
  readonly at: number | 'never'
  readonly saidAt: number
  /** True if a later response named the same end; false if each refresh moves it, or after one response. */
  readonly isFixed: boolean
}

export interface SessionTimes {
  /** When the user signed in. Absent if the session was restored from an entry without a readable start. */
  readonly startedAt?: number
  readonly said?: StatedEnd
}

/** A larger number is more likely a time than a duration. */
const LONGEST_MS = 10 * 366 * 24 * HOUR

/**
 * The end of the session as a response states it.
 * @param expiry the expiry of the refresh token, by the issuer's clock, if the token is a JWT that names it
 * @param now the time of receipt
 */
export function statedEnd(
  { refreshExpiresIn: told, serverTime }: Pick<TokenPair, 'refreshExpiresIn' | 'serverTime'>,
  expiry: number | undefined,
  now: number,
): StatedEnd['at'] | undefined {
  const end = told === undefined || told === 0 ? undefined : within(told * SECOND, now)
  if (end !== undefined) return end
  if (expiry !== undefined) return within(expiry - (serverTime ?? now), now)
  return told === 0 ? 'never' : undefined
}

const within = (left: number, now: number): number | undefined =>
  left > 0 && left <= LONGEST_MS ? now + left : undefined

/** Two responses that are closer together don't show whether the end moves. */
const TOO_SOON_MS = 5 * SECOND

/**
 * What is known of the session's end after another response. Many issuers name an idle limit, which each refresh
 * extends (Keycloak's *SSO Session Idle*). So an end is certain only if a refresh hasn't moved it.
 */
export function afterResponse(
  before: StatedEnd | undefined,
  at: StatedEnd['at'] | undefined,
  now: number,
  isSameToken: boolean,
): StatedEnd | undefined {
  // The end that was named for one token doesn't hold for another token.
  if (at === undefined) return isSameToken ? before : undefined
  const said = { at, saidAt: now, isFixed: false }
  if (before === undefined || at === 'never' || before.at === 'never' || now < before.saidAt) return said
  const passed = now - before.saidAt
  if (passed < TOO_SOON_MS) return before
  return { ...said, isFixed: at - before.at < passed / 2 }
}

/** Session lengths that differ by no more than this fraction count as equal. */
const TOLERANCE = 0.1

/** If the last sessions were about equally long, the shortest length, so that no warning comes too late. */
function usualLength(lengths: readonly number[]): number | undefined {
  const last = lengths.slice(-LENGTHS_KEPT)
  const shortest = Math.min(...last)
  return last.length === LENGTHS_KEPT && Math.max(...last) - shortest <= shortest * TOLERANCE ? shortest : undefined
}

/** @param lengths how long earlier sessions at this issuer lasted, in milliseconds; the latest comes last */
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
 * The length of a session that the issuer has just ended; `undefined` if this length could be wrong by more than a
 * tenth, for example because the computer slept.
 * @param aliveAt when the session last received tokens
 */
export function lengthOf(startedAt: number, aliveAt: number, now: number): number | undefined {
  const length = aliveAt - startedAt
  return length > 0 && now >= aliveAt && now - aliveAt <= length * TOLERANCE ? length : undefined
}

/** The hour at which a working day begins, on the desktop's clock. */
const MORNING = 9
const LATEST_WARNING_MS = 2 * HOUR

const isWeekend = (day: Date): boolean => day.getDay() === 0 || day.getDay() === 6

/**
 * When to warn of the end: at the beginning of a working day, as late as possible, but at least two hours before the
 * end. If the session began only after that, the warning comes two hours before the end. A session of less than two
 * hours needs no warning.
 */
export function warningOf(end: number, startedAt = Number.NEGATIVE_INFINITY): number | undefined {
  const latest = end - LATEST_WARNING_MS
  const day = new Date(latest)
  day.setHours(MORNING, 0, 0, 0)
  while (day.getTime() > latest || isWeekend(day)) day.setDate(day.getDate() - 1)
  return [day.getTime(), latest].find((at) => at >= startedAt)
}

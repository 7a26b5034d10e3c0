import type { Failure, Outcome } from '../contract/failures.ts'
import type { Random } from '../main/base/retry.ts'
import { accessToken, type RefreshToken, refreshToken } from '../main/base/secret.ts'
import type { TokenPair } from '../main/session/ports.ts'
import { HOUR, isIn, MINUTE, type Schedule, SECOND } from './week.ts'

/** Even a successful reply may get lost on its way. */
export type Reply = { readonly outcome: Outcome<TokenPair>; readonly family: string }

const failed = (failure: Failure): Reply => ({ outcome: { ok: false, failure }, family: '' })
const REFUSED = failed({ code: 'sessionEnded', details: { status: 401 } })
const UNREACHABLE = failed({ code: 'unreachable', details: { cause: 'ECONNREFUSED' } })
const UNTRUSTED = failed({ code: 'untrustedCertificate' })
const HEADER = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')

/** Issues one-time refresh tokens in families, detects their reuse (RFC 9700 section 4.14.2), and counts requests. */
export class FleetService {
  /** How many requests arrived in each second, successful or not. */
  readonly load: Uint32Array
  /** Families that ended because a used token came again after the grace period. */
  readonly ended = new Set<string>()
  readonly #now: () => number
  readonly #schedule: Schedule
  readonly #grace: number
  /** For each family, its tokens, each with the time of its first use: infinite if there was none yet. */
  readonly #families = new Map<string, Map<string, number>>()
  #issued = 0

  /** @param grace For this many milliseconds after its first use, a refresh token can be used again. */
  constructor(now: () => number, schedule: Schedule, grace: number) {
    this.#now = now
    this.#schedule = schedule
    this.#grace = grace
    this.load = new Uint32Array(Math.ceil((schedule.end + MINUTE) / SECOND))
  }

  /** Adds a session from before the simulation. Returns its refresh token. */
  enrol(who: string): RefreshToken {
    return refreshToken(this.#next(this.#newFamily(who)))
  }

  login(who: string, random: Random): Reply {
    return this.#arrive(random) ?? this.#issue(this.#newFamily(who), who)
  }

  refresh(who: string, token: RefreshToken, random: Random): Reply {
    return this.#arrive(random) ?? this.#exchange(who, token.reveal())
  }

  /** Counts a request. Returns an error if the schedule makes it fail. */
  #arrive(random: Random): Reply | undefined {
    const { outage, rollingRestart, wrongCertificate } = this.#schedule
    const now = this.#now()
    const second = Math.floor(now / SECOND)
    this.load[second] = (this.load[second] ?? 0) + 1
    if (isIn(now, outage)) return UNREACHABLE
    if (isIn(now, wrongCertificate)) return UNTRUSTED
    if (isIn(now, rollingRestart) && random() < 1 / rollingRestart.instances) return UNREACHABLE
    return undefined
  }

  #exchange(who: string, token: string): Reply {
    const [now, grace] = [this.#now(), this.#grace]
    const [family = ''] = token.split('.')
    const uses = this.#families.get(family)
    if (uses === undefined || this.ended.has(family)) return REFUSED
    const spentAt = Math.min(uses.get(token) ?? Number.NEGATIVE_INFINITY, now)
    if (spentAt < now && now - spentAt >= grace) {
      this.ended.add(family)
      return REFUSED
    }
    uses.set(token, spentAt)
    for (const [each, at] of uses) if (now - at > grace + MINUTE) uses.delete(each)
    return this.#issue(family, who)
  }

  #newFamily(who: string): string {
    const name = `${who}-${this.#issued++}`
    this.#families.set(name, new Map())
    return name
  }

  #next(family: string): string {
    const token = `${family}.${this.#issued++}`
    this.#families.get(family)?.set(token, Number.POSITIVE_INFINITY)
    return token
  }

  #issue(family: string, who: string): Reply {
    const iat = 1_600_000_000 + Math.floor(this.#now() / SECOND)
    const claims = { sub: who, iat, exp: iat + HOUR / SECOND }
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
    const issued = {
      accessToken: accessToken(`${HEADER}.${payload}.${this.#issued}`),
      refreshToken: refreshToken(this.#next(family)),
    }
    return { outcome: { ok: true, value: issued }, family }
  }
}

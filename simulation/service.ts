import type { Failure, Outcome } from '../contract/failures.ts'
import type { Random } from '../main/base/retry.ts'
import { accessToken, type RefreshToken, refreshToken } from '../main/base/secret.ts'
import type { TokenPair } from '../main/session/ports.ts'
import { HOUR, isIn, MINUTE, type Schedule, SECOND } from './week.ts'

/** The tokens of one sign-in. */
interface Family {
  readonly name: string
  isDead: boolean
  /** The time at which each used token was first used. A token that is neither here nor in `good` is invalid. */
  readonly spent: Map<string, number>
  readonly good: Set<string>
  count: number
}

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
  readonly #families = new Map<string, Family>()
  #signIns = 0

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
    const family = this.#families.get(token.split('.')[0] ?? '')
    if (family === undefined || family.isDead) return REFUSED
    if (family.good.delete(token)) family.spent.set(token, now)
    const spentAt = family.spent.get(token)
    if (spentAt === undefined || (spentAt < now && now - spentAt >= grace)) {
      family.isDead = true
      this.ended.add(family.name)
      return REFUSED
    }
    for (const [each, at] of family.spent) if (now - at > grace + MINUTE) family.spent.delete(each)
    return this.#issue(family, who)
  }

  #newFamily(who: string): Family {
    const name = `${who}-${this.#signIns++}`
    const family = { name, isDead: false, spent: new Map(), good: new Set<string>(), count: 0 }
    this.#families.set(name, family)
    return family
  }

  #next(family: Family): string {
    const token = `${family.name}.${family.count++}`
    family.good.add(token)
    return token
  }

  #issue(family: Family, who: string): Reply {
    const iat = 1_600_000_000 + Math.floor(this.#now() / SECOND)
    const claims = { sub: who, iat, exp: iat + HOUR / SECOND }
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
    const issued = {
      accessToken: accessToken(`${HEADER}.${payload}.${family.count}`),
      refreshToken: refreshToken(this.#next(family)),
    }
    return { outcome: { ok: true, value: issued }, family: family.name }
  }
}

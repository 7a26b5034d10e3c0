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

/**
 * Issues one-time refresh tokens in families, and detects their reuse (RFC 9700 section 4.14.2).
 * @param grace For this many milliseconds after its first use, a refresh token works again.
 */
export function fleetService(now: () => number, schedule: Schedule, grace: number) {
  /** How many requests arrived in each second, successful or not. */
  const load = new Uint32Array(Math.ceil((schedule.end + MINUTE) / SECOND))
  /** Families that ended because a used token came again after the grace period. */
  const ended = new Set<string>()
  /** For each family, its tokens, each with the time of its first use: infinite if there was none yet. */
  const families = new Map<string, Map<string, number>>()
  let count = 0

  /** Adds a session from before the simulation. Returns its refresh token. */
  function enrol(who: string): RefreshToken {
    return refreshToken(next(newFamily(who)))
  }

  function login(who: string, random: Random): Reply {
    return arrive(random) ?? issue(newFamily(who), who)
  }

  function refresh(who: string, token: RefreshToken, random: Random): Reply {
    return arrive(random) ?? exchange(who, token.reveal())
  }

  /** Returns an error if the schedule makes the request fail. */
  function arrive(random: Random): Reply | undefined {
    const { outage, rollingRestart, wrongCertificate } = schedule
    const at = now()
    const second = Math.floor(at / SECOND)
    load[second] = (load[second] ?? 0) + 1
    if (isIn(at, outage)) return UNREACHABLE
    if (isIn(at, wrongCertificate)) return UNTRUSTED
    if (isIn(at, rollingRestart) && random() < 1 / rollingRestart.instances) return UNREACHABLE
    return undefined
  }

  function exchange(who: string, token: string): Reply {
    const time = now()
    const [family = ''] = token.split('.')
    const uses = families.get(family)
    if (uses === undefined || ended.has(family)) return REFUSED
    const spentAt = Math.min(uses.get(token) ?? Number.NEGATIVE_INFINITY, time)
    if (spentAt < time && time - spentAt >= grace) {
      ended.add(family)
      return REFUSED
    }
    uses.set(token, spentAt)
    for (const [each, at] of uses) if (time - at > grace + MINUTE) uses.delete(each)
    return issue(family, who)
  }

  function newFamily(who: string): string {
    const name = `${who}-${count++}`
    families.set(name, new Map())
    return name
  }

  function next(family: string): string {
    const token = `${family}.${count++}`
    families.get(family)?.set(token, Number.POSITIVE_INFINITY)
    return token
  }

  function issue(family: string, who: string): Reply {
    const iat = 1_600_000_000 + Math.floor(now() / SECOND)
    const claims = { sub: who, iat, exp: iat + HOUR / SECOND }
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
    const issued = {
      accessToken: accessToken(`${HEADER}.${payload}.${count}`),
      refreshToken: refreshToken(next(family)),
    }
    return { outcome: { ok: true, value: issued }, family }
  }

  return { load, ended, enrol, login, refresh }
}

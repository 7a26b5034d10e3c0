import { createHash, randomInt, timingSafeEqual } from 'node:crypto'
import { GATEWAY_USERNAME } from '../../contract/setting-rows.ts'
import type { Clock } from '../base/clock.ts'
import { Secret } from '../base/secret.ts'

const BASIC = 'basic '
const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const LENGTH = 32
/** How many different wrong passwords a minute get a 401. Further ones get a 429. */
const MOST_FAILURES = 10
const WINDOW_MS = 60_000

export type GatewayPassword = Secret<'gateway password'>

/** 32 characters, which are 190 random bits. No character is special in an address, a shell or a connection string. */
export const newPassword = (): GatewayPassword =>
  new Secret(
    'gateway password',
    Array.from({ length: LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join(''),
  )

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** SECURITY: a fast hash is enough, because nobody can try out 190 random bits. */
export const hashOf = (password: GatewayPassword): string => digest(password.reveal()).toString('base64')

type PasswordCheck = { readonly kind: 'right' | 'wrong' } | { readonly kind: 'tooMany'; readonly retryAfter: number }

export class Passwords {
  readonly #hash: () => string | undefined
  readonly #clock: Pick<Clock, 'now'>
  /** When each wrong password first came. A tool that repeats an old one can't use up the limit. */
  readonly #failures = new Map<string, number>()

  constructor(hash: () => string | undefined, clock: Pick<Clock, 'now'>) {
    this.#hash = hash
    this.#clock = clock
  }

  /** @param headers the values of `Authorization` */
  check(headers: readonly string[]): PasswordCheck {
    const [header = '', ...others] = headers
    // SECURITY: no regular expression reads a secret, because `RegExp.input` would keep it. A request without a
    // password is no guess: a tool sends such a request first, to find out whether it needs a password.
    if (header.slice(0, BASIC.length).toLowerCase() !== BASIC || others.length > 0) return { kind: 'wrong' }
    const credentials = Buffer.from(header.slice(BASIC.length), 'base64').toString('utf8')
    const colon = credentials.indexOf(':')
    const [username, password] = [credentials.slice(0, Math.max(0, colon)), credentials.slice(colon + 1)]
    const presented = digest(password)
    const expected = Buffer.from(this.#hash() ?? '', 'base64')
    // SECURITY: compares in constant time. If the settings have no hash, every password is wrong.
    const isSame = timingSafeEqual(presented, expected.length === presented.length ? expected : Buffer.alloc(32))
    if (isSame && username === GATEWAY_USERNAME) return { kind: 'right' }
    return this.#wrong(presented.toString('base64'))
  }

  #wrong(presented: string): PasswordCheck {
    const now = this.#clock.now()
    for (const [each, at] of this.#failures) if (at + WINDOW_MS <= now) this.#failures.delete(each)
    if (this.#failures.has(presented)) return { kind: 'wrong' }
    // SECURITY: tells a program that guesses to wait. The right password still passes, so nobody can lock the user out.
    if (this.#failures.size >= MOST_FAILURES) {
      const [oldest = now] = this.#failures.values()
      return { kind: 'tooMany', retryAfter: Math.ceil((oldest + WINDOW_MS - now) / 1_000) }
    }
    this.#failures.set(presented, now)
    return { kind: 'wrong' }
  }
}

import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FailureCode } from '../../contract/failures.ts'
import { TokenBroker } from '../../main/agent/token-broker.ts'
import type { CurrentToken, TokenAnswer, TokenSource } from '../../main/agent/token-source.ts'
import type { Clock } from '../../main/base/clock.ts'

/**
 * A TokenSource, and functions that act as user, service and clock. A promise that they return resolves when all work
 * has finished.
 */
export interface SourceRig {
  readonly source: TokenSource
  readonly clock: Pick<Clock, 'now' | 'at'>
  /** The user who signs in. */
  readonly account: string
  /** Signs in. The token lives for this many milliseconds. */
  signIn(lifetime: number): Promise<void>
  signOut(): Promise<void>
  /** The number of refresh requests so far. */
  refreshes(): number
  /** The service answers the running refresh with a new token. */
  grant(lifetime: number): Promise<void>
  /** The refresh fails with `unreachable`, or, if `retryAfter` (seconds) is given, with `rateLimited`. */
  fail(retryAfter?: number): Promise<void>
  /** The service refuses the refresh token. */
  refuse(): Promise<void>
  /** The timeout of a refresh in milliseconds, or Infinity if it has none. */
  readonly longestRefresh: number
  /** Moves the clock by this many milliseconds. */
  pass(milliseconds: number): Promise<void>
  stop(): Promise<void>
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const TIMEOUT_MS = 30_000
/** After a refresh, a source may wait at most this many milliseconds before it allows the next refresh. */
const LONGEST_OWN_PAUSE = 1_000

/** The tests that every TokenSource must pass. `make` returns a source that is signed out. */
export function describeTokenSource(kind: string, make: () => Promise<SourceRig>): void {
  describe(`a TokenSource, implemented by ${kind}`, () => {
    let rig: SourceRig
    let broker: TokenBroker
    let changes: number
    let unsubscribe: () => void

    beforeEach(async () => {
      rig = await make()
      changes = 0
      unsubscribe = rig.source.subscribe(() => {
        changes += 1
      })
      broker = new TokenBroker({ source: rig.source, clock: rig.clock, timeoutMs: TIMEOUT_MS })
      broker.start()
    })

    afterEach(async () => {
      broker.stop()
      unsubscribe()
      await rig.stop()
    })

    const signedIn = () => {
      const { tokenState } = rig.source
      if (tokenState.kind !== 'signedIn') throw new Error(`the token state is ${inspect(tokenState)}`)
      return tokenState
    }
    const held = (): CurrentToken => {
      const { token } = signedIn()
      if (token === undefined) throw new Error('there is no token')
      return token
    }
    const expectIdle = (failure?: FailureCode) => {
      const { refresh } = signedIn()
      if (refresh.kind !== 'idle') throw new Error(`the refresh is ${refresh.kind}`)
      expect(refresh.failure).toBe(failure)
      expect(refresh.notBefore).toBeLessThanOrEqual(rig.clock.now() + LONGEST_OWN_PAUSE)
    }
    const text = () => held().accessToken.reveal()

    /** Sends one request from each of this many tools, and returns the answers in the order in which they arrive. */
    const ask = (count: number, minValidity: number) => {
      const answers: TokenAnswer[] = []
      for (let each = 0; each < count; each++)
        broker.ask({ kind: 'valid', minValidity, isStrict: false }, (answer) => answers.push(answer))
      return answers
    }
    const reject = (count: number, token = held().accessToken) => {
      const answers: TokenAnswer[] = []
      for (let each = 0; each < count; each++) broker.rejected(token, (answer) => answers.push(answer))
      return answers
    }
    const tokensOf = (answers: readonly TokenAnswer[]) =>
      new Set(answers.map((answer) => (answer.kind === 'token' ? answer.token.accessToken.reveal() : answer.kind)))

    describe('the current token', () => {
      test('while signed out, there is no token, and refresh() sends nothing', () => {
        expect(rig.source.tokenState).toEqual({ kind: 'signedOut' })
        rig.source.refresh()
        expect(rig.source.tokenState).toEqual({ kind: 'signedOut' })
        expect(rig.refreshes()).toBe(0)
      })

      test('the token belongs to the account that signed in, and has the times of receipt and expiry', async () => {
        const before = rig.clock.now()
        await rig.signIn(HOUR)
        expect(signedIn()).toMatchObject({ account: rig.account, refresh: { kind: 'idle' } })
        const { receivedAt, expiresAt } = held()
        expect(receivedAt).toBeGreaterThanOrEqual(before)
        expect(expiresAt - receivedAt).toBe(HOUR)
      })

      test('the token stays the same object until a refresh replaces it', async () => {
        await rig.signIn(HOUR)
        const { accessToken } = held()
        rig.source.refresh()
        expect(held().accessToken).toBe(accessToken)
        await rig.fail()
        expect(held().accessToken).toBe(accessToken)
      })

      test('a listener is called when it subscribes, but not after it unsubscribes', async () => {
        let told = 0
        const undo = rig.source.subscribe(() => {
          told += 1
        })
        expect(told).toBe(1)
        undo()
        await rig.signIn(HOUR)
        expect(told).toBe(1)
        expect(changes).toBeGreaterThan(1)
      })

      test('when a listener is called, the source already has the new state', async () => {
        const kinds: string[] = []
        rig.source.subscribe(() => kinds.push(rig.source.tokenState.kind))
        await rig.signIn(HOUR)
        await rig.signOut()
        expect(kinds[0]).toBe('signedOut')
        expect(kinds).toContain('signedIn')
        expect(kinds.at(-1)).toBe('signedOut')
      })
    })

    describe('a refresh', () => {
      beforeEach(() => rig.signIn(HOUR))

      test('refresh() starts at most one refresh, which is running when refresh() returns', async () => {
        const before = changes
        for (let each = 0; each < 100; each++) rig.source.refresh()
        expect(signedIn().refresh).toEqual({ kind: 'running' })
        expect(changes).toBeGreaterThan(before)
        await rig.pass(0)
        expect(rig.refreshes()).toBe(1)
      })

      test('the source keeps the current token until a refresh brings a new one', async () => {
        const first = text()
        rig.source.refresh()
        expect(text()).toBe(first)
        const before = changes
        await rig.grant(HOUR)
        expect(text()).not.toBe(first)
        expectIdle()
        expect(changes).toBeGreaterThan(before)
      })

      test('a refresh changes the token and its times together, and then announces the change', async () => {
        const first = text()
        rig.source.refresh()
        const told = changes
        const lives = new Set<string>()
        const look = () => lives.add(`${text()} ${held().expiresAt - held().receivedAt}`)
        look()
        const granting = rig.grant(2 * HOUR)
        for (let turn = 0; turn < 100; turn++) {
          if (changes === told) expect(text()).toBe(first)
          look()
          await Promise.resolve()
        }
        await granting
        look()
        expect([...lives]).toEqual([`${first} ${HOUR}`, `${text()} ${2 * HOUR}`])
      })

      test('a failed refresh keeps the current token, and the state contains the reason', async () => {
        const first = text()
        rig.source.refresh()
        const before = changes
        await rig.fail()
        expect(text()).toBe(first)
        expectIdle('unreachable')
        expect(changes).toBeGreaterThan(before)
      })

      test('a rate-limited refresh isn’t repeated before the time that the service names', async () => {
        rig.source.refresh()
        await rig.fail(120)
        const { refresh } = signedIn()
        expect(refresh).toEqual({
          kind: 'idle',
          notBefore: expect.closeTo(rig.clock.now() + 120_000, -2),
          failure: 'rateLimited',
        })
        expect(tokensOf(reject(10))).toEqual(new Set(['unavailable']))
        await rig.pass(0)
        expect(rig.refreshes()).toBe(1)
      })

      test('a refused refresh isn’t repeated, and the source keeps the current token until its expiry', async () => {
        const first = text()
        rig.source.refresh()
        await rig.refuse()
        expect(text()).toBe(first)
        expect(signedIn().refresh).toEqual({ kind: 'impossible' })
        expect(tokensOf(ask(10, 24 * HOUR))).toEqual(new Set([first]))
        expect(tokensOf(reject(10))).toEqual(new Set(['signedOut']))
        const before = changes
        await rig.pass(HOUR)
        expect(rig.source.tokenState).toEqual({ kind: 'signedOut' })
        expect(changes).toBeGreaterThan(before)
        expect(rig.refreshes()).toBe(1)
      })
    })

    describe('a sign-out', () => {
      beforeEach(() => rig.signIn(HOUR))

      test('a sign-out removes the token, and the result of a running refresh is ignored', async () => {
        rig.source.refresh()
        const out = rig.signOut()
        expect(rig.source.tokenState).toEqual({ kind: 'signedOut' })
        await rig.grant(HOUR)
        await out
        expect(rig.source.tokenState).toEqual({ kind: 'signedOut' })
        expect(tokensOf(ask(1, 0))).toEqual(new Set(['signedOut']))
      })

      test('a sign-out answers all waiting tools immediately', async () => {
        const answers = reject(100)
        expect(answers).toEqual([])
        const out = rig.signOut()
        expect(answers).toHaveLength(100)
        expect(tokensOf(answers)).toEqual(new Set(['signedOut']))
        await rig.grant(HOUR)
        await out
      })
    })

    describe('under load', () => {
      beforeEach(() => rig.signIn(HOUR))

      test('100 tools that ask at the moment of expiry cause one refresh, and all get its token', async () => {
        const first = text()
        await rig.pass(HOUR)
        // The session engine may have started a scheduled refresh already.
        const before = rig.refreshes()
        const answers = ask(100, MINUTE)
        expect(answers).toEqual([])
        await rig.pass(0)
        expect(rig.refreshes() - before).toBeLessThanOrEqual(1)
        await rig.grant(HOUR)
        expect(answers).toHaveLength(100)
        expect(tokensOf(answers)).toEqual(new Set([text()]))
        expect(text()).not.toBe(first)
      })

      test('1,000 tools that reject the same token cause one refresh, and all get its token', async () => {
        const first = held().accessToken
        const answers = reject(1_000, first)
        expect(answers).toEqual([])
        await rig.grant(HOUR)
        expect(answers).toHaveLength(1_000)
        expect(tokensOf(answers)).toEqual(new Set([text()]))
        expect(tokensOf(reject(1_000, first))).toEqual(new Set([text()]))
        await rig.pass(0)
        expect(rig.refreshes()).toBe(1)
        expect(text()).not.toBe(first.reveal())
      })

      test('a tool does not wait for a refresh if the current token lives long enough for that tool', () => {
        rig.source.refresh()
        expect(tokensOf(ask(100, 30 * MINUTE))).toEqual(new Set([text()]))
      })

      test('no tool waits longer than the deadline for a service that never answers', async () => {
        const answers = reject(10)
        // Lets the source read the keychain, which it does before it sends anything.
        await rig.pass(0)
        const longest = Math.min(TIMEOUT_MS, rig.longestRefresh)
        await rig.pass(longest - 1)
        expect(answers).toEqual([])
        await rig.pass(1)
        expect(answers).toHaveLength(10)
        expect(tokensOf(answers)).toEqual(new Set(['unavailable']))
      })

      test('a failed refresh does not take away a token that is still valid', async () => {
        const first = text()
        await rig.pass(HOUR / 2)
        const answers = ask(10, 2 * HOUR)
        expect(answers).toEqual([])
        await rig.fail()
        expect(answers).toHaveLength(10)
        expect(tokensOf(answers)).toEqual(new Set([first]))
      })
    })
  })
}

import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FailureCode } from '../../contract/failures.ts'
import { TokenBroker } from '../../main/agent/token-broker.ts'
import type { CurrentToken, TokenResult, TokenSource } from '../../main/agent/token-source.ts'
import type { Clock } from '../../main/base/clock.ts'

/** A TokenSource, and functions that act as its user, service and clock. They resolve when the source has reacted. */
interface SourceRig {
  readonly source: TokenSource
  readonly clock: Pick<Clock, 'now' | 'at'>
  readonly account: string
  /** Signs in with a token that lives for `lifetime` milliseconds. */
  signIn(lifetime: number): Promise<void>
  signOut(): Promise<void>
  refreshes(): number
  /** The service answers the refresh under way with a new token. */
  grant(lifetime: number): Promise<void>
  /** The refresh fails with `unreachable`. */
  fail(): Promise<void>
  refuse(): Promise<void>
  pass(milliseconds: number): Promise<void>
  stop(): Promise<void>
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const TIMEOUT_MS = 30_000
/** The longest time, in milliseconds, for which a source may make tools wait after a refresh. */
const LONGEST_OWN_PAUSE = 1_000

/** What every TokenSource must do. `make` returns a source that is signed out. */
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

    /** Sends one request from each of `count` tools. Returns an array to which each answer is added when it arrives. */
    const ask = (count: number, minValidity: number) => {
      const answers: TokenResult[] = []
      for (let each = 0; each < count; each++)
        broker.ask({ kind: 'valid', minValidity, isStrict: false }, (answer) => answers.push(answer))
      return answers
    }
    const reject = (count: number, token = held().accessToken) => {
      const answers: TokenResult[] = []
      for (let each = 0; each < count; each++) broker.rejected(token, (answer) => answers.push(answer))
      return answers
    }
    const tokensOf = (answers: readonly TokenResult[]) =>
      new Set(answers.map((answer) => (answer.kind === 'token' ? answer.token.accessToken.reveal() : answer.kind)))

    test('nobody’s token can be refreshed, and a sign-in is announced to listeners until they unsubscribe', async () => {
      rig.source.refresh()
      expect([rig.source.tokenState, rig.refreshes()]).toEqual([{ kind: 'signedOut' }, 0])
      const kinds: string[] = []
      const undo = rig.source.subscribe(() => kinds.push(rig.source.tokenState.kind))
      expect(kinds).toEqual(['signedOut'])
      const before = rig.clock.now()
      await rig.signIn(HOUR)
      undo()
      expect(signedIn()).toMatchObject({ account: rig.account, refresh: { kind: 'idle' } })
      const { receivedAt, expiresAt } = held()
      expect(receivedAt).toBeGreaterThanOrEqual(before)
      expect(expiresAt - receivedAt).toBe(HOUR)
      await rig.signOut()
      expect(kinds.at(-1)).toBe('signedIn')
    })

    describe('a refresh', () => {
      beforeEach(() => rig.signIn(HOUR))

      test('begins at once, and only once; if it fails, the current token stays, and the state says why', async () => {
        const { accessToken } = held()
        for (let each = 0; each < 100; each++) rig.source.refresh()
        expect(signedIn().refresh).toEqual({ kind: 'running' })
        await rig.pass(0)
        expect(rig.refreshes()).toBe(1)
        const before = changes
        await rig.fail()
        expect(changes).toBeGreaterThan(before)
        expect(held().accessToken).toBe(accessToken)
        expectIdle('unreachable')
        expect(tokensOf(ask(100, 30 * MINUTE))).toEqual(new Set([text()]))
      })

      test('that the service refuses isn’t repeated, and the current token stays until it expires', async () => {
        const first = text()
        rig.source.refresh()
        await rig.refuse()
        expect(signedIn().refresh).toEqual({ kind: 'impossible' })
        expect(tokensOf(ask(10, 24 * HOUR))).toEqual(new Set([first]))
        expect(tokensOf(reject(10))).toEqual(new Set(['signedOut']))
        const before = changes
        await rig.pass(HOUR)
        expect([rig.source.tokenState, rig.refreshes()]).toEqual([{ kind: 'signedOut' }, 1])
        expect(changes).toBeGreaterThan(before)
      })

      test('is ignored after a sign-out, which answers all waiting tools at once', async () => {
        const answers = reject(100)
        expect(answers).toEqual([])
        const out = rig.signOut()
        expect([answers.length, tokensOf(answers)]).toEqual([100, new Set(['signedOut'])])
        await rig.grant(HOUR)
        await out
        expect(rig.source.tokenState).toEqual({ kind: 'signedOut' })
      })

      test('begins once if 1,000 tools report the same rejected token, and all get its token', async () => {
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
    })
  })
}

import { beforeEach, describe, expect, test } from 'vitest'
import { ModelSource } from '../../test/agent/model-source.ts'
import { ManualTime } from '../../test/support/manual-time.ts'
import { DeadlineClock } from '../base/clock.ts'
import { accessToken } from '../base/secret.ts'
import {
  REFRESH_INTERVAL_MS,
  REMOTE_INTERVAL_MS,
  type RemoteRejection,
  SHORT_LIVED_INTERVAL_MS,
  TokenBroker,
  tokenResultOf,
  waitUntil,
} from './token-broker.ts'
import type { CurrentToken, RefreshState, TokenRequest, TokenResult, TokenState } from './token-source.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const TIMEOUT_MS = 30_000

let time: ManualTime
let source: ModelSource
let broker: TokenBroker

beforeEach(() => {
  time = new ManualTime()
  const clock = new DeadlineClock(time)
  source = new ModelSource(clock)
  broker = new TokenBroker({ source, clock, timeoutMs: TIMEOUT_MS })
  broker.start()
  source.grant(HOUR)
})

const shown = (answer: TokenResult) => (answer.kind === 'token' ? answer.token.accessToken.reveal() : answer.kind)
const ask = (minValidity = MINUTE) => {
  const answers: string[] = []
  broker.ask({ kind: 'valid', minValidity, isStrict: false }, (answer) => answers.push(shown(answer)))
  return { answers }
}
const reject = (text: string, remote?: { last?: RemoteRejection }) => {
  const answers: string[] = []
  broker.rejected(accessToken(text), (answer) => answers.push(shown(answer)), remote)
  return { answers }
}

test('a waiting tool waits at most for half of the current token’s remaining life, unless it rejected that token', () => {
  time.pass(HOUR - 10_000)
  const patient = reject('token-1')
  const { answers } = ask()
  time.pass(4_999)
  expect(answers).toEqual([])
  time.pass(1)
  expect([answers, patient.answers]).toEqual([['token-1'], []])
  source.grant(HOUR)
  expect(patient.answers).toEqual(['token-2'])
})

describe('a tool that waits for a sign-in', () => {
  const EIGHT_HOURS = 8 * HOUR
  let holds = 0
  const wait = (milliseconds: number, minValidity = MINUTE) => {
    const answers: string[] = []
    const end = () => {
      holds -= 1
    }
    const begin = () => {
      holds += 1
      return end
    }
    const request = { kind: 'valid', minValidity, isStrict: false } as const
    const cancel = broker.ask(request, (answer) => answers.push(shown(answer)), { milliseconds, begin })
    return { answers, cancel }
  }

  const away = () => {
    time.pass(HOUR)
    source.refresh()
    source.fail('unreachable', HOUR)
  }
  const ending = () => {
    time.pass(HOUR - MINUTE / 2)
    source.refuse()
  }
  test.each<readonly [string, () => void]>([
    ['nobody is signed in', () => source.signOut()],
    ['the service can’t be reached', away],
    ['the last token is about to expire', ending],
  ])('waits if %s, whatever happens meanwhile, and gets the next token at once', (_, begins) => {
    begins()
    const { answers } = wait(EIGHT_HOURS)
    const { refreshes } = source
    for (const kind of ['restoring', 'locked', 'restoring', 'signedOut'] as const) {
      time.pass(HOUR)
      source.become({ kind })
    }
    expect([answers, holds]).toEqual([[], 1])
    source.grant(HOUR)
    expect([answers, holds]).toEqual([['token-2'], 0])
    // The tool causes no refresh, because the session refreshes by itself.
    expect(source.refreshes).toBe(refreshes)
  })

  test('is told “signed out” once its time is over, even if the computer slept meanwhile', () => {
    const before = time.pending()
    source.signOut()
    const [first, second] = [wait(HOUR), wait(EIGHT_HOURS)]
    wait(EIGHT_HOURS).cancel()
    expect(holds).toBe(2)
    time.pass(HOUR - 1)
    expect(first.answers).toEqual([])
    time.pass(1)
    expect([first.answers, second.answers]).toEqual([['signedOut'], []])
    time.sleep(EIGHT_HOURS)
    time.pass(30_000)
    expect([second.answers, holds, time.pending()]).toEqual([['signedOut'], 0, before])
  })

  test('if no token is valid for as long as requested, gets one that expires sooner', () => {
    const first = wait(HOUR, 2 * HOUR)
    expect(first.answers).toEqual(['token-1'])
    time.pass(HOUR / 2)
    const second = wait(HOUR, 2 * HOUR)
    source.grant(HOUR)
    expect([second.answers, source.refreshes]).toEqual([['token-2'], 1])
  })
})

describe('the rate of refreshes', () => {
  /** Rejects the token; returns the delay until a refresh begins. */
  const untilRefreshed = (number: number, tools = 1) => {
    const before = { refreshes: source.refreshes, now: time.wall() }
    for (let other = 1; other < tools; other++) reject(`token-${number}`)
    const { answers } = reject(`token-${number}`)
    while (source.refreshes === before.refreshes) time.pass(REFRESH_INTERVAL_MS / 10)
    source.grant(HOUR)
    expect(answers).toEqual([`token-${number + 1}`])
    return time.wall() - before.now
  }

  test('falls if 3 tools reject every new token, but never so far that a request times out', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7].map((number) => untilRefreshed(number, 3))
    const doubling = [0, 1, 2, 4, 8].map((times) => times * REFRESH_INTERVAL_MS)
    expect(pauses).toEqual([...doubling, TIMEOUT_MS / 2, TIMEOUT_MS / 2])
  })

  test.each([HOUR / 10, TIMEOUT_MS + REFRESH_INTERVAL_MS])('returns to normal after %i ms', (age) => {
    for (const number of [1, 2, 3]) untilRefreshed(number)
    time.pass(8 * REFRESH_INTERVAL_MS + age)
    expect([untilRefreshed(4), untilRefreshed(5)]).toEqual([0, REFRESH_INTERVAL_MS])
  })

  const held = () => (source.tokenState.kind === 'signedIn' ? source.tokenState : { token: undefined, refresh: idle })
  const isRefreshing = () => held().refresh.kind === 'running'
  test.each([31_000, HOUR])(
    'SECURITY: a remote machine that rejects each token causes few refreshes (token lifetime: %i ms)',
    (lifetime) => {
      source.grant(lifetime)
      const remote = {}
      const rejectCurrent = () => reject(held().token?.accessToken.reveal() ?? '', remote)
      const pause = Math.max(REMOTE_INTERVAL_MS, lifetime / 10)
      for (let passed = 0; passed < 20 * pause; passed += REFRESH_INTERVAL_MS) {
        const [{ answers }, second] = [rejectCurrent(), rejectCurrent()]
        if (answers.length === 0) source.grant(lifetime)
        expect(answers).toHaveLength(1)
        expect(second.answers).toEqual(answers)
        time.pass(REFRESH_INTERVAL_MS)
      }
      expect(source.refreshes).toBe(20)
    },
  )

  test('SECURITY: tools cause one refresh per 10 s at most, even if they reject tokens that live for a second', () => {
    source.grant(1_000)
    for (let each = 0; each < 1_000; each++) {
      ask()
      reject(held().token?.accessToken.reveal() ?? '')
      if (isRefreshing()) source.grant(1_000)
      time.pass(100)
    }
    expect(source.refreshes).toBeLessThanOrEqual(100_000 / SHORT_LIVED_INTERVAL_MS + 1)
    expect(source.refreshes).toBeGreaterThan(5)
  })

  test('SECURITY: tools cause at most one refresh in half a token’s lifetime, even if they ask for a longer validity', () => {
    const lifetime = 31_000
    source.grant(lifetime)
    for (let passed = 0; passed < 20 * lifetime; passed += lifetime / 100) {
      const { answers } = ask(2 * lifetime)
      if (isRefreshing()) source.grant(lifetime)
      expect(answers).toEqual([expect.stringContaining('token-')])
      time.pass(lifetime / 100)
    }
    expect(source.refreshes).toBeLessThanOrEqual(40)
    expect(source.refreshes).toBeGreaterThan(20)
  })
})

const token: CurrentToken = { accessToken: accessToken('current'), receivedAt: 0, expiresAt: HOUR }
const idle: RefreshState = { kind: 'idle', notBefore: 0 }
const limited: RefreshState = { kind: 'idle', notBefore: 90_000, failure: 'rateLimited', issuer: 'identityProvider' }
const running: RefreshState = { kind: 'running' }
const held = (refresh: RefreshState): TokenState => ({ kind: 'signedIn', account: 'ana', token, refresh })
const none = (refresh: RefreshState): TokenState => ({ kind: 'signedIn', account: 'ana', refresh })
const valid = (minValidity = MINUTE, isStrict = false): TokenRequest => ({ kind: 'valid', minValidity, isStrict })
const another = (text = 'current'): TokenRequest => ({ kind: 'another', than: accessToken(text) })

test.each<[string, TokenRequest, TokenState, number, number | undefined]>([
  ['not if the token lives long enough, even during a refresh', valid(), held(running), HOUR - MINUTE, undefined],
  ['not if the token is young', valid(24 * HOUR), held(idle), HOUR / 10 - 1, undefined],
  ['if the token has reached a tenth of its life', valid(24 * HOUR), held(idle), HOUR / 10, HOUR / 10 + TIMEOUT_MS],
  ['once a refresh may be requested again', valid(0), none(limited), 90_000, 90_000 + TIMEOUT_MS],
  ['if the current token was rejected', another(), held(idle), 0, TIMEOUT_MS],
  ['while the session is restored', valid(), { kind: 'restoring' }, 0, TIMEOUT_MS],
  ['not if the keychain is locked', valid(), { kind: 'locked' }, 0, undefined],
])('whether and how long a tool waits: %s', (_, request, state, now, until) => {
  expect(waitUntil(request, state, now, now + TIMEOUT_MS)).toBe(until)
})

const served = { kind: 'token', token, account: 'ana' }
const unavailable = (reason: string, retryAt: number) => ({ kind: 'unavailable', reason, retryAt })
const tooShort = { kind: 'tooShort', left: HOUR, minValidity: 2 * HOUR }
const LIMITED = { ...unavailable('rateLimited', 90_000), issuer: 'identityProvider' }
test.each<[string, TokenRequest, TokenState, number, object]>([
  ['a valid token, even if it expires sooner than requested', valid(24 * HOUR), held(idle), HOUR - 1, served],
  [
    'an error if even a new token expires too soon for a strict request',
    valid(2 * HOUR, true),
    held(idle),
    0,
    tooShort,
  ],
  ['a token that is valid for exactly as long as a strict request asks', valid(HOUR, true), held(idle), 0, served],
  ['an error if the token has expired', valid(0), held(running), HOUR, unavailable('unreachable', HOUR + 1_000)],
  ['who failed, why, and when to retry', valid(0), none(limited), 0, LIMITED],
  ['an error if the keychain is locked', valid(), { kind: 'locked' }, 0, unavailable('keychainUnavailable', 10_000)],
])('a tool gets %s', (_, request, state, now, answer) => {
  expect(tokenResultOf(request, state, now)).toEqual(answer)
})

import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Authenticator } from '../../../contract/challenges.ts'
import type { Failure } from '../../../contract/failures.ts'
import { ManualTime, settle } from '../../../test/support/manual-time.ts'
import { PAIR } from '../../../test/support/session/grant-contract.ts'
import { DeadlineClock } from '../../base/clock.ts'
import { Secret } from '../../base/secret.ts'
import type { FactorVerification, SecondFactorProvider } from '../ports.ts'
import type { Challenge, GrantStep } from './grant.ts'
import { SecondFactor } from './second-factor.ts'

const app: Authenticator = { id: 'totp|1', kind: 'app' }
const phone: Authenticator = { id: 'sms|1', kind: 'textMessage', label: '•• 89' }
const push: Authenticator = { id: 'push|1', kind: 'push' }
const recovery: Authenticator = { id: 'recovery|1', kind: 'recoveryCode' }
const oobCode = new Secret('out-of-band code', 'SECRET-oob')
const code = (text: string) => ({ code: new Secret('code', text) })
const tokens: FactorVerification = { kind: 'tokens', tokens: PAIR }
const pending = (slowDown = false): FactorVerification => ({ kind: 'pending', slowDown })
const refused = (failure: Failure): FactorVerification => ({ kind: 'failure', failure })

let time: ManualTime
let remembered: string | undefined
const provider = {
  authenticators: vi.fn<SecondFactorProvider['authenticators']>(),
  challenge: vi.fn<SecondFactorProvider['challenge']>(),
  verify: vi.fn<SecondFactorProvider['verify']>(),
}

beforeEach(() => {
  time = new ManualTime()
  remembered = undefined
  provider.authenticators.mockReset().mockResolvedValue({ ok: true, value: [app] })
  provider.challenge.mockReset().mockImplementation(async (_, { kind }) => ({
    ok: true,
    value:
      kind === 'app'
        ? { kind: 'shownCode' }
        : { kind: 'outOfBand', oobCode, isTyped: kind !== 'push', intervalMs: 3_000 },
  }))
  provider.verify.mockReset().mockResolvedValue(tokens)
})

let username = 'ana'
const begin = (...enrolled: Authenticator[]): Promise<GrantStep> => beginWith(undefined, ...enrolled)
const beginWith = (signal: AbortSignal | undefined, ...enrolled: Authenticator[]): Promise<GrantStep> => {
  provider.authenticators.mockResolvedValue({ ok: true, value: enrolled })
  const usual = {
    is: (...mark: readonly string[]) => mark.join() === remembered,
    set: (...mark: readonly string[]) => {
      remembered = mark.join()
    },
  }
  return new SecondFactor(new Secret('MFA token', 'SECRET-mfa'), username, {
    provider,
    usual,
    clock: new DeadlineClock(time),
  }).begin(signal)
}

function challengeOf(step: GrantStep): Challenge {
  if (step.kind !== 'challenge') throw new Error(`no challenge, but ${JSON.stringify(step)}`)
  return step.challenge
}

describe('the first step of a second factor', () => {
  test('is the authenticator’s challenge if there is only one authenticator', async () => {
    expect(challengeOf(await begin(app)).description).toEqual({ kind: 'code', authenticator: app })
    expect(challengeOf(await begin(push)).description).toEqual({ kind: 'approval', authenticator: push })
    expect(challengeOf(await begin(recovery)).description).toEqual({ kind: 'recoveryCode', authenticator: recovery })
  })

  test('lets the user choose between several authenticators, and challenges none before the choice', async () => {
    const choose = challengeOf(await begin(app, phone))
    expect(choose.description).toEqual({ kind: 'choose', options: [app, phone] })
    expect(provider.challenge).not.toHaveBeenCalled()
    const step = await choose.answer({ option: phone.id })
    expect(challengeOf(step).description).toEqual({ kind: 'code', authenticator: phone })
  })

  test('suggests the authenticator used last if the user still has it', async () => {
    const choose = challengeOf(await begin(app, phone))
    await challengeOf(await choose.answer({ option: phone.id })).answer(code('123456'))
    expect(challengeOf(await begin(app, phone)).description).toMatchObject({ usual: phone.id })
    expect(challengeOf(await begin(app, push)).description).not.toHaveProperty('usual')
    username = 'ana.m'
    onTestFinished(() => {
      username = 'ana'
    })
    expect(challengeOf(await begin(app, phone)).description).not.toHaveProperty('usual')
  })

  test('SECURITY: an authenticator that wasn’t offered is not accepted', async () => {
    const choose = challengeOf(await begin(app, phone))
    expect(await choose.answer({ option: push.id })).toMatchObject({ kind: 'challenge', challenge: choose })
    expect(provider.challenge).not.toHaveBeenCalled()
  })

  test('sends the user no code if the sign-in is cancelled before the authenticators are known', async () => {
    const abort = new AbortController()
    const begun = beginWith(abort.signal, phone)
    abort.abort()
    expect(await begun).toMatchObject({ kind: 'failure', failure: { code: 'sessionEnded' } })
    expect(provider.challenge).not.toHaveBeenCalled()
  })

  test('fails if no authenticator is enrolled, or if the provider can’t be reached', async () => {
    expect(await begin()).toMatchObject({ kind: 'failure', failure: { problem: 'notEnrolled' } })
    const failure = { code: 'unreachable' } as const
    provider.challenge.mockResolvedValue({ ok: false, failure })
    expect(await begin(app)).toEqual({ kind: 'failure', failure })
    const choose = challengeOf(await begin(app, phone))
    expect(await choose.answer({ option: app.id })).toEqual({ kind: 'challenge', challenge: choose, failure })
  })
})

describe('a code', () => {
  test.each(['123 456', '123456', ' 1234-5678\n'])('may be typed with spaces and dashes: %j', async (typed) => {
    expect(await challengeOf(await begin(app)).answer(code(typed))).toEqual({ kind: 'tokens', tokens: PAIR })
    const proof = provider.verify.mock.calls[0]?.[1]
    expect(proof?.kind === 'shownCode' && proof.code.reveal()).toBe(typed.replace(/\D/g, ''))
  })

  test('isn’t sent while digits are missing', async () => {
    const challenge = challengeOf(await begin(app))
    const step = await challenge.answer(code('12345'))
    expect(step).toEqual({ kind: 'challenge', challenge, failure: { code: 'invalidInput', problem: 'codeLength' } })
    expect(provider.verify).not.toHaveBeenCalled()
  })

  test('may have any length if the provider sent it to the user', async () => {
    expect(await challengeOf(await begin(phone)).answer(code('1234'))).toEqual({ kind: 'tokens', tokens: PAIR })
    const proof = provider.verify.mock.calls[0]?.[1]
    expect(proof).toMatchObject({ kind: 'outOfBand', oobCode })
  })

  test.each(['rejected', 'rateLimited', 'unreachable'] as const)(
    'can be entered again after this failure: %s',
    async (reason) => {
      const challenge = challengeOf(await begin(app))
      provider.verify.mockResolvedValueOnce(refused({ code: reason }))
      expect(await challenge.answer(code('123456'))).toEqual({
        kind: 'challenge',
        challenge,
        failure: { code: reason },
      })
      expect(await challenge.answer(code('123456'))).toEqual({ kind: 'tokens', tokens: PAIR })
    },
  )

  test.each([
    [{ code: 'rejected' }, 10, 'stepExpired'],
    [{ code: 'sessionEnded', problem: 'stepRefused' }, 10, 'stepExpired'],
    [{ code: 'sessionEnded', problem: 'stepRefused' }, 9, 'stepRefused'],
  ] as const)('a code that is refused with %j after %i minutes fails with %s', async (failure, minutes, problem) => {
    const challenge = challengeOf(await begin(app))
    time.pass(minutes * 60_000)
    provider.verify.mockResolvedValueOnce(refused(failure))
    expect(await challenge.answer(code('123456'))).toEqual({
      kind: 'failure',
      failure: { code: 'sessionEnded', problem },
    })
  })
})

describe('an approval', () => {
  test('is polled at the provider’s interval, and less often if the provider asks for that', async () => {
    provider.verify.mockResolvedValueOnce(pending()).mockResolvedValueOnce(pending(true)).mockResolvedValueOnce(tokens)
    const answered = challengeOf(await begin(push)).answer({})
    const asked: number[] = []
    for (let second = 1; second <= 20; second += 1) {
      await time.passSettling(1_000)
      asked.push(provider.verify.mock.calls.length)
    }
    expect(asked.indexOf(1) + 1).toBe(3)
    expect(asked.indexOf(2) + 1).toBe(6)
    expect(asked.indexOf(3) + 1).toBe(14)
    expect(await answered).toEqual({ kind: 'tokens', tokens: PAIR })
    expect(time.pending()).toBe(0)
  })

  test('isn’t polled after the sign-in was cancelled', async () => {
    const challenge = challengeOf(await begin(push))
    const answered = challenge.answer({})
    challenge.cancel()
    expect(await answered).toMatchObject({ kind: 'failure', failure: { code: 'sessionEnded' } })
    await time.passSettling(60_000)
    expect(provider.verify).not.toHaveBeenCalled()
    expect(time.pending()).toBe(0)
  })

  test('ends the sign-in if it is refused on the phone', async () => {
    provider.verify.mockResolvedValueOnce(refused({ code: 'rejected' }))
    const answered = challengeOf(await begin(push)).answer({})
    await time.passSettling(3_000)
    expect(await answered).toMatchObject({ kind: 'failure', failure: { problem: 'approvalRefused' } })
  })

  test('ends the sign-in if it isn’t given within ten minutes', async () => {
    provider.verify.mockResolvedValue(pending())
    const answered = challengeOf(await begin(push)).answer({})
    await time.passSettling(11 * 60_000)
    expect(await answered).toMatchObject({ kind: 'failure', failure: { problem: 'stepExpired' } })
  })

  test('can be waited for again after a network failure', async () => {
    provider.verify.mockResolvedValueOnce(refused({ code: 'unreachable' }))
    const challenge = challengeOf(await begin(push))
    const first = challenge.answer({})
    await time.passSettling(3_000)
    expect(await first).toMatchObject({ kind: 'challenge', challenge })
    const second = challenge.answer({})
    await time.passSettling(3_000)
    expect(await second).toEqual({ kind: 'tokens', tokens: PAIR })
  })
})

describe('a recovery code', () => {
  test('is replaced after its use, and the user sees the new one before the sign-in ends', async () => {
    const recoveryCode = new Secret('new recovery code', 'SECRET-new')
    provider.verify.mockResolvedValueOnce({ kind: 'tokens', tokens: PAIR, recoveryCode })
    const challenge = challengeOf(await begin(recovery))
    expect(challenge.mayReveal).toBe(true)
    const step = await challenge.answer({ recoveryCode: new Secret('recoveryCode', ' AB 12 ') })
    const proof = provider.verify.mock.calls[0]?.[1]
    expect(proof?.kind === 'recoveryCode' && proof.code.reveal()).toBe('AB12')
    const shown = challengeOf(step)
    expect(shown.revealed?.reveal()).toBe('SECRET-new')
    expect(JSON.stringify(step)).not.toContain('SECRET')
    time.pass(60_000)
    const last = await shown.answer({})
    // `receivedAt` is 0, as on a new clock, although the user took a minute to confirm the new code.
    expect(last).toMatchObject({ kind: 'tokens', tokens: { receivedAt: new DeadlineClock(time).now() } })
  })
})

test('SECURITY: no step’s text contains a code, an MFA token or an out-of-band code', async () => {
  provider.verify.mockResolvedValue(refused({ code: 'rejected' }))
  await settle()
  for (const enrolled of [app, phone, recovery]) {
    const step = await begin(enrolled)
    const next = await challengeOf(step).answer(code('918273'))
    expect(JSON.stringify([step, next])).not.toMatch(/SECRET|918273/)
  }
})

import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Authenticator } from '../../../contract/challenges.ts'
import type { Failure } from '../../../contract/failures.ts'
import { ManualTime } from '../../../test/support/manual-time.ts'
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

interface Circumstances {
  readonly username?: string
  readonly signal?: AbortSignal
}
const begin = (enrolled: readonly Authenticator[], { username = 'ana', signal }: Circumstances = {}) => {
  provider.authenticators.mockResolvedValue({ ok: true, value: enrolled })
  const usual = {
    is: (...mark: readonly string[]) => mark.join() === remembered,
    set: (...mark: readonly string[]) => {
      remembered = mark.join()
    },
  }
  const clock = new DeadlineClock(time)
  return new SecondFactor(new Secret('MFA token', 'SECRET-mfa'), username, { provider, usual, clock }).begin(signal)
}

function challengeOf(step: GrantStep): Challenge {
  if (step.kind !== 'challenge') throw new Error(`no challenge, but ${JSON.stringify(step)}`)
  return step.challenge
}

describe('the first step of a second factor', () => {
  test('is the challenge of the only authenticator, or a choice that challenges none', async () => {
    expect(challengeOf(await begin([push])).description).toEqual({ kind: 'approval', authenticator: push })
    expect(challengeOf(await begin([recovery])).description).toEqual({ kind: 'recoveryCode', authenticator: recovery })
    provider.challenge.mockClear()
    const choose = challengeOf(await begin([app, phone]))
    expect(choose.description).toEqual({ kind: 'choose', options: [app, phone] })
    expect(provider.challenge).not.toHaveBeenCalled()
    const step = await choose.answer({ option: phone.id })
    expect(challengeOf(step).description).toEqual({ kind: 'code', authenticator: phone })
  })

  test('suggests the authenticator that the same user used last', async () => {
    const choose = challengeOf(await begin([app, phone]))
    await challengeOf(await choose.answer({ option: phone.id })).answer(code('123456'))
    expect(challengeOf(await begin([app, phone])).description).toMatchObject({ usual: phone.id })
    expect(challengeOf(await begin([app, push])).description).not.toHaveProperty('usual')
    expect(challengeOf(await begin([app, phone], { username: 'ana.m' })).description).not.toHaveProperty('usual')
  })

  test('SECURITY: an authenticator that wasn’t offered is not accepted', async () => {
    const choose = challengeOf(await begin([app, phone]))
    expect(await choose.answer({ option: push.id })).toMatchObject({ kind: 'challenge', challenge: choose })
    expect(provider.challenge).not.toHaveBeenCalled()
  })

  test('fails if no authenticator is enrolled, the provider can’t be reached, or the sign-in is cancelled', async () => {
    expect(await begin([])).toMatchObject({ kind: 'failure', failure: { problem: 'notEnrolled' } })
    const failure = { code: 'unreachable' } as const
    provider.challenge.mockResolvedValue({ ok: false, failure })
    expect(await begin([app])).toEqual({ kind: 'failure', failure })
    const choose = challengeOf(await begin([app, phone]))
    expect(await choose.answer({ option: app.id })).toEqual({ kind: 'challenge', challenge: choose, failure })
    provider.challenge.mockClear()
    // A cancelled sign-in sends the user no code.
    expect(await begin([phone], { signal: AbortSignal.abort() })).toMatchObject({ kind: 'failure' })
    expect(provider.challenge).not.toHaveBeenCalled()
  })
})

describe('a code', () => {
  test('may be typed with spaces and dashes, and isn’t sent while digits are missing', async () => {
    const challenge = challengeOf(await begin([app]))
    const failure = { code: 'invalidInput', problem: 'codeLength' }
    expect(await challenge.answer(code('12345'))).toEqual({ kind: 'challenge', challenge, failure })
    expect(provider.verify).not.toHaveBeenCalled()
    expect(await challenge.answer(code(' 123 4-56\n'))).toEqual({ kind: 'tokens', tokens: PAIR })
    const proof = provider.verify.mock.calls[0]?.[1]
    expect(proof?.kind === 'shownCode' && proof.code.reveal()).toBe('123456')
    // A code that the provider has sent may have any length.
    expect(await challengeOf(await begin([phone])).answer(code('1234'))).toEqual({ kind: 'tokens', tokens: PAIR })
    expect(provider.verify.mock.calls[1]?.[1]).toMatchObject({ kind: 'outOfBand', oobCode })
  })

  test.each(['rejected', 'rateLimited', 'unreachable'] as const)(
    'can be entered again if it was %s',
    async (reason) => {
      const challenge = challengeOf(await begin([app]))
      const failure = { code: reason }
      provider.verify.mockResolvedValueOnce(refused(failure))
      expect(await challenge.answer(code('123456'))).toEqual({ kind: 'challenge', challenge, failure })
      expect(await challenge.answer(code('123456'))).toEqual({ kind: 'tokens', tokens: PAIR })
    },
  )

  test.each([
    [{ code: 'rejected' }, 10, 'stepExpired'],
    [{ code: 'sessionEnded', problem: 'stepRefused' }, 10, 'stepExpired'],
    [{ code: 'sessionEnded', problem: 'stepRefused' }, 9, 'stepRefused'],
  ] as const)('that is refused with %j after %i minutes fails with %s', async (failure, minutes, problem) => {
    const challenge = challengeOf(await begin([app]))
    time.pass(minutes * 60_000)
    provider.verify.mockResolvedValueOnce(refused(failure))
    const expected = { kind: 'failure', failure: { code: 'sessionEnded', problem } }
    expect(await challenge.answer(code('123456'))).toEqual(expected)
  })
})

describe('an approval', () => {
  const waited = async (challenge: Challenge, seconds: number) => {
    const answered = challenge.answer({})
    await time.passSettling(seconds * 1_000)
    return answered
  }

  test('is polled at the provider’s interval, less often if the provider asks for that, and no longer once it is cancelled', async () => {
    const polled: number[] = []
    const start = time.trueTime
    provider.verify.mockImplementation(async () => {
      polled.push((time.trueTime - start) / 1_000)
      return polled.length === 3 ? tokens : pending(polled.length === 2)
    })
    expect(await waited(challengeOf(await begin([push])), 20)).toEqual({ kind: 'tokens', tokens: PAIR })
    expect(polled).toEqual([3, 6, 14])
    const challenge = challengeOf(await begin([push]))
    const answered = challenge.answer({})
    challenge.cancel()
    expect(await answered).toMatchObject({ kind: 'failure', failure: { code: 'sessionEnded' } })
    expect(time.pending()).toBe(0)
  })

  test('ends the sign-in if it is refused, or isn’t given within ten minutes, but not if the network fails', async () => {
    provider.verify.mockResolvedValueOnce(refused({ code: 'unreachable' }))
    const challenge = challengeOf(await begin([push]))
    expect(await waited(challenge, 3)).toMatchObject({ kind: 'challenge', challenge })
    provider.verify.mockResolvedValueOnce(refused({ code: 'rejected' }))
    expect(await waited(challenge, 3)).toMatchObject({ kind: 'failure', failure: { problem: 'approvalRefused' } })
    provider.verify.mockResolvedValue(pending())
    expect(await waited(challenge, 660)).toMatchObject({ kind: 'failure', failure: { problem: 'stepExpired' } })
  })
})

test('a recovery code is replaced after its use, and the user sees the new one before the sign-in ends', async () => {
  const recoveryCode = new Secret('new recovery code', 'SECRET-new')
  provider.verify.mockResolvedValueOnce({ kind: 'tokens', tokens: PAIR, recoveryCode })
  const challenge = challengeOf(await begin([recovery]))
  expect(challenge.mayReveal).toBe(true)
  const step = await challenge.answer({ recoveryCode: new Secret('recoveryCode', ' AB 12 ') })
  const proof = provider.verify.mock.calls[0]?.[1]
  expect(proof?.kind === 'recoveryCode' && proof.code.reveal()).toBe('AB12')
  const shown = challengeOf(step)
  expect(shown.revealed?.reveal()).toBe('SECRET-new')
  expect(JSON.stringify(step)).not.toContain('SECRET')
  time.pass(60_000)
  // `receivedAt` is 0, as on a new clock, although the user took a minute to confirm the new code.
  expect(await shown.answer({})).toMatchObject({ kind: 'tokens', tokens: { receivedAt: 0 } })
})

test('SECURITY: no step’s text contains a code, an MFA token or an out-of-band code', async () => {
  provider.verify.mockResolvedValue(refused({ code: 'rejected' }))
  for (const enrolled of [app, phone, recovery]) {
    const step = await begin([enrolled])
    const next = await challengeOf(step).answer(code('918273'))
    expect(JSON.stringify([step, next])).not.toMatch(/SECRET|918273/)
  }
})

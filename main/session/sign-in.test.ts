import { beforeEach, describe, expect, test } from 'vitest'
import type { ChallengeView } from '../../contract/challenges.ts'
import { OK, type Outcome } from '../../contract/failures.ts'
import { settle } from '../../test/support/manual-time.ts'
import { APP, PAIR, THIRD } from '../../test/support/session/grant-contract.ts'
import { signInPorts } from '../../test/support/session/sign-in-ports.ts'
import { password, Secret } from '../base/secret.ts'
import {
  type Challenge,
  type Grant,
  type GrantInput,
  type GrantStep,
  grantsByName,
  SUPERSEDED,
} from './grants/grant.ts'
import { SignIn } from './sign-in.ts'
import type { PublishedState } from './state.ts'

const TOKENS: GrantStep = { kind: 'tokens', tokens: PAIR }
const REJECTED: GrantStep = { kind: 'failure', failure: { code: 'rejected' } }
const refused: Outcome = { ok: false, failure: { code: 'rejected' } }
const ANA = { username: 'ana', password: password('x') }

/** Pending steps in the order of their requests. A test may answer them in any order. */
let asked: {
  readonly what: string
  readonly input: GrantInput
  readonly step: (step: GrantStep) => Promise<void>
  readonly fail: (bug: Error) => Promise<void>
}[]
let cancelled: string[]
let log: string[]
let state: PublishedState
/** The service's response to a revocation under way, if there is one. */
let revocation: Promise<void> | undefined
let signIn: SignIn
let closing: AbortController
let bugWithTokens: Error | undefined

const ask = (what: string, input: GrantInput): Promise<GrantStep> =>
  new Promise((resolve, reject) => {
    asked.push({
      what,
      input,
      fail(bug) {
        reject(bug)
        return settle()
      },
      step(step) {
        resolve(step)
        return settle()
      },
    })
  })
const challenge = (name: string): Challenge => ({
  description: { kind: 'code', authenticator: { ...APP, label: name } },
  answer: (input) => ask(name, input),
  cancel: () => cancelled.push(name),
})
const opens = (...[one, failure]: [Challenge, 'rejected'?]): GrantStep => ({
  kind: 'challenge',
  challenge: one,
  ...(failure && { failure: { code: failure } }),
})
const open = (): ChallengeView | undefined => (state.now.kind === 'signingIn' ? state.now.challenge : undefined)
const answer = (id = open()?.id ?? '') => signIn.answer(id, 'code', { code: new Secret('code', '1') })

beforeEach(() => {
  bugWithTokens = undefined
  asked = []
  revocation = undefined
  cancelled = []
  log = []
  const ports = signInPorts(log)
  state = ports.state
  const grant: Grant = { description: THIRD, issuer: 'https://issuer.example', begin: (input) => ask('begin', input) }
  closing = new AbortController()
  signIn = new SignIn({
    signal: closing.signal,
    grants: grantsByName([grant]),
    ...ports,
    refresher: {
      ...ports.refresher,
      async begin(...session) {
        if (bugWithTokens !== undefined) throw bugWithTokens
        return ports.refresher.begin(...session)
      },
    },
    revoker: {
      ...ports.revoker,
      responseFrom: (issuer) => (issuer === 'https://issuer.example' ? revocation : undefined),
    },
  })
})

const begin = (input: GrantInput = ANA) => signIn.begin('third', input)
const beginWithChallenge = async (name = 'first') => {
  const outcome = begin()
  await asked.at(-1)?.step(opens(challenge(name)))
  await expect(outcome).resolves.toEqual(OK)
}

test('a sign-in with an unknown grant fails as not configured and sends nothing', async () => {
  await expect(signIn.begin('other', ANA)).resolves.toMatchObject({ failure: { code: 'notConfigured' } })
  expect(state.now.kind).toBe('signedOut')
})

describe('a sign-in without a challenge', () => {
  test('tokens begin a session', async () => {
    const outcome = begin()
    expect(state.now).toMatchObject({ kind: 'signingIn' })
    await asked[0]?.step(TOKENS)
    await expect(outcome).resolves.toEqual(OK)
    expect(log).toEqual(['session of ana', 'revocations go on'])
  })

  test('a failure brings the earlier state back', async () => {
    const outcome = begin()
    await asked[0]?.step(REJECTED)
    await expect(outcome).resolves.toEqual(refused)
    expect(state.now.kind).toBe('signedOut')
    expect(log).toEqual(['revocations go on'])
  })

  test('a call with the same input joins the sign-in under way; of the calls with other input, only the newest waits', async () => {
    const [one, same, second, third] = [begin(), begin(), begin({ username: 'ben' }), begin({ username: 'cy' })]
    expect(asked).toHaveLength(1)
    await asked[0]?.step(REJECTED)
    await expect(Promise.all([one, same, second])).resolves.toEqual([refused, refused, SUPERSEDED])
    expect(asked.map(({ input }) => input.username)).toEqual(['ana', 'cy'])
    await asked[1]?.step(TOKENS)
    await expect(third).resolves.toEqual(OK)
  })

  test.each<[string, GrantInput]>([
    ['password', { ...ANA, password: password('y') }],
    ['username', { ...ANA, username: 'Ana' }],
    ['set of fields', { username: 'ana' }],
  ])('a call doesn’t join the sign-in under way if the %s differs', async (_, other) => {
    void begin()
    void begin(other)
    await asked[0]?.step(REJECTED)
    expect(asked).toHaveLength(2)
  })

  test('the tokens of a cancelled sign-in are revoked', async () => {
    const outcome = begin()
    signIn.cancel()
    expect(state.now.kind).toBe('signedOut')
    await asked[0]?.step(TOKENS)
    await expect(outcome).resolves.toEqual(SUPERSEDED)
    expect(log).toEqual(['revocations go on', 'revokes SECRET-refresh'])
  })
})

describe('a sign-in while a revocation is under way at the same issuer', () => {
  let revoked = (): void => {}
  beforeEach(() => {
    revocation = new Promise((resolve) => {
      revoked = resolve
    })
  })

  test('sends no request until the service has responded to the revocation', async () => {
    const outcome = begin()
    await settle()
    expect([state.now.kind, asked]).toEqual(['signingIn', []])
    revoked()
    await settle()
    await asked[0]?.step(TOKENS)
    await expect(outcome).resolves.toEqual(OK)
    expect(log).toEqual(['session of ana', 'revocations go on'])
  })

  test('sends no request if it is cancelled before the service has responded', async () => {
    const outcome = begin()
    signIn.cancel()
    revoked()
    await expect(outcome).resolves.toEqual(SUPERSEDED)
    expect([state.now.kind, asked]).toEqual(['signedOut', []])
  })
})

describe('a sign-in with a challenge', () => {
  test('keeps the challenge, its id and its issuer in the state until an answer brings tokens', async () => {
    await beginWithChallenge()
    expect(open()).toEqual({
      kind: 'code',
      authenticator: { ...APP, label: 'first' },
      id: '1',
      issuer: 'identityProvider',
    })
    const outcome = answer()
    await asked[1]?.step(TOKENS)
    await expect(outcome).resolves.toEqual(OK)
    expect(log).toEqual(['session of ana', 'revocations go on'])
  })

  test('keeps the challenge open under the same id after a wrong answer', async () => {
    const first = challenge('first')
    const begun = begin()
    await asked[0]?.step(opens(first))
    await begun
    const wrong = answer()
    await asked[1]?.step(opens(first, 'rejected'))
    await expect(wrong).resolves.toEqual(refused)
    expect(open()).toMatchObject({ id: '1' })
    const right = answer()
    await asked[2]?.step(TOKENS)
    await expect(right).resolves.toEqual(OK)
  })

  test('doesn’t send a second answer while the first is checked, and both have the same result', async () => {
    await beginWithChallenge()
    const outcomes = [answer(), answer()]
    expect(asked).toHaveLength(2)
    await asked[1]?.step(REJECTED)
    await expect(Promise.all(outcomes)).resolves.toEqual([refused, refused])
  })

  test('SECURITY: an answer of the wrong kind or without the open challenge’s id is ignored', async () => {
    await expect(answer('1')).resolves.toEqual(SUPERSEDED)
    await beginWithChallenge()
    await expect(signIn.answer('1', 'approval', {})).resolves.toEqual(SUPERSEDED)
    await expect(answer('2')).resolves.toEqual(SUPERSEDED)
    expect(asked).toHaveLength(1)
  })

  test('if cancelled, brings back the earlier state, cancels the challenge and revokes late tokens', async () => {
    await beginWithChallenge()
    const outcome = answer()
    signIn.cancel()
    expect(state.now).toEqual({ kind: 'signedOut', revocation: 'none' })
    expect(cancelled).toEqual(['first'])
    await asked[1]?.step(TOKENS)
    await expect(outcome).resolves.toEqual(SUPERSEDED)
    expect(log).toEqual(['revocations go on', 'revokes SECRET-refresh'])
  })

  test('can’t be cancelled while a recovery code is checked, because the new code would be lost', async () => {
    const begun = begin()
    await asked[0]?.step(opens({ ...challenge('first'), mayReveal: true }))
    await begun
    const answered = answer()
    signIn.cancel()
    const other = begin({ username: 'ben' })
    expect([open()?.id, cancelled, log]).toEqual(['1', [], []])
    await expect(other).resolves.toEqual(SUPERSEDED)
    await asked[1]?.step(opens({ ...challenge('second'), revealed: new Secret('new recovery code', 'NEW') }))
    await expect(answered).resolves.toEqual(OK)
    expect(signIn.recoveryCode('2')).toBe('NEW')
    signIn.cancel()
    expect([state.now.kind, cancelled, log]).toEqual(['signedOut', ['second'], ['revocations go on']])
  })

  test('cancels a challenge that comes after the sign-in was cancelled', async () => {
    const outcome = begin()
    signIn.cancel()
    await asked[0]?.step(opens(challenge('late')))
    await expect(outcome).resolves.toEqual(SUPERSEDED)
    expect(cancelled).toEqual(['late'])
    expect(state.now.kind).toBe('signedOut')
  })

  test('cancels the open challenge of an earlier sign-in', async () => {
    await beginWithChallenge()
    void begin()
    expect(cancelled).toEqual(['first'])
    expect(state.now).toMatchObject({ kind: 'signingIn' })
    expect(open()).toBeUndefined()
    await asked[1]?.step(opens(challenge('second')))
    expect(open()).toMatchObject({ id: '2' })
  })

  test('cancels its challenge on `abandon`, and leaves the state as it is', async () => {
    await beginWithChallenge()
    signIn.abandon()
    expect(cancelled).toEqual(['first'])
    expect(state.now.kind).toBe('signingIn')
    expect(log).toEqual([])
  })

  test('cancels its challenge when the program stops, but keeps tokens that still come', async () => {
    await beginWithChallenge()
    const outcome = answer()
    closing.abort()
    expect(cancelled).toEqual(['first'])
    await asked[1]?.step(TOKENS)
    await expect(outcome).resolves.toEqual(OK)
    expect(log).toEqual(['session of ana', 'revocations go on'])
  })
})

describe('a bug ends the sign-in, is reported, and doesn’t stop the next sign-in:', () => {
  const bug = new Error('a bug')

  test('in the first step', async () => {
    const outcome = expect(begin()).rejects.toBe(bug)
    await asked[0]?.fail(bug)
    await outcome
    expect([state.now.kind, log]).toEqual(['signedOut', ['revocations go on']])
    await beginWithChallenge()
    expect(open()).toBeDefined()
  })

  test('in the answer to a challenge', async () => {
    await beginWithChallenge()
    const outcome = expect(answer()).rejects.toBe(bug)
    await asked[1]?.fail(bug)
    await outcome
    expect([state.now.kind, cancelled, log]).toEqual(['signedOut', ['first'], ['revocations go on']])
    await expect(answer('1')).resolves.toEqual(SUPERSEDED)
  })

  test('after the tokens have come', async () => {
    bugWithTokens = bug
    const outcome = expect(begin()).rejects.toBe(bug)
    await asked[0]?.step(TOKENS)
    await outcome
    expect(state.now.kind).toBe('signedOut')
    await beginWithChallenge()
    expect(open()).toBeDefined()
  })
})

describe('SECURITY: a new recovery code is secret', () => {
  const CODE = 'NEW-RECOVERY-CODE'
  const beginWithCode = async () => {
    await beginWithChallenge()
    const answered = answer()
    const shown: Challenge = { ...challenge('second'), revealed: new Secret('new recovery code', CODE) }
    await asked.at(-1)?.step(opens(shown))
    await expect(answered).resolves.toEqual(OK)
    return open()?.id ?? ''
  }

  test('it is revealed only for its challenge’s id, and is in no state', async () => {
    const id = await beginWithCode()
    expect(signIn.recoveryCode(id)).toBe(CODE)
    for (const other of ['', '0', String(Number(id) - 1), String(Number(id) + 1)]) {
      expect(signIn.recoveryCode(other)).toBeUndefined()
    }
    expect(open()).toEqual({ ...challenge('second').description, id, issuer: THIRD.issuer })
  })

  test.each<[string, () => unknown]>([
    ['has confirmed', () => [answer(), asked.at(-1)?.step(TOKENS)]],
    ['has cancelled', () => signIn.cancel()],
    ['has signed out', () => signIn.abandon()],
  ])('it isn’t revealed again once the user %s', async (_, end) => {
    const id = await beginWithCode()
    end()
    await settle()
    expect(signIn.recoveryCode(id)).toBeUndefined()
  })
})

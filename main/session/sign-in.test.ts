import { beforeEach, describe, expect, it } from 'vitest'
import type { ChallengeView } from '../../contract/challenges.ts'
import { OK, type Outcome } from '../../contract/failures.ts'
import { ManualTime, settle } from '../../test/support/manual-time.ts'
import { APP, PAIR, THIRD } from '../../test/support/session/grant-contract.ts'
import { DeadlineClock } from '../base/clock.ts'
import { password, Secret } from '../base/secret.ts'
import { Tasks } from '../base/waits.ts'
import { type Challenge, type GrantInput, type GrantStep, grantsByName, SUPERSEDED } from './grants/grant.ts'
import { SessionRecord } from './session-record.ts'
import { SignIn } from './sign-in.ts'
import { PublishedState } from './state.ts'

const ISSUER = 'https://issuer.example'
const TOKENS: GrantStep = { kind: 'tokens', tokens: { ...PAIR, identity: { name: 'Ana A' } } }
const REJECTED: GrantStep = { kind: 'failure', failure: { code: 'rejected' } }
const refused: Outcome = { ok: false, failure: { code: 'rejected' } }
const ANA = { username: 'ana', password: password('x') }

/** Pending steps in the order of their requests. A test may answer them in any order. */
let asked: {
  readonly input: GrantInput
  readonly signal: AbortSignal | undefined
  readonly step: (step: GrantStep) => Promise<void>
  readonly fail: (bug: Error) => Promise<void>
}[]
let cancelled: string[]
/** What happens to sessions and revocations. */
let log: string[]
let state: PublishedState
/** The service's response to a revocation under way, if there is one. */
let revocation: Promise<void> | undefined
let signIn: SignIn
let closing: AbortController
let bugWithTokens: Error | undefined

const ask = (input: GrantInput, signal?: AbortSignal): Promise<GrantStep> =>
  new Promise((resolve, reject) => {
    asked.push({
      input,
      signal,
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
  answer: ask,
  cancel: () => cancelled.push(name),
})
const revealing = (name: string): Challenge => ({
  ...challenge(name),
  revealed: new Secret('new recovery code', 'NEW'),
})
const opens = (one: Challenge, code?: 'rejected'): GrantStep => ({
  kind: 'challenge',
  challenge: one,
  ...(code && { failure: { code } }),
})
const open = (): ChallengeView | undefined => (state.now.kind === 'signingIn' ? state.now.challenge : undefined)
const answer = (id = open()?.id ?? '') => signIn.answer(id, 'code', { code: new Secret('code', '1') })
const begin = (input: GrantInput = ANA) => signIn.begin('third', input)
const beginWith = async (first: Challenge) => {
  const outcome = begin()
  await asked.at(-1)?.step(opens(first))
  await expect(outcome).resolves.toEqual(OK)
}

beforeEach(() => {
  bugWithTokens = undefined
  asked = []
  revocation = undefined
  cancelled = []
  log = []
  state = new PublishedState()
  state.dispatch({ type: 'nothingStored', revocation: 'none' })
  closing = new AbortController()
  const clock = new DeadlineClock(new ManualTime())
  signIn = new SignIn({
    signal: closing.signal,
    grants: grantsByName([{ description: THIRD, issuer: ISSUER, begin: ask }]),
    clock,
    record: new SessionRecord(clock),
    state,
    tasks: new Tasks(),
    refresher: {
      pending: undefined,
      async begin({ account }) {
        if (bugWithTokens !== undefined) throw bugWithTokens
        log.push(`session of ${account.username}`)
        return OK
      },
    },
    revoker: {
      responseFrom: (issuer) => (issuer === ISSUER ? revocation : undefined),
      add: () => 'pending',
      addSession: () => true,
      async revoke(_, { refreshToken }) {
        log.push(`revokes ${refreshToken?.reveal()}`)
      },
      async run() {
        log.push('revocations go on')
      },
    },
  })
})

describe('a sign-in', () => {
  it('is joined by a call with the same input; of the calls with other input, only the newest waits', async () => {
    const other = { ...ANA, password: password('y') }
    const [one, same, second, third] = [begin(), begin(), begin(other), begin({})]
    expect(asked).toHaveLength(1)
    await asked[0]?.step(REJECTED)
    await expect(Promise.all([one, same, second])).resolves.toEqual([refused, refused, SUPERSEDED])
    expect([asked.length, asked[1]?.input, log]).toEqual([2, {}, ['revocations go on']])
    await asked[1]?.step(TOKENS)
    await expect(third).resolves.toEqual(OK)
    // If no username was typed, the tokens name the user.
    expect(log.slice(1)).toEqual(['session of Ana A', 'revocations go on'])
  })

  it('brings back the earlier state if it is cancelled, and its late tokens are revoked', async () => {
    const outcome = begin()
    signIn.cancel()
    expect(state.now.kind).toBe('signedOut')
    await asked[0]?.step(TOKENS)
    await expect(outcome).resolves.toEqual(SUPERSEDED)
    expect(log).toEqual(['revocations go on', 'revokes SECRET-refresh'])
  })

  it.each<[string, () => void]>([
    ['cancelled', () => signIn.cancel()],
    ['abandoned', () => signIn.abandon()],
    ['stopped with the app', () => closing.abort()],
  ])('that is %s aborts its step, and cancels a challenge that comes late', async (_, end) => {
    const outcome = begin()
    end()
    expect(asked[0]?.signal?.aborted).toBe(true)
    await asked[0]?.step(opens(challenge('late')))
    await expect(outcome).resolves.toEqual(SUPERSEDED)
    expect(cancelled).toEqual(['late'])
  })

  it('sends nothing until the service has responded to a revocation, and nothing then if it was cancelled', async () => {
    for (const isCancelled of [false, true]) {
      let revoked = (): void => {}
      revocation = new Promise((resolve) => {
        revoked = resolve
      })
      asked = []
      void begin()
      await settle()
      expect([state.now.kind, asked]).toEqual(['signingIn', []])
      if (isCancelled) signIn.cancel()
      revoked()
      await settle()
      expect(asked).toHaveLength(isCancelled ? 0 : 1)
      await asked[0]?.step(REJECTED)
    }
  })
})

describe('a sign-in with a challenge', () => {
  it('keeps the challenge open under the same id after a wrong answer, until an answer brings tokens', async () => {
    const first = challenge('first')
    await beginWith(first)
    const description = { kind: 'code', authenticator: { ...APP, label: 'first' } }
    expect(open()).toEqual({ ...description, id: '1', issuer: 'identityProvider' })
    // A second answer isn't sent while the first is checked, and both have the same result.
    const outcomes = [answer(), answer()]
    expect(asked).toHaveLength(2)
    await asked[1]?.step(opens(first, 'rejected'))
    await expect(Promise.all(outcomes)).resolves.toEqual([refused, refused])
    expect(open()).toMatchObject({ id: '1' })
    const right = answer()
    await asked[2]?.step(TOKENS)
    await expect(right).resolves.toEqual(OK)
    expect(log).toEqual(['session of ana', 'revocations go on'])
  })

  it('SECURITY: an answer of the wrong kind or without the open challenge’s id is ignored', async () => {
    await expect(answer('1')).resolves.toEqual(SUPERSEDED)
    await beginWith(challenge('first'))
    await expect(signIn.answer('1', 'approval', {})).resolves.toEqual(SUPERSEDED)
    await expect(answer('2')).resolves.toEqual(SUPERSEDED)
    expect(asked).toHaveLength(1)
  })

  it('if cancelled, cancels the challenge and revokes late tokens', async () => {
    await beginWith(challenge('first'))
    const outcome = answer()
    signIn.cancel()
    expect([state.now.kind, cancelled]).toEqual(['signedOut', ['first']])
    await asked[1]?.step(TOKENS)
    await expect(outcome).resolves.toEqual(SUPERSEDED)
    expect(log).toEqual(['revocations go on', 'revokes SECRET-refresh'])
  })

  it('cancels the open challenge when another sign-in begins', async () => {
    await beginWith(challenge('first'))
    void begin()
    expect([cancelled, open()]).toEqual([['first'], undefined])
    await asked[1]?.step(opens(challenge('second')))
    expect(open()).toMatchObject({ id: '2' })
  })

  it('cancels its challenge when the program stops, but keeps tokens that still come', async () => {
    await beginWith(challenge('first'))
    const outcome = answer()
    closing.abort()
    expect(cancelled).toEqual(['first'])
    await asked[1]?.step(TOKENS)
    await expect(outcome).resolves.toEqual(OK)
    expect(log).toEqual(['session of ana', 'revocations go on'])
  })
})

it('a bug ends the sign-in in each of its steps, is reported, and doesn’t stop the next sign-in', async () => {
  const bug = new Error('a bug')
  const first = expect(begin()).rejects.toBe(bug)
  await asked[0]?.fail(bug)
  await first
  expect(state.now.kind).toBe('signedOut')
  await beginWith(challenge('first'))
  const second = expect(answer()).rejects.toBe(bug)
  await asked[2]?.fail(bug)
  await second
  expect([state.now.kind, cancelled]).toEqual(['signedOut', ['first']])
  bugWithTokens = bug
  const third = expect(begin()).rejects.toBe(bug)
  await asked[3]?.step(TOKENS)
  await third
  expect(state.now.kind).toBe('signedOut')
})

describe('a new recovery code', () => {
  it('can’t be lost: until the response has come, the sign-in can’t be cancelled or replaced', async () => {
    await beginWith({ ...challenge('first'), mayReveal: true })
    const answered = answer()
    signIn.cancel()
    await expect(begin({ username: 'ben' })).resolves.toEqual(SUPERSEDED)
    expect([open()?.id, cancelled, signIn.holdsRecoveryCode]).toEqual(['1', [], true])
    await asked[1]?.step(opens(revealing('second')))
    await expect(answered).resolves.toEqual(OK)
    await expect(begin({ username: 'ben' })).resolves.toEqual(SUPERSEDED)
    expect([signIn.recoveryCode('2'), signIn.holdsRecoveryCode]).toEqual(['NEW', true])
    signIn.cancel()
    expect([state.now.kind, cancelled, signIn.holdsRecoveryCode]).toEqual(['signedOut', ['second'], false])
  })

  it('SECURITY: it is revealed only for its open challenge, and is in no state', async () => {
    const ends = [() => void answer(), () => signIn.cancel(), () => signIn.abandon()]
    for (const end of ends) {
      await beginWith(revealing('first'))
      const { id = '' } = open() ?? {}
      expect(signIn.recoveryCode(id)).toBe('NEW')
      expect(signIn.recoveryCode(`${id}0`)).toBeUndefined()
      expect(JSON.stringify(state.now)).not.toContain('NEW')
      end()
      await asked.at(-1)?.step(TOKENS)
      expect(signIn.recoveryCode(id)).toBeUndefined()
    }
  })
})

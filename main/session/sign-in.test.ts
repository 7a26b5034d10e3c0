import { beforeEach, describe, expect, it } from 'vitest'
import type { ChallengeView } from '../../contract/challenges.ts'
import { OK, type Outcome } from '../../contract/failures.ts'
import { settle } from '../../test/support/manual-time.ts'
import { APP, PAIR, THIRD } from '../../test/support/session/grant-contract.ts'
import { ModelDesktop, NAME } from '../../test/support/session/model-desktop.ts'
import { password, Secret } from '../base/secret.ts'
import {
  type Challenge,
  type Grant,
  type GrantInput,
  type GrantStep,
  grantsByName,
  RECOVERY_CODE_UNDER_WAY,
  SUPERSEDED,
} from './grants/grant.ts'
import type { SignIn } from './sign-in.ts'

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
let revoked: string[]
let desktop: ModelDesktop
let signIn: SignIn

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
const grant: Grant = {
  description: { ...THIRD, capabilities: { ...THIRD.capabilities, revoke: true } },
  issuer: NAME,
  begin: ask,
  refresh: async () => refused,
  async revoke(_, token) {
    revoked.push(token.reveal())
    return OK
  },
}
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
const open = (): ChallengeView | undefined => (desktop.state.kind === 'signingIn' ? desktop.state.challenge : undefined)
const answer = (id = open()?.id ?? '') => signIn.answer(id, 'code', { code: new Secret('code', '1') })
const begin = (input: GrantInput = ANA) => signIn.begin('third', input)
const beginWith = async (first: Challenge) => {
  const outcome = begin()
  await asked.at(-1)?.step(opens(first))
  await expect(outcome).resolves.toEqual(OK)
}

beforeEach(async () => {
  asked = []
  cancelled = []
  revoked = []
  desktop = new ModelDesktop()
  desktop.grants = (grants) => grantsByName([...grants.values(), grant])
  await desktop.start()
  signIn = desktop.session.signIn
})

describe('a sign-in', () => {
  it('is joined by a call with the same input; of the calls with other input, only the newest waits', async () => {
    const other = { ...ANA, password: password('y') }
    const [one, same, second, third] = [begin(), begin(), begin(other), begin({})]
    expect(asked).toHaveLength(1)
    await asked[0]?.step(REJECTED)
    await expect(Promise.all([one, same, second])).resolves.toEqual([refused, refused, SUPERSEDED])
    expect([asked.length, asked[1]?.input]).toEqual([2, {}])
    await asked[1]?.step(TOKENS)
    await expect(third).resolves.toEqual(OK)
    // If no username was typed, the tokens name the user.
    expect(desktop.state).toMatchObject({ kind: 'active', account: { username: 'Ana A' } })
  })

  it.each<[string, () => void]>([
    ['cancelled', () => signIn.cancel()],
    ['abandoned', () => signIn.abandon()],
    ['stopped with the app', () => void desktop.session.stop()],
  ])('that is %s aborts its step, and cancels a challenge that comes late', async (_, end) => {
    const outcome = begin()
    end()
    expect(asked[0]?.signal?.aborted).toBe(true)
    await asked[0]?.step(opens(challenge('late')))
    await expect(outcome).resolves.toEqual(SUPERSEDED)
    expect(cancelled).toEqual(['late'])
  })

  it.each([false, true])(
    'sends nothing until the service has responded to a revocation, and nothing then if it was cancelled: %s',
    async (isCancelled) => {
      await desktop.signIn('ana')
      desktop.answer({ logout: undefined })
      void desktop.session.signOut()
      await settle()
      void begin()
      await settle()
      expect([desktop.state.kind, asked]).toEqual(['signingIn', []])
      if (isCancelled) signIn.cancel()
      await desktop.reply()
      expect(asked).toHaveLength(isCancelled ? 0 : 1)
    },
  )
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
    expect(desktop.state).toMatchObject({ kind: 'active', account: { username: 'ana' } })
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
    expect([desktop.state.kind, cancelled]).toEqual(['signedOut', ['first']])
    await asked[1]?.step(TOKENS)
    await expect(outcome).resolves.toEqual(SUPERSEDED)
    expect(revoked).toEqual(['SECRET-refresh'])
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
    void desktop.session.stop()
    expect(cancelled).toEqual(['first'])
    await asked[1]?.step(TOKENS)
    await expect(outcome).resolves.toEqual(OK)
    expect(desktop.entry?.username).toBe('ana')
  })
})

it('a bug ends the sign-in in each of its steps, is reported, and doesn’t stop the next sign-in', async () => {
  const bug = new Error('a bug')
  const first = expect(begin()).rejects.toBe(bug)
  await asked[0]?.fail(bug)
  await first
  expect(desktop.state.kind).toBe('signedOut')
  await beginWith(challenge('first'))
  const second = expect(answer()).rejects.toBe(bug)
  await asked[2]?.fail(bug)
  await second
  expect([desktop.state.kind, cancelled]).toEqual(['signedOut', ['first']])
  desktop.random = () => {
    throw bug
  }
  const third = expect(begin()).rejects.toBe(bug)
  await asked[3]?.step(TOKENS)
  await third
  expect(desktop.state.kind).toBe('signedOut')
})

describe('a new recovery code', () => {
  it('can’t be lost: the user can’t sign in or out until it is confirmed, nor cancel before it has come', async () => {
    await beginWith({ ...challenge('first'), mayReveal: true })
    const answered = answer()
    signIn.cancel()
    await expect(begin({ username: 'ben' })).resolves.toEqual(SUPERSEDED)
    await expect(desktop.session.signOut()).resolves.toEqual(RECOVERY_CODE_UNDER_WAY)
    expect([open()?.id, cancelled]).toEqual(['1', []])
    await asked[1]?.step(opens(revealing('second')))
    await expect(answered).resolves.toEqual(OK)
    await expect(begin({ username: 'ben' })).resolves.toEqual(SUPERSEDED)
    await expect(desktop.session.signOut()).resolves.toEqual(RECOVERY_CODE_UNDER_WAY)
    expect(signIn.recoveryCode('2')).toBe('NEW')
    const confirmed = answer()
    await asked[2]?.step(TOKENS)
    await expect(confirmed).resolves.toEqual(OK)
    await expect(desktop.session.signOut()).resolves.toEqual(OK)
  })

  it('SECURITY: it is revealed only for its open challenge, and is in no state', async () => {
    const ends = [() => signIn.cancel(), () => signIn.abandon(), () => void answer()]
    for (const end of ends) {
      await beginWith(revealing('first'))
      const { id = '' } = open() ?? {}
      expect(signIn.recoveryCode(id)).toBe('NEW')
      expect(signIn.recoveryCode(`${id}0`)).toBeUndefined()
      expect(JSON.stringify(desktop.state)).not.toContain('NEW')
      end()
      await asked.at(-1)?.step(TOKENS)
      expect(signIn.recoveryCode(id)).toBeUndefined()
    }
  })
})

/** For tests: what every grant must do. */
import { describe, expect, test, vi } from 'vitest'
import type { Authenticator } from '../../../contract/challenges.ts'
import { type Failure, OK, type Outcome } from '../../../contract/failures.ts'
import type { GrantDescription } from '../../../contract/grants.ts'
import { accessToken, password, refreshToken } from '../../../main/base/secret.ts'
import type { Challenge, Grant, GrantInput, GrantStep } from '../../../main/session/grants/grant.ts'
import type { TokenPair } from '../../../main/session/ports.ts'

export const PAIR: TokenPair = {
  accessToken: accessToken('SECRET-access'),
  refreshToken: refreshToken('SECRET-refresh'),
}

/** A grant that the product doesn't have. */
export const THIRD: GrantDescription = {
  name: 'third',
  issuer: 'identityProvider',
  fields: [{ name: 'username', kind: 'text', autocomplete: 'username', maxLength: 64, sentAs: 'json' }],
  capabilities: { refresh: true, revoke: false, changePassword: false },
}

export const APP: Authenticator = { id: 'otp', kind: 'app' }

/** The outcomes of the issuer's client, by method name. */
export interface Answers {
  readonly login: Outcome<TokenPair>
  readonly refresh: Outcome<TokenPair>
  readonly logout: Outcome
  readonly changePassword: Outcome
}

export const ANSWERS: Answers = {
  login: { ok: true, value: PAIR },
  refresh: { ok: true, value: PAIR },
  logout: OK,
  changePassword: OK,
}

/** A client that gives these outcomes and records its calls. */
export function clientOf(answers: Partial<Answers> = {}) {
  const { login, refresh, logout, changePassword } = { ...ANSWERS, ...answers }
  return {
    issuer: 'https://issuer.example',
    login: vi.fn(async () => login),
    refresh: vi.fn(async () => refresh),
    logout: vi.fn(async () => logout),
    changePassword: vi.fn(async () => changePassword),
  }
}

interface GrantUnderTest {
  readonly make: (answers?: Partial<Answers>) => Grant
  readonly input: GrantInput
  readonly solve?: (challenge: Challenge) => GrantInput
}

const secretsOf = (input: GrantInput): readonly string[] =>
  Object.values(input).flatMap((value) => (typeof value === 'string' ? [] : [value.reveal()]))

export function describeGrant(name: string, { make, input, solve = () => ({}) }: GrantUnderTest): void {
  const signIn = async (grant: Grant): Promise<GrantStep> => {
    let step = await grant.begin(input)
    for (let count = 0; step.kind === 'challenge' && count < 5; count += 1) {
      step = await step.challenge.answer(solve(step.challenge))
    }
    return step
  }

  describe(`the ${name} grant, like every grant,`, () => {
    test('has exactly the methods of the capabilities that it declares', () => {
      const { description, refresh, revoke, changePassword } = make()
      expect({ refresh: !!refresh, revoke: !!revoke, changePassword: !!changePassword }).toEqual(
        description.capabilities,
      )
    })

    test('describes exactly the fields of its input', () => {
      const { description } = make()
      expect(Object.keys(input).sort()).toEqual(description.fields.map((field) => field.name).sort())
      expect(structuredClone(description)).toEqual(description)
    })

    test('yields the issuer’s tokens', async () => {
      expect(await signIn(make())).toEqual({ kind: 'tokens', tokens: PAIR })
    })

    const failures: readonly Failure[] = [
      { code: 'rejected', serverText: 'No.' },
      { code: 'unreachable', details: { cause: 'ENOTFOUND' } },
    ]
    test.each(failures)('yields the issuer’s failure without throwing: $code', async (failure) => {
      expect(await signIn(make({ login: { ok: false, failure } }))).toEqual({ kind: 'failure', failure })
    })

    test('SECURITY: no step of a sign-in contains a secret from the user’s input', async () => {
      const steps = [
        await make().begin(input),
        await signIn(make({ login: { ok: false, failure: { code: 'rejected' } } })),
      ]
      const shown = JSON.stringify(steps)
      for (const secret of secretsOf(input)) expect(shown).not.toContain(secret)
    })

    test('returns the issuer’s responses to a refresh, a revocation and a password change', async () => {
      const ended = { ok: false, failure: { code: 'sessionEnded' } } as const
      const { accessToken: access, refreshToken: refresh = refreshToken('') } = PAIR
      for (const answer of [OK, ended]) {
        const grant = make({ logout: answer, changePassword: answer })
        if (grant.revoke !== undefined) expect(await grant.revoke(access, refresh)).toEqual(answer)
        if (grant.changePassword !== undefined) {
          expect(await grant.changePassword(access, input.password ?? password('x'))).toEqual(answer)
        }
      }
      for (const answer of [ANSWERS.refresh, ended]) {
        const grant = make({ refresh: answer })
        if (grant.refresh !== undefined) expect(await grant.refresh(refresh)).toEqual(answer)
      }
    })

    test('settles a pending answer when its challenge is cancelled', async () => {
      const step = await make().begin(input)
      if (step.kind !== 'challenge') return expect(step.kind).toBe('tokens')
      const answered = step.challenge.answer(solve(step.challenge))
      step.challenge.cancel()
      expect(['tokens', 'failure', 'challenge']).toContain((await answered).kind)
    })
  })
}

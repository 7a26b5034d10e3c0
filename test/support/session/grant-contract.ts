import { describe, expect, test } from 'vitest'
import type { Authenticator } from '../../../contract/challenges.ts'
import { OK, type Outcome } from '../../../contract/failures.ts'
import type { GrantDescription } from '../../../contract/grants.ts'
import { accessToken, refreshToken } from '../../../main/base/secret.ts'
import type { Grant, GrantInput, GrantStep } from '../../../main/session/grants/grant.ts'
import type { TokenPair } from '../../../main/session/ports.ts'

export const PAIR: TokenPair = {
  accessToken: accessToken('SECRET-access'),
  refreshToken: refreshToken('SECRET-refresh'),
}

export const THIRD: GrantDescription = {
  name: 'third',
  issuer: 'identityProvider',
  fields: [{ name: 'username', kind: 'text', autocomplete: 'username', maxLength: 64, sentAs: 'json' }],
  capabilities: { refresh: true, revoke: false, changePassword: false },
}

export const APP: Authenticator = { id: 'otp', kind: 'app' }

export const LOGIN: Outcome<TokenPair> = { ok: true, value: PAIR }

export const clientOf = (login: Outcome<TokenPair> = LOGIN) => ({
  issuer: 'https://issuer.example',
  login: async () => login,
  refresh: async () => LOGIN,
  logout: async () => OK,
  changePassword: async () => OK,
})

interface GrantUnderTest {
  readonly make: (login?: Outcome<TokenPair>) => Grant
  readonly input: GrantInput
}

const secretsOf = (input: GrantInput): readonly string[] =>
  Object.values(input).flatMap((value) => (typeof value === 'string' ? [] : [value.reveal()]))

export function describeGrant(name: string, { make, input }: GrantUnderTest): void {
  const signIn = async (grant: Grant): Promise<GrantStep> => {
    let step = await grant.begin(input)
    for (let count = 0; step.kind === 'challenge' && count < 5; count += 1) {
      step = await step.challenge.answer({})
    }
    return step
  }

  describe(`the ${name} grant, like every grant,`, () => {
    test('describes exactly its methods and the fields of its input', () => {
      const { description, refresh, revoke, changePassword } = make()
      const methods = { refresh: !!refresh, revoke: !!revoke, changePassword: !!changePassword }
      expect(methods).toEqual(description.capabilities)
      expect(Object.keys(input).sort()).toEqual(description.fields.map((field) => field.name).sort())
    })

    test('SECURITY: yields the issuer’s tokens or failure, and no step contains a secret from the user’s input', async () => {
      const failure = { code: 'rejected', serverText: 'No.' } as const
      const [first, last, failed] = [
        await make().begin(input),
        await signIn(make()),
        await signIn(make({ ok: false, failure })),
      ]
      expect(last).toEqual({ kind: 'tokens', tokens: PAIR })
      expect(failed).toEqual({ kind: 'failure', failure })
      const shown = JSON.stringify([first, last, failed])
      for (const secret of secretsOf(input)) expect(shown).not.toContain(secret)
    })
  })
}

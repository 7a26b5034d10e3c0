/**
 * For tests only: two grants that the product doesn't have. The third grant asks for a username, and then for a code. The nameless grant asks for no input, so only its tokens name the account.
 */
import type { Authenticator } from '../../../../contract/challenges.ts'
import type { GrantDescription } from '../../../../contract/grants.ts'
import type { IdentityProvider } from '../../ports.ts'
import { password } from '../../secret.ts'
import { type Challenge, type Grant, type GrantInput, type GrantStep, stepOf } from '../grant.ts'

export const CODE = '123456'

export const THIRD: GrantDescription = {
  name: 'third',
  issuer: 'identityProvider',
  fields: [{ name: 'username', kind: 'text', autocomplete: 'username', maxLength: 64, sentAs: 'json' }],
  capabilities: { refresh: true, revoke: false, changePassword: false },
}

export const NAMELESS: GrantDescription = {
  name: 'nameless',
  issuer: 'identityProvider',
  fields: [],
  capabilities: { refresh: false, revoke: false, changePassword: false },
}

export const namelessGrant = (provider: IdentityProvider): Grant => ({
  description: NAMELESS,
  issuer: provider.issuer,
  begin: async () => stepOf(await provider.login({ username: '', password: password('') })),
})

export const APP: Authenticator = { id: 'otp', kind: 'app' }
export const PUSH: Authenticator = { id: 'push|1', kind: 'push', label: 'Ana’s phone' }

export class ThirdGrant implements Grant {
  readonly description = THIRD
  readonly issuer: string
  readonly #provider: IdentityProvider

  constructor(provider: IdentityProvider) {
    this.issuer = provider.issuer
    this.#provider = provider
  }

  async begin({ username = '' }: GrantInput): Promise<GrantStep> {
    return { kind: 'challenge', challenge: this.#choose(username) }
  }

  refresh(refreshToken: Parameters<IdentityProvider['refresh']>[0]) {
    return this.#provider.refresh(refreshToken)
  }

  #choose(username: string): Challenge {
    return {
      description: { kind: 'choose', options: [APP, PUSH] },
      answer: async () => ({ kind: 'challenge', challenge: this.#code(username) }),
      cancel: () => {},
    }
  }

  #code(username: string): Challenge {
    const challenge: Challenge = {
      description: { kind: 'code', authenticator: APP },
      answer: async ({ code }) =>
        code?.reveal() === CODE
          ? this.#tokens(username)
          : { kind: 'challenge', challenge, failure: { code: 'rejected' } },
      cancel: () => {},
    }
    return challenge
  }

  async #tokens(username: string): Promise<GrantStep> {
    return stepOf(await this.#provider.login({ username, password: password('') }))
  }
}

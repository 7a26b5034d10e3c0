/** For tests: a grant that the product doesn't have, and an authenticator. */
import type { Authenticator } from '../../../contract/challenges.ts'
import type { GrantDescription } from '../../../contract/grants.ts'

export const THIRD: GrantDescription = {
  name: 'third',
  issuer: 'identityProvider',
  fields: [{ name: 'username', kind: 'text', autocomplete: 'username', maxLength: 64, sentAs: 'json' }],
  capabilities: { refresh: true, revoke: false, changePassword: false },
}

export const APP: Authenticator = { id: 'otp', kind: 'app' }

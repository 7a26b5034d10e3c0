import { GRANTS } from '../../../contract/grants.ts'
import type { IdentityProvider } from '../ports.ts'
import { credentialsOf, type Grant, stepOf } from './grant.ts'

/** Endpoint 5: an account of the identity provider's. Nothing there revokes a token or changes the password. */
export const passwordRealmGrant = (provider: IdentityProvider): Grant => ({
  description: GRANTS.passwordRealm,
  issuer: provider.issuer,
  begin: async (input) => stepOf(await provider.login(credentialsOf(input))),
  refresh: (refreshToken) => provider.refresh(refreshToken),
})

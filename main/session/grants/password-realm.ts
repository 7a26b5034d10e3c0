import { GRANTS } from '../../../contract/grants.ts'
import type { IdentityProvider } from '../ports.ts'
import { credentialsOf, type Grant, stepOf } from './grant.ts'
import { SecondFactor, type SecondFactorPorts } from './second-factor.ts'

/** Sign-in with an account at the identity provider. This grant can neither revoke tokens nor change the password. */
export const passwordRealmGrant = (provider: IdentityProvider, secondFactor?: SecondFactorPorts): Grant => ({
  description: GRANTS.passwordRealm,
  issuer: provider.issuer,
  async begin(input, signal) {
    const credentials = credentialsOf(input)
    const answer = await provider.login(credentials)
    const { mfaToken } = answer
    const canGoOn = mfaToken !== undefined && secondFactor !== undefined
    return !canGoOn ? stepOf(answer) : new SecondFactor(mfaToken, credentials.username, secondFactor).begin(signal)
  },
  refresh: (refreshToken) => provider.refresh(refreshToken),
})

import { fail } from '../../../contract/failures.ts'
import { GRANTS } from '../../../contract/grants.ts'
import type { AuthorizationServer, AuthService, IdentityProvider } from '../ports.ts'
import { type BrowserPorts, browserGrant } from './browser.ts'
import { credentialsOf, type Grant, type Grants, grantsByName, stepOf } from './grant.ts'
import { SecondFactor, type SecondFactorPorts } from './second-factor.ts'

export interface Issuers {
  readonly service: AuthService
  /** The provider for the flow `password-realm`, to which Latchkey sends the username and password. */
  readonly identityProvider?: IdentityProvider | undefined
  /** The provider for the flow `browser`, on whose page the user signs in. */
  readonly browser?: { readonly server: AuthorizationServer; readonly ports: BrowserPorts } | undefined
  /** If absent, sign-in fails at a provider that asks for a second factor. */
  readonly secondFactor?: SecondFactorPorts | undefined
}

export const createGrants = ({ service, identityProvider, secondFactor, browser }: Issuers): Grants =>
  grantsByName([
    passwordGrant(service),
    ...(identityProvider === undefined ? [] : [passwordRealmGrant(identityProvider, secondFactor)]),
    ...(browser === undefined ? [] : [browserGrant(browser.server, browser.ports)]),
  ])

export const passwordGrant = (service: AuthService): Grant => ({
  description: GRANTS.password,
  issuer: service.issuer,
  begin: async (input) => stepOf(await service.login(credentialsOf(input))),
  refresh: (refreshToken) => service.refresh(refreshToken),
  revoke: async (accessToken, refreshToken) =>
    accessToken === undefined ? fail({ code: 'sessionEnded' }) : service.logout(accessToken, refreshToken),
  changePassword: (accessToken, newPassword) => service.changePassword(accessToken, newPassword),
})

export const passwordRealmGrant = (provider: IdentityProvider, secondFactor?: SecondFactorPorts): Grant => ({
  description: GRANTS.passwordRealm,
  issuer: provider.issuer,
  async begin(input, signal) {
    const credentials = credentialsOf(input)
    const response = await provider.login(credentials)
    const { mfaToken } = response
    if (mfaToken === undefined || secondFactor === undefined) return stepOf(response)
    return new SecondFactor(mfaToken, credentials.username, secondFactor).begin(signal)
  },
  refresh: (refreshToken) => provider.refresh(refreshToken),
})

/** All grants, built from the issuers that a connection uses. */
import type { AuthorizationServer, AuthService, IdentityProvider } from '../ports.ts'
import { type BrowserPorts, browserGrant } from './browser.ts'
import { type Grants, grantsByName } from './grant.ts'
import { passwordGrant } from './password.ts'
import { passwordRealmGrant } from './password-realm.ts'
import type { SecondFactorPorts } from './second-factor.ts'

export interface Issuers {
  readonly service: AuthService
  /** For the flow `password-realm`: Latchkey sends the username and password to this provider. */
  readonly identityProvider?: IdentityProvider | undefined
  /** For the flow `browser`: the user signs in on the provider's page. */
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

/** Every grant, over the issuers that a connection talks to. */
import type { AuthService, IdentityProvider } from '../ports.ts'
import { type Grants, grantsByName } from './grant.ts'
import { passwordGrant } from './password.ts'
import { passwordRealmGrant } from './password-realm.ts'
import type { SecondFactorPorts } from './second-factor.ts'

export interface Issuers {
  readonly service: AuthService
  /** Absent if single sign-on is not set up. */
  readonly identityProvider?: IdentityProvider | undefined
  /** Absent: a provider that asks for a second factor is refused. */
  readonly secondFactor?: SecondFactorPorts | undefined
}

export const createGrants = ({ service, identityProvider, secondFactor }: Issuers): Grants =>
  grantsByName([
    passwordGrant(service),
    ...(identityProvider === undefined ? [] : [passwordRealmGrant(identityProvider, secondFactor)]),
  ])

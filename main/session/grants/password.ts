import { fail } from '../../../contract/failures.ts'
import { GRANTS } from '../../../contract/grants.ts'
import type { AuthService } from '../ports.ts'
import { credentialsOf, type Grant, stepOf } from './grant.ts'

/** Sign-in with an account at the service itself. This grant can also revoke tokens and change the password. */
export const passwordGrant = (service: AuthService): Grant => ({
  description: GRANTS.password,
  issuer: service.issuer,
  begin: async (input) => stepOf(await service.login(credentialsOf(input))),
  refresh: (refreshToken) => service.refresh(refreshToken),
  revoke: async (accessToken, refreshToken) =>
    accessToken === undefined ? fail({ code: 'sessionEnded' }) : service.logout(accessToken, refreshToken),
  changePassword: (accessToken, newPassword) => service.changePassword(accessToken, newPassword),
})

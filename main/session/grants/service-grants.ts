import type { SignInMethod } from '../../../contract/sign-in-methods.ts'
import type { AuthService, AuthServices } from '../ports.ts'
import type { Grant, Grants } from './grant.ts'

/** The grants over the services that a connection talks to. */
export const grantsOf = ({ password, sso }: AuthServices): Grants => ({
  ...(password && { password: serviceGrant('password', password) }),
  ...(sso && { sso: serviceGrant('sso', sso) }),
})

function serviceGrant(name: SignInMethod, service: AuthService): Grant {
  const { logout, changePassword } = service
  return {
    name,
    issuer: service.issuer,
    capabilities: { refresh: true, revoke: logout !== undefined, changePassword: changePassword !== undefined },
    async begin(credentials) {
      const answer = await service.login(credentials)
      return answer.ok ? { kind: 'tokens', tokens: answer.value } : { kind: 'failure', failure: answer.failure }
    },
    refresh: (refreshToken) => service.refresh(refreshToken),
    ...(logout && { revoke: logout.bind(service) }),
    ...(changePassword && { changePassword: changePassword.bind(service) }),
  }
}

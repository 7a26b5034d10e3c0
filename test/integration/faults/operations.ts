/** A session's operations, each of which can fail. `ssoLogin` and all after it use the identity provider. */
import type { Outcome } from '../../../contract/failures.ts'
import { DEMO_CODES } from '../../../demo/second-factor.ts'
import { Secret } from '../../../main/base/secret.ts'
import { CREDENTIALS, PASSWORDS, type Rig } from './rig.ts'

/** `factor` sends the code of a second factor. `browser` exchanges the code from the browser. */
export const OPERATIONS = [
  ...(['login', 'refresh', 'logout', 'changePassword', 'ssoLogin', 'ssoRefresh'] as const),
  ...(['factor', 'browser', 'browserRefresh', 'browserLogout'] as const),
] as const
export type Operation = (typeof OPERATIONS)[number]

/** The request's name at the identity provider; absent if the request goes to the service. */
export const PROVIDERS: { readonly [O in Operation]?: 'token' | 'revoke' } = {
  ssoLogin: 'token',
  ssoRefresh: 'token',
  factor: 'token',
  browser: 'token',
  browserRefresh: 'token',
  browserLogout: 'revoke',
}

export async function prepare(rig: Rig, operation: Operation): Promise<void> {
  const { signIn } = rig.session
  if (operation === 'factor') await signIn.begin('passwordRealm', { ...CREDENTIALS, username: 'ana.app' })
  // A provider asks for a second factor with an error. This error is expected, so it is removed.
  rig.failures.length = 0
  if (operation === 'ssoRefresh') await signIn.begin('passwordRealm', CREDENTIALS)
  if (operation.startsWith('browser')) await signIn.begin('browser', {})
  if (operation === 'browserRefresh' || operation === 'browserLogout') await ACT.browser(rig)
  if (['refresh', 'logout', 'changePassword'].includes(operation)) await signIn.begin('password', CREDENTIALS)
}

export const ACT: { readonly [O in Operation]: (rig: Rig) => Promise<Outcome> } = {
  login: ({ session }) => session.signIn.begin('password', CREDENTIALS),
  refresh: ({ session }) => session.refresh(),
  logout: ({ session }) => session.signOut(),
  changePassword: ({ session }) => session.changePassword(PASSWORDS),
  ssoLogin: ({ session }) => session.signIn.begin('passwordRealm', CREDENTIALS),
  ssoRefresh: ({ session }) => session.refresh(),
  factor: (rig) => rig.answer({ code: new Secret('code', DEMO_CODES.app) }),
  browser: async (rig) => {
    // A failed attempt ends the sign-in, so the next one begins anew.
    if (rig.state.kind !== 'signingIn') await rig.session.signIn.begin('browser', {})
    return rig.answer({})
  },
  browserRefresh: ({ session }) => session.refresh(),
  browserLogout: ({ session }) => session.signOut(),
}

/** A session's operations, each of which can fail. `ssoLogin` and all after it use the identity provider. */
import type { Outcome } from '../../../contract/failures.ts'
import { DEMO_CODES } from '../../../demo/second-factor.ts'
import { Secret } from '../../../main/base/secret.ts'
import type { AppInstance, Call } from './app-instance.ts'
import { CREDENTIALS, PASSWORDS, type Rig } from './rig.ts'

/** `factor` sends the code of a second factor. `browser` exchanges the code from the browser. */
export const OPERATIONS = [
  ...(['login', 'refresh', 'logout', 'proof', 'changePassword', 'ssoLogin', 'ssoRefresh'] as const),
  ...(['factor', 'browser', 'browserRefresh', 'browserLogout'] as const),
] as const
export type Operation = (typeof OPERATIONS)[number]

export const callOf = (operation: Operation): Call => (operation === 'proof' ? 'login' : operation)

/** The request's name at the identity provider; absent if the request goes to the service. */
export const PROVIDERS: { readonly [O in Operation]?: 'token' | 'revoke' } = {
  ssoLogin: 'token',
  ssoRefresh: 'token',
  factor: 'token',
  browser: 'token',
  browserRefresh: 'token',
  browserLogout: 'revoke',
}

export const START: { readonly [O in Operation]: (rig: Rig) => Promise<AppInstance> } = {
  login: (rig) => rig.startInstance(),
  refresh: (rig) => rig.signedIn(),
  logout: (rig) => rig.signedIn(),
  proof: (rig) => rig.signedIn(),
  changePassword: (rig) => rig.signedIn(),
  ssoLogin: (rig) => rig.startInstance(),
  ssoRefresh: (rig) => rig.signedIn('passwordRealm'),
  factor: (rig) => rig.asked('passwordRealm', { ...CREDENTIALS, username: 'ana.app' }),
  browser: (rig) => rig.asked('browser', {}),
  browserRefresh: (rig) => signedInBrowser(rig),
  browserLogout: (rig) => signedInBrowser(rig),
}

export const ACT: { readonly [O in Operation]: (instance: AppInstance) => Promise<Outcome> } = {
  login: ({ session }) => session.signIn.begin('password', CREDENTIALS),
  refresh: ({ session }) => session.refresh(),
  logout: ({ session }) => session.signOut(),
  proof: ({ session }) => session.changePassword(PASSWORDS),
  changePassword: ({ session }) => session.changePassword(PASSWORDS),
  ssoLogin: ({ session }) => session.signIn.begin('passwordRealm', CREDENTIALS),
  ssoRefresh: ({ session }) => session.refresh(),
  factor: (instance) => instance.answer({ code: new Secret('code', DEMO_CODES.app) }),
  browser: async (instance) => {
    // A failed attempt ends the sign-in, so the next one begins anew.
    if (instance.state.kind !== 'signingIn') await instance.session.signIn.begin('browser', {})
    return instance.answer({})
  },
  browserRefresh: ({ session }) => session.refresh(),
  browserLogout: ({ session }) => session.signOut(),
}

async function signedInBrowser(rig: Rig): Promise<AppInstance> {
  const instance = await START.browser(rig)
  await ACT.browser(instance)
  return instance
}

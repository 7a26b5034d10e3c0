/** The engine's operations. `proof`: the login before a password change. `sso…`: at the identity provider. */
import type { Outcome } from '../../../contract/failures.ts'
import type { Call, Copy } from './copy.ts'
import { CREDENTIALS, PASSWORDS, type World } from './world.ts'

export const OPERATIONS = ['login', 'refresh', 'logout', 'proof', 'changePassword', 'ssoLogin', 'ssoRefresh'] as const
export type Operation = (typeof OPERATIONS)[number]

/** The request that it makes. */
export const callOf = (operation: Operation): Call => (operation === 'proof' ? 'login' : operation)

/** Prepares a copy of the app for the operation. */
export const START: { readonly [O in Operation]: (world: World) => Promise<Copy> } = {
  login: (world) => world.copy(),
  refresh: (world) => world.signedIn(),
  logout: (world) => world.signedIn(),
  proof: (world) => world.signedIn(),
  changePassword: (world) => world.signedIn(),
  ssoLogin: (world) => world.copy(),
  ssoRefresh: (world) => world.signedIn('passwordRealm'),
}

export const ACT: { readonly [O in Operation]: (copy: Copy) => Promise<Outcome> } = {
  login: ({ session }) => session.signIn('password', CREDENTIALS),
  refresh: ({ session }) => session.refresh(),
  logout: ({ session }) => session.signOut(),
  proof: ({ session }) => session.changePassword(PASSWORDS),
  changePassword: ({ session }) => session.changePassword(PASSWORDS),
  ssoLogin: ({ session }) => session.signIn('passwordRealm', CREDENTIALS),
  ssoRefresh: ({ session }) => session.refresh(),
}

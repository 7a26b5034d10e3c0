/** The ways to sign in. */

export const SIGN_IN_METHODS = ['password', 'sso'] as const
export type SignInMethod = (typeof SIGN_IN_METHODS)[number]

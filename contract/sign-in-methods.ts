/** The former names, until the session engine goes by grants. */
export { GRANT_NAMES as SIGN_IN_METHODS, type GrantName as SignInMethod } from './grants.ts'

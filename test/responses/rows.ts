/**
 * What real providers and HTTP gateways send. Tokens, names and times are made up, and fields without effect may be
 * missing. Add a response if no other row has its status, fields and error. `source` is one of these:
 * - the issuer's documentation or code, if we found the response there
 * - a page by someone who received the response (both as stored copies showed them in November 2026)
 * - `from memory`, if no page that we read shows the response
 * - `our own`, if nobody has reported this variant
 */

/** The app's requests. `redeem`, `renew` and `revoke` belong to the sign-in in the browser. */
export type Step =
  | 'login'
  | 'refresh'
  | 'logout'
  | 'realm'
  | 'realmRefresh'
  | 'authenticators'
  | 'challenge'
  | 'verify'
  | 'discovery'
  | 'redeem'
  | 'renew'
  | 'revoke'

export interface Row {
  readonly from: string
  readonly steps: readonly Step[]
  readonly status: number
  readonly body: string | object
  readonly headers?: Readonly<Record<string, string>>
  readonly encoding?: 'utf16le'
  /**
   * The expected outcome: `tokens` (with or without a refresh token), `done`, the authenticators' kinds, the kind of the
   * challenge, where the browser goes, or the failure's code and problem.
   */
  readonly becomes: string
  readonly says?: string
  readonly source: string
}

const JSON_TYPE = 'application/json'
const HTML = { 'content-type': 'text/html; charset=utf-8' }

const row = (
  from: string,
  steps: Step | readonly Step[],
  status: number,
  body: string | object,
  becomes: string,
  source: string,
  more: Partial<Row> = {},
): Row => ({ from, steps: [steps].flat() as Step[], status, body, becomes, source, ...more })

const base64 = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
const jwt = (claims: object): string =>
  [...[{ alg: 'RS256', typ: 'JWT' }, claims].map(base64), 'c2lnbmF0dXJl'].join('.')
const ACCESS = jwt({ sub: 'auth0|1', iat: 1_700_000_000, exp: 1_700_003_600 })
const SEALED = 'Fe26.2*82dcca*be81490d3f*aGVs*1760000000000*c2Fs*bWFj~2'

const OURS = 'our own'
/** The requests that refresh a session. An error that passes by itself never ends the session, whatever its status. */
const RENEWALS: readonly Step[] = ['refresh', 'realmRefresh', 'renew']

const AUTH0 = 'https://auth0.com/docs/api/authentication'
const AUTH0_MFA = 'https://github.com/auth0/docs/tree/master/articles/mfa/guides/mfa-api'
const AUTH0_REFRESH =
  'https://support.auth0.com/center/s/article/troubleshoot-refresh-token-unknown-or-invalid-before-expiry-403-unknown-or-invalid-refresh-token'
// biome-ignore format: a row a line reads as a table
const auth0: readonly Row[] = [
  row('Auth0', 'realm', 200, { access_token: ACCESS, id_token: ACCESS, scope: 'openid', expires_in: 86_400, token_type: 'Bearer' }, 'tokens, no refresh token', AUTH0),
  row('Auth0', 'realm', 200, { access_token: ACCESS, refresh_token: 'v1.MRrtH7bXy0-SBzJ8kz0v_mUS', scope: 'openid offline_access', expires_in: 86_400, token_type: 'Bearer' }, 'tokens', AUTH0),
  row('Auth0', 'realm', 403, { error: 'mfa_required', error_description: 'Multifactor authentication required', mfa_token: SEALED }, 'interactionRequired, mfa token', `${AUTH0_MFA}/authenticating.md`),
  row('Auth0', 'realm', 403, { error: 'mfa_required', error_description: 'Multifactor authentication required', mfa_token: SEALED, mfa_requirements: { challenge: [{ type: 'otp' }] } }, 'interactionRequired, mfa token', AUTH0),
  row('Auth0', 'realm', 403, { error: 'invalid_grant', error_description: 'Wrong email or password.' }, 'rejected', AUTH0, { says: 'Wrong email or password.' }),
  row('Auth0', 'realm', 429, { error: 'too_many_attempts', error_description: 'Your account has been blocked.' }, 'rateLimited: accountBlocked', AUTH0, { says: 'Your account has been blocked.' }),
  row('Auth0', 'realm', 403, { error: 'unauthorized_client', error_description: "Grant type 'http://auth0.com/oauth/grant-type/password-realm' not allowed for the client." }, 'notConfigured', AUTH0, { says: "Grant type 'http://auth0.com/oauth/grant-type/password-realm' not allowed for the client." }),
  row('Auth0', ['realm', 'realmRefresh', 'redeem', 'renew', 'revoke'], 401, { error: 'access_denied', error_description: 'Unauthorized' }, 'notConfigured', 'a wrong client or secret, or another method than the application’s: https://github.com/auth0/node-auth0/issues/582, https://github.com/auth0-samples/auth0-angular-samples/issues/201', { says: 'Unauthorized' }),
  row('Auth0, an action', 'realm', 403, { error: 'access_denied', error_description: 'Only from the office.' }, 'interactionRequired', 'from memory: api.access.deny of an action', { says: 'Only from the office.' }),
  row('Auth0, an action', 'redeem', 403, { error: 'access_denied', error_description: 'Only from the office.' }, 'interactionRequired: consentDenied', 'from memory: api.access.deny of an action', { says: 'Only from the office.' }),
  row('Auth0', ['realmRefresh', 'renew'], 403, { error: 'invalid_grant', error_description: 'Unknown or invalid refresh token.' }, 'sessionEnded', AUTH0_REFRESH, { says: 'Unknown or invalid refresh token.' }),
  row('Auth0', ['realmRefresh', 'renew'], 200, { access_token: ACCESS, id_token: null, scope: 'openid offline_access', expires_in: 86_400, token_type: 'Bearer' }, 'tokens', AUTH0),
  row('Auth0', 'authenticators', 200, [{ id: 'recovery-code|dev_O4KYL4FtcLAVRsCl', authenticator_type: 'recovery-code', active: true }, { id: 'sms|dev_NU1Ofuw3Cw0XCt5x', authenticator_type: 'oob', active: true, oob_channel: 'sms', name: 'XXXXXXXX8730' }], 'recoveryCode, textMessage XXXXXXXX8730', `${AUTH0_MFA}/sms.md`),
  row('Auth0', 'authenticators', 200, [{ id: 'recovery-code|dev_Ahb2Tb0ujX3w7ilC', authenticator_type: 'recovery-code', active: true }, { id: 'push|dev_ZUla9SQ6tAIHSz6y', authenticator_type: 'oob', active: true, oob_channel: 'auth0', name: "user's device name" }, { id: 'totp|dev_gJ6Y6vpSrjnKeT67', authenticator_type: 'otp', active: true }], "recoveryCode, push user's device name, app", `${AUTH0_MFA}/push.md`),
  row('Auth0', 'authenticators', 200, [{ id: 'voice|dev_1', authenticator_type: 'oob', oob_channel: 'voice', oob_channels: ['sms', 'voice'], active: true, name: 'XXXXXXXX8730' }, { id: 'email|dev_2', authenticator_type: 'oob', oob_channels: ['email'], active: true, name: 'a***@example.com' }, { id: 'totp|dev_3', authenticator_type: 'otp', active: false }, { id: 'webauthn-roaming|dev_4', authenticator_type: 'webauthn-roaming', active: true }], 'phoneCall XXXXXXXX8730, email a***@example.com', `${AUTH0_MFA}/phone.md`),
  row('Auth0', 'authenticators', 200, [], '', `${AUTH0_MFA}/manage.md`),
  row('Auth0', ['authenticators', 'challenge', 'verify'], 401, { error: 'expired_token', error_description: 'mfa_token is expired' }, 'sessionEnded: stepRefused', 'https://mintlify.wiki/auth0/nextjs-auth0/api/errors/mfa-errors'),
  row('Auth0', ['realm', 'redeem'], 401, { error: 'unauthorized', error_description: 'user is blocked' }, 'interactionRequired: accountBlocked', 'https://auth0.com/docs/users/block-and-unblock-users', { says: 'user is blocked' }),
  row('Auth0', ['authenticators', 'challenge', 'verify'], 401, { error: 'invalid_token', error_description: 'mfa_token is invalid' }, 'sessionEnded: stepRefused', 'https://mintlify.wiki/auth0/nextjs-auth0/api/errors/mfa-errors'),
  row('Auth0', 'challenge', 200, { challenge_type: 'oob', oob_code: SEALED, binding_method: 'prompt' }, 'outOfBand, typed', `${AUTH0_MFA}/sms.md`),
  row('Auth0', 'challenge', 200, { challenge_type: 'oob', oob_code: SEALED }, 'outOfBand', `${AUTH0_MFA}/push.md`),
  row('Auth0', 'challenge', 200, { challenge_type: 'otp' }, 'shownCode', `${AUTH0_MFA}/otp.md`),
  row('Auth0', 'challenge', 403, { error: 'unsupported_challenge_type', error_description: 'User does not have any of the requested challenge types' }, 'interactionRequired: noSecondFactor', 'https://mintlify.wiki/auth0/nextjs-auth0/api/errors/mfa-errors'),
  row('Auth0', 'verify', 400, { error: 'authorization_pending', error_description: 'Authorization pending: please repeat the request in a few seconds.' }, 'pending', `${AUTH0_MFA}/push.md`),
  row('Auth0', 'verify', 429, { error: 'slow_down', error_description: 'You are polling faster than allowed.' }, 'pending, slower', `${AUTH0_MFA}/push.md`),
  row('Auth0', 'verify', 403, { error: 'invalid_grant', error_description: 'Invalid otp_code.' }, 'rejected', `${AUTH0_MFA}/otp.md`, { says: 'Invalid otp_code.' }),
  row('Auth0', 'verify', 200, { access_token: 'O3aB4', id_token: ACCESS, scope: 'openid profile', expires_in: 86_400, recovery_code: 'K6LGLV3RSH3VERMKET8L7QKU', token_type: 'Bearer' }, 'tokens, no refresh token, new recovery code', `${AUTH0_MFA}/recovery-code.md`),
  row('Auth0', 'revoke', 200, '', 'done', `${AUTH0}#revoke-refresh-token`),
]

const OKTA =
  'https://wiki.nci.nih.gov/pages/diffpagesbyversion.action?pageId=453018227&selectedPageVersions=7&selectedPageVersions=8'
const OKTA_LIMIT =
  'https://github.com/okta/okta-developer-docs/blob/master/packages/@okta/vuepress-site/docs/reference/api/authn/index.md'
// biome-ignore format: a row a line reads as a table
const okta: readonly Row[] = [
  row('Okta', ['redeem', 'renew', 'realm'], 401, { errorCode: 'invalid_client', errorSummary: "Invalid value for 'client_id' parameter.", errorLink: 'invalid_client', errorId: 'oaejDJuWCiRTQeH8n6WG2116A', errorCauses: [] }, 'notConfigured', OKTA, { says: "Invalid value for 'client_id' parameter." }),
  row('Okta', ['redeem', 'renew'], 401, { error: 'invalid_client', error_description: 'The client secret supplied for a confidential client is invalid.' }, 'notConfigured', OKTA, { says: 'The client secret supplied for a confidential client is invalid.' }),
  row('Okta', 'realm', 400, { error: 'invalid_grant', error_description: 'The credentials provided were invalid.' }, 'rejected', OKTA),
  row('Okta', 'realm', 403, { errorCode: 'E0000069', errorSummary: 'User Locked', errorLink: 'E0000069', errorId: 'sample', errorCauses: [] }, 'interactionRequired: accountBlocked', 'https://developer.okta.com/okta-auth-java/development/apidocs/com/okta/authn/sdk/UserLockedException.html'),
  row('Okta, behind a service', 'login', 401, { status: 'LOCKED_OUT' }, 'rejected: accountBlocked', OKTA_LIMIT),
  row('Okta', ['refresh', 'renew', 'realmRefresh'], 429, { errorCode: 'E0000047', errorSummary: 'API call exceeded rate limit due to too many requests.', errorLink: 'E0000047', errorId: 'sample', errorCauses: [] }, 'rateLimited', OKTA_LIMIT, { headers: { 'x-rate-limit-limit': '1', 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': '1447534590' } }),
  row('Okta', 'discovery', 404, { errorCode: 'E0000007', errorSummary: 'Not found: Resource not found: default (AuthorizationServer)', errorLink: 'E0000007', errorId: 'sample', errorCauses: [] }, '/authorize', 'from memory; the code is in https://developer.okta.com/docs/reference/error-codes/'),
  row('Okta, also for an unknown token', 'revoke', 200, '', 'done', 'https://developer.okta.com/docs/api/openapi/okta-oauth/oauth/customas/revokecustomas', { headers: { 'content-type': JSON_TYPE } }),
]

const ENTRA = 'https://learn.microsoft.com/entra/identity-platform/reference-error-codes'
const ENTRA_FLOW = 'https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow'
const aadsts = (error: string, code: number, text: string, more: object = {}) => ({
  error,
  error_description: `AADSTS${code}: ${text}\r\nTrace ID: 0000aaaa-11bb-cccc-dd22-eeeeee333333\r\nCorrelation ID: aaaa0000-bb11-2222-33cc-444444dddddd\r\nTimestamp: 2016-01-09 02:02:12Z`,
  error_codes: [code],
  timestamp: '2016-01-09 02:02:12Z',
  trace_id: '0000aaaa-11bb-cccc-dd22-eeeeee333333',
  correlation_id: 'aaaa0000-bb11-2222-33cc-444444dddddd',
  ...more,
})
// biome-ignore format: a row a line reads as a table
const entra: readonly Row[] = [
  row('Entra ID', ['redeem', 'renew'], 400, aadsts('invalid_scope', 70_011, "The provided value for the input parameter 'scope' isn't valid."), 'notConfigured', ENTRA, { says: "AADSTS70011: The provided value for the input parameter 'scope' isn't valid." }),
  row('Entra ID', 'renew', 400, aadsts('interaction_required', 50_079, 'You must enroll in multi-factor authentication.', { claims: '{"access_token":{"polids":{"essential":true}}}' }), 'interactionRequired', 'https://github.com/AzureAD/azure-activedirectory-library-for-nodejs/issues/151', { says: 'AADSTS50079' }),
  row('Entra ID', 'renew', 400, aadsts('invalid_grant', 50_076, 'You must use multi-factor authentication.', { suberror: 'basic_action', error_uri: 'https://login.microsoftonline.com/error?code=50076' }), 'sessionEnded', 'https://github.com/microsoftgraph/microsoft-graph-docs/issues/6311', { says: 'AADSTS50076' }),
  row('Entra ID', 'realm', 400, aadsts('invalid_grant', 50_053, "You've tried to sign in too many times with an incorrect user ID or password."), 'rejected: accountBlocked', ENTRA),
  row('Entra ID', 'redeem', 400, aadsts('invalid_grant', 70_008, 'The provided authorization code or refresh token has expired.'), 'rejected: browserRefused', ENTRA),
  row('Entra ID', ['redeem', 'renew'], 200, { token_type: 'Bearer', scope: 'User.Read', expires_in: 3_599, ext_expires_in: 3_599, access_token: ACCESS, refresh_token: '0.AXcA.AgABAwE' }, 'tokens', `${ENTRA_FLOW}#successful-response; ext_expires_in: https://github.com/AzureAD/microsoft-authentication-library-for-js/issues/5491`),
]

const KEYCLOAK = 'https://keycloak.org/docs-api/latest/javadocs/org/keycloak/representations/AccessTokenResponse.html'
const KEYCLOAK_CODE = 'https://github.com/keycloak/keycloak/tree/main/services/src/main/java/org/keycloak/services'
// biome-ignore format: a row a line reads as a table
const keycloak: readonly Row[] = [
  row('Keycloak', 'realm', 400, { error: 'invalid_grant', error_description: 'Account disabled' }, 'rejected: accountBlocked', KEYCLOAK_CODE, { says: 'Account disabled' }),
  row('a warning is no block', 'realm', 400, { error: 'invalid_grant', error_description: 'Your account will be locked after two more attempts.' }, 'rejected', OURS),
  row('Keycloak', ['redeem', 'renew'], 200, { access_token: ACCESS, expires_in: 300, refresh_expires_in: 1_800, refresh_token: jwt({ typ: 'Refresh' }), token_type: 'Bearer', 'not-before-policy': 0, session_state: '9e3ac1d4', scope: 'profile email' }, 'tokens', KEYCLOAK),
  row('Keycloak', ['renew', 'realmRefresh'], 400, { error: 'invalid_grant', error_description: 'Token is not active' }, 'sessionEnded', 'https://github.com/keycloak/keycloak/issues/37961', { says: 'Token is not active' }),
  row('Keycloak, its clock behind', ['redeem', 'renew'], 200, { access_token: ACCESS, expires_in: -96, refresh_expires_in: -96, refresh_token: jwt({ typ: 'Refresh' }), token_type: 'bearer' }, 'tokens', 'https://github.com/zmartzone/lua-resty-openidc/issues/381'),
  row('Keycloak', 'discovery', 404, { error: 'Realm does not exist' }, '/authorize', `${KEYCLOAK_CODE}/error/KeycloakErrorHandler.java`),
  row('Keycloak, an earlier version', 'discovery', 404, { error: 'invalid_request', error_description: 'Realm does not exist' }, '/authorize', `${KEYCLOAK_CODE}/error/KeycloakErrorHandler.java`),
  row('Keycloak', ['redeem', 'renew'], 500, { error: 'unknown_error', error_description: 'For more on this error consult the server log.' }, 'unreachable', `${KEYCLOAK_CODE}/error/KeycloakErrorHandler.java`),
]

const COGNITO = 'https://docs.aws.amazon.com/cognito/latest/developerguide/token-endpoint.html'
const COGNITO_REVOKE = 'https://docs.aws.amazon.com/cognito/latest/developerguide/revocation-endpoint.html'
// biome-ignore format: a row a line reads as a table
const cognito: readonly Row[] = [
  row('Cognito', 'redeem', 200, { access_token: ACCESS, refresh_token: 'eyJj3example', token_type: 'Bearer', expires_in: 3_600 }, 'tokens', COGNITO),
  row('Cognito', 'renew', 200, { access_token: ACCESS, id_token: '', token_type: 'Bearer', expires_in: 3_600 }, 'tokens', COGNITO),
  row('Cognito', ['redeem', 'renew'], 400, { error: 'invalid_request' }, 'notConfigured', COGNITO),
  row('Cognito', ['redeem', 'renew'], 400, { error: 'unauthorized_client' }, 'notConfigured', COGNITO),
  row('Cognito', ['redeem', 'renew'], 400, { error: 'invalid_client' }, 'notConfigured', COGNITO),
  row('Cognito', 'renew', 400, { error: 'invalid_grant' }, 'sessionEnded', COGNITO),
  row('Cognito, behind a service', 'login', 400, { __type: 'NotAuthorizedException', message: 'User is disabled.' }, 'rejected: accountBlocked', 'https://github.com/aws-amplify/amplify-js/issues/5503', { says: 'User is disabled.' }),
  row('Cognito, behind a service', 'refresh', 400, { __type: 'NotAuthorizedException', message: 'User is disabled.' }, 'sessionEnded: accountBlocked', 'from memory: the words of the login', { says: 'User is disabled.' }),
  row('Cognito, behind a service', 'login', 400, { __type: 'NotAuthorizedException', message: 'Password attempts exceeded' }, 'rejected: accountBlocked', 'https://github.com/amazon-archives/amazon-cognito-identity-js/issues/506', { says: 'Password attempts exceeded' }),
  row('the demo', 'login', 401, { error: 'invalid_credentials', message: 'You can only sign in with single sign-on.' }, 'rejected: singleSignOnOnly', 'our own', { says: 'You can only sign in with single sign-on.' }),
  row('a service with both ways', 'login', 401, { message: 'Wrong password. You can also use SSO.' }, 'rejected', 'our own', { says: 'Wrong password. You can also use SSO.' }),
  row('Cognito, WAF', ['redeem', 'renew'], 403, { __type: 'ForbiddenException', message: 'Request not allowed due to WAF block.' }, 'unreachable', 'https://github.com/ravenscar/franken-srp/issues/13', { says: 'Request not allowed due to WAF block.' }),
  row('Cognito, a pool without a domain', 'discovery', 200, { issuer: 'https://cognito-idp.eu-west-1.amazonaws.com/p', authorization_endpoint: '', token_endpoint: '', userinfo_endpoint: '', response_types_supported: ['code', 'token'] }, 'malformedResponse', 'https://github.com/jagregory/cognito-local/issues/348'),
  row('cognito-local 5.3', 'discovery', 200, { issuer: 'http://localhost:9229/p', jwks_uri: 'http://localhost:9229/p/.well-known/jwks.json', id_token_signing_alg_values_supported: ['RS256'] }, 'malformedResponse', 'as it answers us'),
  row('Cognito', 'revoke', 401, { error: 'invalid_client' }, 'notConfigured', COGNITO_REVOKE),
]

/** PingFederate's documentation only names the errors, so these bodies come from reports of its users. */
// biome-ignore format: a row a line reads as a table
const ping: readonly Row[] = [
  row('PingFederate', ['redeem', 'renew'], 200, { access_token: '0004L2jdyhTzJqBWgu0sYTvJ5cJl', refresh_token: 'hJmEoBLGYAbNjyVoXg', token_type: 'Bearer', expires_in: 7_199 }, 'tokens', 'https://docs.pingidentity.com/r/en-us/developer/nvw1601508085932 in an excerpt'),
  row('PingFederate', 'renew', 200, { access_token: ACCESS, token_type: 'Bearer', expires_in: 7_199 }, 'tokens', 'https://interact-api.asides.dev/api/sso/ping-refresh-access-token'),
]

const GOOGLE = 'https://workos.com/blog/invalid-grant-oauth-errors-by-provider'
// biome-ignore format: a row a line reads as a table
const google: readonly Row[] = [
  row('Google', ['redeem', 'renew'], 200, { access_token: 'ya29.a0AfH6SMBx', expires_in: 3_599, refresh_token: '1//04dUkeYaB', refresh_token_expires_in: 604_799, scope: 'openid', token_type: 'Bearer' }, 'tokens', 'the fields: https://developers.google.com/identity/protocols/oauth2/native-app as others quote it; refresh_token_expires_in: https://pub.dev/documentation/googleapis/latest/sts_v1/GoogleIdentityStsV1ExchangeOauthTokenResponse-class.html'),
  row('Google', 'renew', 200, { access_token: 'ya29.a0AfH6SMBx', expires_in: '3599', scope: '', token_type: 'Bearer' }, 'tokens', 'our own: https://docs.cloud.google.com/iam/docs/reference/cloudoauth/rest/v1/ExchangeTokenResponse has a number'),
  row('Google', RENEWALS, 400, { error: 'internal_failure', error_description: 'Backend Error' }, 'unreachable', 'https://github.com/googleapis/google-auth-library-python/blob/main/google/oauth2/_client.py retries it; the status and words are our own'),
  row('Google', 'renew', 400, { error: 'invalid_grant', error_description: 'reauth related error (invalid_rapt)', error_uri: 'https://support.google.com/a/answer/9368756', error_subtype: 'invalid_rapt' }, 'sessionEnded', 'https://github.com/cline/cline/issues/4080', { says: 'invalid_rapt' }),
  row('Google', 'redeem', 400, { error: 'redirect_uri_mismatch', error_description: 'Bad Request' }, 'notConfigured', GOOGLE),
  row('Google', 'revoke', 400, { error: 'invalid_token', error_description: 'Token expired or revoked' }, 'sessionEnded', 'https://github.com/mrdulin/nodejs-googleapis', { says: 'Token expired or revoked' }),
  row('Google', 'revoke', 200, '{}', 'done', 'https://docs.rs/crate/tiny_google_oidc/0.6.0/source/src/revoke_token.rs; the body from memory'),
]

const SALESFORCE = 'https://nango.dev/blog/salesforce-get-access-token-expires-at'
const SALESFORCE_REVOKE = 'https://developer.salesforce.com/docs/platform/mobile-sdk/guide/oauth-revoking-tokens.html'
// biome-ignore format: a row a line reads as a table
const salesforce: readonly Row[] = [
  row('Salesforce', 'revoke', 400, { error: 'invalid_token' }, 'sessionEnded', SALESFORCE_REVOKE),
  row('Salesforce', 'revoke', 400, { error: 'unsupported_token_type' }, 'malformedResponse', SALESFORCE_REVOKE),
  row('Salesforce', ['redeem', 'renew'], 200, { access_token: '00Dx0000000BV7z!AR8AQAxo9UfVkh8AlV0Gomt9Czx9LjHnSSpwBMmbRcgKFmxOtvxjTrKW', refresh_token: 'CjA5rU.x', signature: 'SSSbLO/gBhmmyNUvN18ODBDFYHzakxOMgqYtu+hDPsc=', scope: 'id api refresh_token', instance_url: 'https://example.my.salesforce.com/', id: 'https://login.salesforce.com/id/00Dx0000000BV7z/005x00000012Q9P', token_type: 'Bearer', issued_at: '1278448384422' }, 'tokens', SALESFORCE),
  row('Salesforce', 'renew', 200, { id: 'https://login.salesforce.com/id/00Dx0000000BV7z/005x00000012Q9P', issued_at: '1278448832702', instance_url: 'https://example.my.salesforce.com/', signature: '0CmxinZir53Yex7nE0TD+zMpvIWYGb/bdJh6XfOH6EQ=', access_token: '00Dx0000000BV7z!AR8AQAxo9UfVkh8' }, 'tokens', 'https://gist.github.com/dieffrei/8d95709f6d9f8dc93a7d19faaa5cd2ec'),
  row('Salesforce', ['redeem', 'renew'], 400, { error: 'invalid_request', error_description: 'grant type is missing' }, 'notConfigured', 'https://www.volcengine.com/article/1633051'),
]

const SNOWFLAKE = 'https://docs.snowflake.com/en/user-guide/oauth-custom'
// biome-ignore format: a row a line reads as a table
const snowflake: readonly Row[] = [
  row('Snowflake', 'redeem', 200, { access_token: 'ver:1-hint:94876-did:2018-ETMsDgAAAXs', refresh_token: 'ver:2-hint:94876-did:2018-ETMsD', token_type: 'Bearer', username: 'ANA', expires_in: 600 }, 'tokens', SNOWFLAKE),
  row('Snowflake', 'redeem', 200, { access_token: 'ver:1-hint:94876-did:2018-ETMsDgAAAXs', expires_in: -1, token_type: 'Bearer' }, 'tokens, no refresh token', 'https://cdn.cdata.com/help/OWM/mcp/pg_sp-getoauthaccesstoken.htm'),
  row('Snowflake', 'renew', 400, { data: null, error: 'invalid_grant', code: null, message: 'The provided grant or refresh token is invalid.', success: false, headers: null }, 'sessionEnded', 'https://www.volcengine.com/article/1160071; the status from a public report', { says: 'The provided grant or refresh token is invalid.' }),
  row('Snowflake', ['redeem', 'renew'], 400, { data: null, message: 'This is an invalid client.', code: null, success: false, error: 'invalid_client' }, 'notConfigured', `${SNOWFLAKE}, in full; the status from a public report`, { says: 'This is an invalid client.' }),
]

const GITHUB =
  'https://docs.github.com/en/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors'
/** GitHub sends a form if the request has no `Accept` header. golang/oauth2 (internal/token.go) reads it, too. */
const GITHUB_FORM = 'https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps'
const FORM = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
// biome-ignore format: a row a line reads as a table
const others: readonly Row[] = [
  row('GitHub', 'redeem', 200, { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.', error_uri: '/apps/' }, 'rejected: browserRefused', GITHUB, { says: 'The code passed is incorrect or expired.' }),
  row('GitHub', ['redeem', 'renew'], 200, { error: 'incorrect_client_credentials', error_description: 'The client_id and/or client_secret passed are incorrect.' }, 'notConfigured', GITHUB),
  row('GitHub', 'redeem', 200, { error: 'redirect_uri_mismatch', error_description: 'The redirect_uri MUST match the registered callback URL.' }, 'notConfigured', GITHUB),
  row('GitHub', 'renew', 200, { error: 'bad_refresh_token', error_description: 'The refresh token passed is incorrect or expired.' }, 'sessionEnded', GITHUB),
  row('GitHub, a form', ['redeem', 'renew'], 200, 'access_token=gho_16C7e42F292c6912E7710c838347Ae178B4a&expires_in=28800&refresh_token=ghr_1B4a2e77838347a7E420&scope=repo%2Cgist&token_type=bearer', 'tokens', GITHUB_FORM, { headers: FORM }),
  row('GitHub, a form', 'renew', 200, 'error=bad_refresh_token&error_description=The+refresh+token+passed+is+incorrect+or+expired.', 'sessionEnded', GITHUB_FORM, { headers: FORM, says: 'The refresh token passed is incorrect or expired.' }),
  row('GitHub, a form', 'redeem', 200, 'error=bad_verification_code&error_description=The+code+passed+is+incorrect+or+expired.', 'rejected: browserRefused', GITHUB_FORM, { headers: FORM, says: 'The code passed is incorrect or expired.' }),
  row('A form with two tokens', ['redeem', 'renew'], 200, 'access_token=gho_16C7e42F&access_token=another&token_type=bearer', 'malformedResponse', OURS, { headers: FORM }),
  row('A form', ['login', 'refresh', 'realm', 'realmRefresh'], 200, `token=${ACCESS}&access_token=${ACCESS}&refreshToken=r&token_type=bearer`, 'malformedResponse', 'our own: endpoints 1 to 5 are JSON', { headers: FORM }),
  row('JSON that calls itself a form', ['redeem', 'renew'], 200, JSON.stringify({ access_token: ACCESS, refresh_token: 'r', token_type: 'bearer' }), 'tokens', OURS, { headers: FORM }),
  row('better-auth 1.7', 'revoke', 400, { error_description: 'token not found', error: 'invalid_request' }, 'notConfigured', 'as it answers us for a token that is unknown or already revoked', { says: 'token not found' }),
  row('better-auth 1.7', ['redeem', 'renew', 'revoke'], 400, { error_description: 'client registered for client_secret_basic cannot use client_secret_post', error: 'invalid_client' }, 'notConfigured', 'as it answers us'),
  row('WorkOS, a token of another application', 'revoke', 400, { error: 'invalid_grant' }, 'sessionEnded', 'https://workos.com/docs/reference/workos-connect/revocation; the status from memory'),
  row('Doorkeeper, before 5.4', 'revoke', 403, '{}', 'malformedResponse', 'https://github.com/doorkeeper-gem/doorkeeper/issues/1362 for an unknown token; the body from memory', { headers: { 'content-type': JSON_TYPE } }),
  row('Kick', 'revoke', 200, 'OK', 'done', 'https://github.com/KickEngineering/KickDevDocs/issues/94', { headers: { 'content-type': 'text/plain' } }),
  row('apifest', 'revoke', 200, { revoked: 'false' }, 'done', 'https://github.com/apifest/apifest-oauth20/issues/64'),
  row('OpenAuth 0.4', ['redeem', 'renew'], 200, { access_token: ACCESS, refresh_token: 'user:8d4f2a:5f7c', expires_in: 2_591_999 }, 'tokens', 'as it answers us: no token_type, and no scope'),
  row('OpenAuth 0.4', 'redeem', 403, { error: 'unauthorized_client', error_description: 'Client is not authorized to use this authorization code' }, 'notConfigured', 'its issuer.js', { says: 'Client is not authorized' }),
  row('Cloudflare’s workers-oauth-provider 1.2', ['redeem', 'renew'], 200, { access_token: 'ana:TUs8XQWzOP5QTdRq:bfb1-FOAmL0TGNCSLaANLmrebwlGlkbO', token_type: 'bearer', expires_in: 3_600, scope: 'read', resource: 'http://127.0.0.1', refresh_token: 'ana:TUs8XQWzOP5QTdRq:tZLhlRWvaJxOxWf1B-tzH1OAbdwloGKT' }, 'tokens', 'as it answers us'),
  row('Cloudflare’s workers-oauth-provider 1.2', 'revoke', 200, '', 'done', 'as it answers us, at the token endpoint', { headers: { 'content-type': 'text/plain;charset=UTF-8' } }),
  row('OpenAuth 0.4', 'redeem', 400, { error: 'invalid_redirect_uri', error_description: 'Redirect URI mismatch' }, 'notConfigured', 'its issuer.js', { says: 'Redirect URI mismatch' }),
  row('ts-oauth2-server 4', 'renew', 400, { status: 400, message: 'The provided authorization grant is invalid', error: 'invalid_grant', error_description: 'Invalid refresh token' }, 'sessionEnded', 'https://github.com/jasonraimondi/ts-oauth2-server/blob/main/src/adapters/express.ts; its words shortened'),
  row('ts-oauth2-server 4', ['redeem', 'renew'], 401, { status: 401, message: 'Client authentication failed', error: 'invalid_client', error_description: 'Client authentication failed' }, 'notConfigured', 'https://github.com/jasonraimondi/ts-oauth2-server/blob/main/src/exceptions/oauth.exception.ts', { says: 'Client authentication failed' }),
  row('ts-oauth2-server 4', ['redeem', 'renew'], 401, { status: 401, message: 'Unauthorized scope requested by the client: all', error: 'unauthorized_scope', error_description: 'all' }, 'notConfigured', 'https://github.com/jasonraimondi/ts-oauth2-server/blob/main/src/exceptions/oauth.exception.ts'),
  row('ts-oauth2-server 4', 'revoke', 400, { status: 400, message: 'Unsupported token_type_hint', error: 'unsupported_token_type', error_description: 'Unsupported token_type_hint' }, 'malformedResponse', 'https://github.com/jasonraimondi/ts-oauth2-server/blob/main/src/exceptions/oauth.exception.ts', { says: 'Unsupported token_type_hint' }),
  row('OAuth2orize', 'redeem', 403, { error: 'invalid_grant', error_description: 'Invalid authorization code' }, 'rejected: browserRefused', 'https://github.com/jaredhanson/oauth2orize/blob/master/lib/errors/tokenerror.js', { says: 'Invalid authorization code' }),
  row('OAuth2orize', ['redeem', 'renew'], 501, { error: 'unsupported_grant_type', error_description: 'Unsupported grant type: refresh_token' }, 'notConfigured', 'https://github.com/jaredhanson/oauth2orize/blob/master/lib/errors/tokenerror.js', { says: 'Unsupported grant type' }),
  row('Passport, before OAuth2orize', 'redeem', 401, 'Unauthorized', 'notConfigured', 'from memory: https://github.com/jaredhanson/passport/blob/master/lib/middleware/authenticate.js', { headers: { 'content-type': 'text/plain', 'www-authenticate': 'Basic realm="Users"' } }),
  row('The MCP SDK’s example', 'renew', 500, { error: 'server_error', error_description: 'Internal Server Error' }, 'unreachable', 'as it answers us: it names the grant type, but gives out no refresh token'),
  row('NetSuite', ['redeem', 'renew'], 401, { error: 'invalid_client' }, 'notConfigured', 'https://docs.oracle.com/en/cloud/saas/netsuite/ns-online-help/subsect_161252460252.html', { headers: { 'www-authenticate': 'Basic realm="123456"' } }),
  row('Spring Security OAuth', RENEWALS, 401, { error: 'invalid_token', error_description: 'Invalid refresh token (expired): eyJh' }, 'sessionEnded', 'https://github.com/spring-attic/spring-security-oauth/blob/main/spring-security-oauth2/src/main/java/org/springframework/security/oauth2/common/exceptions/InvalidTokenException.java'),
  row('oidc-mock-provider 0.13', 'renew', 500, { error: "Cannot destructure property 'client_id' of 'this.retrieveFromStorage(...)' as it is undefined." }, 'unreachable', 'as it answers us: it gives out refresh tokens that it never accepts'),
  row('Micronaut', ['renew', 'refresh'], 500, { message: 'Internal Server Error: Invalid refresh token' }, 'unreachable', 'https://github.com/micronaut-projects/micronaut-security/issues/235'),
  row('Follow Up Boss', ['renew', 'realmRefresh'], 404, { error: 'invalid_grant' }, 'sessionEnded', 'https://docs.followupboss.com/docs/oauth-error-codes'),
  row('Follow Up Boss', ['renew', 'realmRefresh'], 500, { error: 'server_error' }, 'unreachable', 'https://docs.followupboss.com/docs/oauth-error-codes'),
  row('Katana (ASP.NET)', ['redeem', 'renew', 'realm'], 200, { access_token: ACCESS, token_type: 'bearer', expires_in: 86_399, refresh_token: 'b8f5e323fd93459fa89188333be26589', 'as:client_id': 'native', userName: 'ana@example.com', '.issued': 'Mon, 04 Sep 2017 04:45:57 GMT', '.expires': 'Tue, 05 Sep 2017 04:45:57 GMT' }, 'tokens', 'https://pastebin.com/rwT0iPVx'),
  row('Laravel Sanctum', 'login', 201, { token: '67|foPpeJkEtftjB2uG565IkEwset7KeKCJ86NjwiaEfb9bfb39', refreshToken: '18|aBcDeF' }, 'tokens', 'https://docs.gitguardian.com/secrets-detection/secrets-detection-engine/detectors/generics/generic_sanctum_token'),
  row('Spring', ['login', 'refresh'], 500, { timestamp: '2026-11-25T10:00:00.000+00:00', status: 500, error: 'Internal Server Error', path: '/auth/refresh' }, 'unreachable', 'https://velog.io/@rkddntjd7'),
  row('Spring', 'refresh', 401, { timestamp: '2026-11-25T10:00:00.000+00:00', status: 401, error: 'Unauthorized', path: '/auth/refresh' }, 'sessionEnded', 'https://dev.to/s2agrahari/how-to-update-the-default-exception-body-thrown-by-sping-boot-2a0k'),
]

const APIGEE = 'https://cloud.google.com/apigee/docs/api-platform/reference/policies/oauth-http-status-code-reference'
const AWS = 'https://repost.aws/knowledge-center/api-gateway-authentication-token-errors'
const AWS_TYPES =
  'https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html; the body from memory'
const KONG = 'https://docs.erda.cloud/en/next/manual/msp/guides/apigw/status.html'
const CLOUDFLARE = 'https://developers.cloudflare.com/rules/custom-errors/reference/error-page-types/'
const NGINX = 'https://w10schools.com/posts/237279_error_page'
const SQUID = 'http://devel.cit.guap.ru/squid/Doc/config/deny_info'
const CLOUDFLARE_JSON = 'https://developers.cloudflare.com/changelog/post/2026-03-12-retry-after-header-for-1xxx-errors'
/** The requests that carry a credential. An HTTP gateway's error must never end a session or refuse a password. */
const ALL: readonly Step[] = [
  'login',
  'refresh',
  'logout',
  'realm',
  'realmRefresh',
  'verify',
  'redeem',
  'renew',
  'revoke',
]
const page = (title: string) =>
  `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n</body>\r\n</html>\r\n`
// biome-ignore format: a row a line reads as a table
const gateways: readonly Row[] = [
  row('Apigee', 'redeem', 400, { ErrorCode: 'invalid_request', Error: 'Invalid Authorization Code' }, 'notConfigured', APIGEE, { says: 'Invalid Authorization Code' }),
  row('Apigee', ['redeem', 'renew'], 401, { ErrorCode: 'invalid_client', Error: 'ClientId is Invalid' }, 'notConfigured', APIGEE, { says: 'ClientId is Invalid' }),
  row('Apigee', ['redeem', 'renew', 'realm'], 200, { issued_at: '1420262924658', scope: 'READ', application_name: 'ce1e94a2', refresh_token_issued_at: '1420262924658', status: 'approved', refresh_token_status: 'approved', api_product_list: '[PremiumWeatherAPI]', expires_in: '1799', 'developer.email': 'ana@example.com', organization_id: '0', token_type: 'BearerToken', refresh_token: 'fYACGW7OCPtCNDEnRSnqFlEgogboFPMm', client_id: '5jUAdGv9pBouF0wOH5keAVI35GBtx3dT', access_token: '2l4IQtZXbn5WBJdL6EF7uenOWRsi', organization_name: 'docs', refresh_token_expires_in: '0', refresh_count: '0' }, 'tokens', 'from memory; BearerToken: https://docs.apigee.com/api-platform/reference/policies/oauthv2-policy'),
  row('Apigee', ALL, 503, { fault: { faultstring: 'The Service is temporarily unavailable', detail: { errorcode: 'messaging.adaptors.http.flow.ServiceUnavailable' } } }, 'unreachable', 'https://docs.apigee.com/api-platform/troubleshoot/runtime/503-service-unavailable', { says: 'The Service is temporarily unavailable' }),
  row('Apigee', ALL, 504, { fault: { faultstring: 'Gateway Timeout', detail: { errorcode: 'messaging.adaptors.http.flow.GatewayTimeout', reason: 'TARGET_READ_TIMEOUT' } } }, 'unreachable', 'https://cloud.google.com/apigee/docs/api-platform/troubleshoot/playbooks/runtime/504-target-read-timeout', { says: 'Gateway Timeout' }),
  row('AWS API Gateway', 'discovery', 403, { message: 'Missing Authentication Token' }, '/authorize', AWS, { headers: { 'x-amzn-errortype': 'MissingAuthenticationTokenException' } }),
  row('AWS API Gateway', ['realm', 'realmRefresh', 'redeem', 'renew', 'revoke'], 403, { message: 'Missing Authentication Token' }, 'malformedResponse', AWS),
  row('AWS API Gateway', ALL, 504, { message: 'Endpoint request timed out' }, 'unreachable', AWS_TYPES),
  row('AWS API Gateway', ALL, 429, { message: 'Too Many Requests' }, 'rateLimited', AWS_TYPES),
  row('AWS API Gateway', ALL, 403, { message: 'Forbidden' }, 'unreachable', `${AWS_TYPES}; the header: https://github.com/amzn/selling-partner-api-models/issues/955`, { headers: { 'x-amzn-errortype': 'ForbiddenException', 'x-amz-apigw-id': 'Oju9IGv65PgFlBg=' }, says: 'Forbidden' }),
  row('AWS API Gateway', ALL, 403, { message: null }, 'unreachable', `our own: ${AWS_TYPES} with an empty message`, { headers: { 'x-amzn-errortype': 'AccessDeniedException' } }),
  row('AWS API Gateway, without its header', 'refresh', 403, { message: 'Forbidden' }, 'sessionEnded', 'our own: nothing tells it from the service'),
  row('Kong', ALL, 429, { message: 'API rate limit exceeded' }, 'rateLimited', KONG, { headers: { 'retry-after': '30.5' } }),
  row('Kong', ['realm', 'realmRefresh', 'redeem', 'renew', 'revoke'], 404, { message: 'no Route matched with those values' }, 'malformedResponse', KONG),
  row('Kong', ALL, 502, { message: 'An invalid response was received from the upstream server' }, 'unreachable', 'https://github.com/Kong/kong/issues/3314'),
  row('Kong', ['realm', 'realmRefresh', 'renew'], 401, { message: 'Unauthorized' }, 'malformedResponse', 'https://gist.github.com/36653f7f4430059124527221839d76db'),
  row('nginx', ALL, 502, page('502 Bad Gateway'), 'unreachable', NGINX, { headers: { ...HTML, server: 'nginx' } }),
  row('nginx', ALL, 413, page('413 Request Entity Too Large'), 'unreachable', NGINX, { headers: HTML }),
  row('nginx, error_page 404 =200', ALL, 200, page('Maintenance'), 'unreachable', NGINX, { headers: HTML }),
  row('nginx, auth_basic', ['refresh', 'logout', 'realmRefresh', 'renew', 'revoke'], 401, page('401 Authorization Required'), 'unreachable', NGINX, { headers: { ...HTML, 'www-authenticate': 'Basic realm="closed"' } }),
  row('nginx', 'discovery', 404, page('404 Not Found'), '/authorize', NGINX, { headers: HTML }),
  row('Cloudflare, WAF', ALL, 403, '<!DOCTYPE html>\n<!--[if lt IE 7]> <html class="no-js ie6 oldie" lang="en-US"> <![endif]-->\n<title>Attention Required! | Cloudflare</title>', 'unreachable', 'from memory', { headers: { ...HTML, 'cf-ray': '8a1' } }),
  row('Cloudflare, rate limit', ALL, 429, '<!DOCTYPE html><title>Access denied | Error 1015</title>', 'unreachable', 'from memory', { headers: HTML }),
  row('Cloudflare', ALL, 520, '<!DOCTYPE html>\n<!--[if lt IE 7]> <html class="no-js ie6 oldie" lang="en-US"> <![endif]-->\n<title>example.com | 520: Web server is returning an unknown error</title>', 'unreachable', 'https://gist.github.com/cbarley10/61cb71de0327d52a63e0c6955bd13423', { headers: HTML }),
  row('Cloudflare', ALL, 522, '<html class="no-js" lang="en-US"><head><title>522: Connection timed out</title>', 'unreachable', 'https://pastebin.com/04geEuwV', { headers: HTML }),
  row('Cloudflare', ['discovery'], 503, '<!DOCTYPE html><title>503</title>', 'unreachable', `our own: ${CLOUDFLARE}`, { headers: HTML }),
  row('Cloudflare, JSON', ALL, 403, { title: 'Error 1020: Access denied', status: 403, error_code: 1020, error_name: 'access_denied', ray_id: '8a1', cloudflare_error: true, retryable: false }, 'unreachable', `${CLOUDFLARE_JSON}; its fields from memory`, { headers: { 'cf-ray': '8a1' } }),
  row('Cloudflare, JSON', ALL, 429, { title: 'Error 1015: You are being rate limited', status: 429, error_code: 1015, error_name: 'rate_limited', cloudflare_error: true, retryable: true, retry_after: 30 }, 'rateLimited', `${CLOUDFLARE_JSON}; its fields from memory`, { headers: { 'retry-after': '30' } }),
  row('squid, deny_info', ALL, 302, '', 'unreachable', SQUID, { headers: { location: 'http://proxy.example.com/denied' } }),
  row('Firepower', ALL, 403, '<html><head><title>Access Denied</title></head>', 'unreachable', 'https://www.cisco.com/c/en/us/td/docs/security/firepower/620/configuration/guide/fpmc-config-guide-v62/http_response_pages_and_interactive_blocking.html', { headers: { 'content-type': 'text/html' } }),
  row('Zscaler', ALL, 403, '<!--# Id: security.html 114963 2016-03-18 03:20:55Z szhang -->\n<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">\n\n<html>\n<head>\n<title>Internet Security by Zscaler</title>', 'unreachable', 'https://github.com/Ekultek/WhatWaf/issues/178', { headers: { 'content-type': 'text/html', server: 'Zscaler/5.6' } }),
  row('Captive portal', ALL, 200, '<HTML><HEAD><TITLE> Web Authentication Redirect</TITLE><META http-equiv="refresh" content="1; URL=https://portal.example.com/login">', 'unreachable', 'https://www.easymanua.ls/zyxel-communications/nxc2500/manual?p=180', { headers: { 'content-type': 'text/plain' } }),
  row('Captive portal', ALL, 511, '<html>\n <head>\n  <title>Network Authentication Required</title>\n  <meta http-equiv="refresh" content="0; url=https://login.example.net/">', 'unreachable', 'https://www.rfc-editor.org/rfc/rfc6585#section-6, as code quotes it', { headers: HTML }),
]

const fresh = { token: ACCESS, refreshToken: 'r', access_token: ACCESS, refresh_token: 'r', token_type: 'Bearer' }
// biome-ignore format: a row a line reads as a table
const oddities: readonly Row[] = [
  ...([200, 400, 401, 403] as const).flatMap((status) => [
    ...['temporarily_unavailable', 'server_error', 'Service Unavailable', 'internal_error'].map((error) => row(error, ['login', ...RENEWALS, 'redeem'], status, { error }, 'unreachable', OURS)),
    ...['slow_down', 'rate_limit_exceeded', 'Too Many Requests', 'too_many_attempts'].map((error) => row(error, ['login', ...RENEWALS, 'redeem'], status, { error }, 'rateLimited', OURS)),
  ]),
  row('Slack', RENEWALS, 200, { ok: false, error: 'ratelimited' }, 'rateLimited', 'from memory: https://docs.slack.dev/reference/methods/oauth.v2.access'),
  row('Slack', RENEWALS, 200, { ok: false, error: 'service_unavailable' }, 'unreachable', 'from memory: https://docs.slack.dev/reference/methods/oauth.v2.access'),
  row('Slack', RENEWALS, 200, { ok: false, error: 'invalid_refresh_token' }, 'sessionEnded', 'from memory: https://docs.slack.dev/reference/methods/oauth.v2.access'),
  row('Google APIs', RENEWALS, 200, { error: { code: 503, message: 'The service is currently unavailable.', status: 'UNAVAILABLE' } }, 'unreachable', 'from memory: https://google.aip.dev/193; the status 200 is our own'),
  row('Google APIs', RENEWALS, 200, { error: { code: 429, message: 'Resource has been exhausted.', status: 'RESOURCE_EXHAUSTED' } }, 'rateLimited', 'from memory: https://google.aip.dev/193; the status 200 is our own'),
  row('Google APIs', 'refresh', 401, { error: { code: 401, message: 'Request had invalid authentication credentials.', status: 'UNAUTHENTICATED' } }, 'sessionEnded', 'from memory: https://google.aip.dev/193', { says: 'Request had invalid authentication credentials.' }),
  row('GraphQL', RENEWALS, 200, { data: null, errors: [{ message: 'Internal', extensions: { code: 'INTERNAL_SERVER_ERROR' } }] }, 'unreachable', 'from memory: https://www.apollographql.com/docs/apollo-server/data/errors'),
  row('An error without a name', RENEWALS, 200, { success: false, message: 'Down for maintenance' }, 'unreachable', OURS),
  row('An error without a name', RENEWALS, 200, { success: false, message: 'refresh token is expired' }, 'sessionEnded', OURS, { says: 'refresh token is expired' }),
  row('A provider that asks to wait', 'renew', 429, { error: 'invalid_grant' }, 'rateLimited', OURS),
  row('A proxy with an error of its own', 'renew', 407, { error: 'invalid_grant' }, 'proxyAuthenticationRequired', OURS),
  row('An error with a status of its own', RENEWALS, 200, { error: 'refresh token is expired', code: 500 }, 'sessionEnded', OURS, { says: 'refresh token is expired' }),
  row('A failed server', ['realmRefresh', 'renew'], 503, { error: 'access_denied' }, 'unreachable', OURS),
  row('Salesforce REST', 'refresh', 400, [{ errorCode: 'INVALID_SESSION_ID', message: 'Session expired or invalid' }], 'malformedResponse', 'from memory: https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/errorcodes.htm'),
  row('SOAP gateway', ALL, 401, '<?xml version="1.0"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><soap:Fault/></soap:Body></soap:Envelope>', 'unreachable', 'from memory: https://www.w3.org/TR/2000/NOTE-SOAP-20000508/', { headers: { 'content-type': 'text/xml' } }),
  row('A page in UTF-16', ALL, 401, '\ufeff<html>', 'unreachable', OURS, { headers: { 'content-type': 'text/plain' }, encoding: 'utf16le' }),
  row('A refusal without content', 'refresh', 401, '', 'sessionEnded', OURS),
  row('Spring', ['login', 'refresh', 'realm', 'realmRefresh', 'redeem', 'renew'], 200, { ...fresh, token: `Bearer ${ACCESS}`, access_token: `Bearer ${ACCESS}` }, 'tokens', OURS),
  row('Cookies and policies', ['login', 'refresh', 'renew'], 200, fresh, 'tokens', OURS, { headers: { 'content-security-policy': 'x'.repeat(32_768), 'set-cookie': 'a=b; Path=/; HttpOnly; SameSite=Lax' } }),
  ...([[200, 'null'], [200, '[]'], [204, '']] as const).map(([status, body]) => row('Nothing', RENEWALS, status, body, 'malformedResponse', OURS)),
]

const providers = [auth0, okta, entra, keycloak, cognito, ping, google, salesforce, snowflake].flat()
export const ROWS: readonly Row[] = [...providers, ...others, ...gateways, ...oddities]

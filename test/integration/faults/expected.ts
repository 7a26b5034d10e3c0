/** What each operation leads to under each fault: the possible outcomes and the matrix. */
import { OPERATIONS, type Operation } from './operations.ts'

/** The code of the operation's first failure, by outcome. */
const CODES: { readonly [outcome: string]: string } = {
  ok: '-',
  'in memory': '-',
  'same token': '-',
  rejected: 'rejected',
  refused: 'sessionEnded',
  unauthorized: 'sessionEnded',
  unchanged: 'passwordRefused',
  unreachable: 'unreachable',
  'cut off': 'unreachable',
  rateLimited: 'rateLimited',
  malformed: 'malformedResponse',
  interaction: 'interactionRequired',
  'browser refused': 'rejected: browserRefused',
  declined: 'interactionRequired: consentDenied',
  'not configured': 'notConfigured',
  'refused client': 'notConfigured',
  untrusted: 'untrustedCertificate',
  proxy: 'proxyAuthenticationRequired',
}

/**
 * The effects of each operation's outcomes:
 * - `state`: the session's state afterwards
 * - `keychain`: what the entry has afterwards: the old refresh token (`same`) or another one (`new`), or a pending
 *   revocation of the old one (`to revoke`) or of another one (`another to revoke`)
 * - `requests`: all requests that reached the service or the identity provider
 */
const EFFECTS = `
  operation       outcomes                                      state               keychain   requests

  login           ok                                            active              new        login 1
  login           rejected/unreachable/rateLimited/malformed    signedOut           nothing    login 1
  login           cut off/untrusted/proxy                       signedOut           nothing    -

  refresh         ok                                            active              new        refresh 1
  refresh         refused                                       ending              same       refresh 1
  refresh         unreachable/rateLimited/malformed             unreachable         same       refresh 1
  refresh         cut off/untrusted/proxy                       unreachable         same       -

  logout          ok                                            signedOut: done     nothing    logout 1
  logout          refused                                       signedOut: pending  another to revoke  logout 2, refresh 1
  logout          unreachable/rateLimited/malformed             signedOut: pending  to revoke  logout 1
  logout          cut off/untrusted/proxy                       signedOut: pending  to revoke  -

  # The current password is proven by a login before anything is changed, and the tokens of that login are revoked.
  # The service may have changed the password. A refresh then shows whether the session is still valid.
  changePassword  ok/unreachable/malformed                      active              new        login 1, logout 1, changePassword 1, refresh 1
  # The service has not changed the password.
  changePassword  unchanged/rateLimited                         active              same       login 1, logout 1, changePassword 1
  changePassword  cut off/untrusted/proxy                       active              same       login 1, logout 1
  # The app repeated the request with a fresh access token.
  changePassword  unauthorized                                  active              new        login 1, logout 1, changePassword 2, refresh 1

  ssoLogin        ok                                            active              new        token 1
  ssoLogin        in memory                                     active              nothing    token 1
  ssoLogin        rejected/unreachable/rateLimited/malformed    signedOut           nothing    token 1
  ssoLogin        interaction/not configured                    signedOut           nothing    token 1
  ssoLogin        cut off/untrusted/proxy                       signedOut           nothing    -

  ssoRefresh      ok                                            active              new        token 1
  ssoRefresh      same token                                    active              same       token 1
  ssoRefresh      refused/interaction                           ending              same       token 1
  ssoRefresh      unreachable/rateLimited/malformed             unreachable         same       token 1
  ssoRefresh      not configured                                unreachable         same       token 1
  ssoRefresh      cut off/untrusted/proxy                       unreachable         same       -

  # A further step of a sign-in. Another try can succeed, unless the provider has ended the sign-in.
  factor          ok                                            active              new        token 1
  factor          in memory                                     active              nothing    token 1
  factor          rejected/unreachable/rateLimited              signingIn           nothing    token 1
  factor          malformed/interaction/not configured          signedOut           nothing    token 1
  factor          cut off/untrusted/proxy                       signingIn           nothing    -

  # A code works only once, so a failure ends the sign-in.
  browser         ok                                            active              new        token 1
  browser         in memory                                     active              nothing    token 1
  browser         browser refused/declined/refused client       signedOut           nothing    token 1
  browser         unreachable/rateLimited/malformed             signedOut           nothing    token 1
  # The app tries its other way to prove its client secret, once.
  browser         not configured                                signedOut           nothing    token 2
  browser         cut off/untrusted/proxy                       signedOut           nothing    -

  browserRefresh  ok                                            active              new        token 1
  browserRefresh  same token                                    active              same       token 1
  browserRefresh  refused/interaction                           ending              same       token 1
  browserRefresh  unreachable/rateLimited/malformed             unreachable         same       token 1
  browserRefresh  not configured                                unreachable         same       token 2
  browserRefresh  cut off/untrusted/proxy                       unreachable         same       -

  browserLogout   ok                                            signedOut: done     nothing    revoke 1
  browserLogout   refused                                       signedOut: pending  another to revoke  revoke 2, token 1
  browserLogout   unreachable/rateLimited/malformed             signedOut: pending  to revoke  revoke 1
  browserLogout   interaction                                   signedOut: pending  to revoke  revoke 1
  browserLogout   not configured                                signedOut: pending  to revoke  revoke 2
  browserLogout   cut off/untrusted/proxy                       signedOut: pending  to revoke  -
`

/** The faults that have the same outcome for every operation. */
const EVERYWHERE: { readonly [outcome: string]: readonly string[] } = {
  ok: ['none', 'disk full', 'slow', 'through a proxy'],
  // Nothing was sent.
  'cut off': ['no such host', 'refused', 'silent before TLS', 'proxy forbids', 'proxy is down'],
  untrusted: ['untrusted certificate', 'expired certificate', 'certificate of another host', 'proxy breaks TLS open'],
  proxy: ['proxy wants credentials'],
  // No redirect is followed, and an HTML page is never taken for the service's answer.
  unreachable: [
    ...['reset before the work', 'reset after the work', 'hang', 'hang after the work', 'too slow'],
    ...['redirect 302', 'redirect 307', '304', 'HTML 200', 'HTML 401', 'HTML 403, called JSON', 'HTML 429', 'HTML 503'],
    ...['408', '500', '503', '503, Retry-After'],
  ],
  rateLimited: ['429', '429, Retry-After'],
  malformed: ['404', '400 empty', '403 without JSON'],
}

const MATRIX = `
  fault                    login      refresh    logout     changePassword  ssoLogin        ssoRefresh      factor          browser         browserRefresh  browserLogout

  # Only a login takes a 401 that asks for Basic for the service's answer.
  HTML 401, Basic          rejected   unreachable  unreachable  unreachable  unreachable     unreachable     unreachable     unreachable     unreachable     unreachable

  # With a JSON object, as the service sends it; an identity provider's error would have a known error code
  400                      rejected   refused    refused    unchanged       malformed       malformed       malformed       malformed       malformed       malformed
  401                      rejected   refused    refused    unauthorized    malformed       malformed       malformed       refused client  malformed       malformed
  403                      rejected   refused    refused    unchanged       malformed       malformed       malformed       malformed       malformed       malformed
  409                      malformed  malformed  malformed  unchanged       malformed       malformed       malformed       malformed       malformed       malformed
  422                      rejected   malformed  malformed  unchanged       malformed       malformed       malformed       malformed       malformed       malformed

  # Without a JSON object, so perhaps from a gateway; for the service a 401 still counts, and for changePassword also
  # text with a 400 or 422
  400 without JSON         malformed  malformed  malformed  unchanged       malformed       malformed       malformed       malformed       malformed       malformed
  401 empty                rejected   refused    refused    unauthorized    malformed       malformed       malformed       not configured  malformed       malformed

  # A success without a valid token pair, which contains an error; a revocation's content is ignored (RFC 7009)
  202                      rejected   refused    refused    unchanged       rejected        refused         rejected        browser refused  refused         ok
  # No error either; logout and changePassword return no tokens, so any content is accepted
  204                      malformed  malformed  ok         ok              malformed       malformed       malformed       malformed       malformed       ok
  garbage JSON             malformed  malformed  ok         ok              malformed       malformed       malformed       malformed       malformed       ok
  missing fields           malformed  malformed  ok         ok              malformed       malformed       malformed       malformed       malformed       ok
  empty refresh token      malformed  malformed  ok         ok              in memory       same token      in memory       in memory       same token      ok
  no refresh token         malformed  malformed  ok         ok              in memory       same token      in memory       in memory       same token      ok
  64 MB                    malformed  malformed  ok         ok              malformed       malformed       malformed       malformed       malformed       ok

  # An identity provider's error code counts with any 4xx status
  invalid_grant 400        .          .          .          .               rejected        refused         rejected        browser refused  refused         refused
  invalid_grant 403        .          .          .          .               rejected        refused         rejected        browser refused  refused         refused
  mfa_required             .          .          .          .               interaction     interaction     interaction     declined        interaction     interaction
  too_many_attempts        .          .          .          .               rateLimited     rateLimited     rateLimited     rateLimited     rateLimited     rateLimited
  invalid_client           .          .          .          .               not configured  not configured  not configured  not configured  not configured  not configured
  temporarily_unavailable  .          .          .          .               unreachable     unreachable     unreachable     unreachable     unreachable     unreachable
`

export interface Row {
  readonly operation: Operation
  readonly fault: string
  readonly code: string
  readonly state: string
  readonly keychain: string
  readonly requests: string
}

/** One row for each operation and fault. Throws if the tables don't match. */
export function matrixRows(): readonly Row[] {
  const effects = parseTable<'outcomes' | keyof Omit<Row, 'fault' | 'code'>>(EFFECTS)
  const matrix = parseTable<'fault' | Operation>(MATRIX)
  return OPERATIONS.flatMap((operation) => {
    const alike = Object.entries(EVERYWHERE).flatMap(([outcome, faults]) => faults.map((fault) => ({ fault, outcome })))
    const others = matrix.map(({ fault, [operation]: outcome }) => ({ fault, outcome }))
    return [...alike, ...others].flatMap(({ fault, outcome }) => {
      if (outcome === '.') return []
      const found = effects.find((each) => each.operation === operation && each.outcomes.split('/').includes(outcome))
      const code = CODES[outcome]
      if (found === undefined || code === undefined) throw new Error(`No outcome of ${operation} is called ${outcome}`)
      const { state, keychain, requests } = found
      return { operation, fault, code, state, keychain, requests }
    })
  })
}

/** One object a line, with keys from the first line. Two or more spaces part the cells; `#` begins a comment. */
function parseTable<Column extends string>(text: string): Readonly<Record<Column, string>>[] {
  const lines = text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '')
  const [columns = [], ...rows] = lines.map((line) => line.split(/ {2,}/))
  return rows.map((cells) => {
    if (cells.length !== columns.length) throw new Error(`Not ${columns.length} cells: ${cells.join(' | ')}`)
    return Object.fromEntries(cells.map((cell, index) => [columns[index], cell])) as Record<Column, string>
  })
}

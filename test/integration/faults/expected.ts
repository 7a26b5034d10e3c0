/** What each operation leads to under each fault: the possible outcomes and the matrix. */
import { OPERATIONS, type Operation } from './operations.ts'
import { parseTable } from './table.ts'

/**
 * The possible outcomes of each operation:
 * - `code`: the code of the operation's first failure
 * - `state`: the session's state afterwards
 * - `keychain`: what the entry has afterwards: the old refresh token (`same`) or another one (`new`), or a pending
 *   revocation of the old one (`to revoke`) or of another one (`another to revoke`)
 * - `requests`: all requests that reached the service or the identity provider
 */
const OUTCOMES = `
  operation       outcome              code                         state               keychain   requests

  login           ok                   -                            active              new        login 1
  login           rejected             rejected                     signedOut           nothing    login 1
  login           unreachable          unreachable                  signedOut           nothing    login 1
  login           rateLimited          rateLimited                  signedOut           nothing    login 1
  login           malformed            malformedResponse            signedOut           nothing    login 1
  login           cut off              unreachable                  signedOut           nothing    -
  login           untrusted            untrustedCertificate         signedOut           nothing    -
  login           proxy                proxyAuthenticationRequired  signedOut           nothing    -

  refresh         ok                   -                            active              new        refresh 1
  refresh         refused              sessionEnded                 ending              same       refresh 1
  refresh         unreachable          unreachable                  unreachable         same       refresh 1
  refresh         rateLimited          rateLimited                  unreachable         same       refresh 1
  refresh         malformed            malformedResponse            unreachable         same       refresh 1
  refresh         cut off              unreachable                  unreachable         same       -
  refresh         untrusted            untrustedCertificate         unreachable         same       -
  refresh         proxy                proxyAuthenticationRequired  unreachable         same       -

  logout          ok                   -                            signedOut: done     nothing    logout 1
  logout          refused              sessionEnded                 signedOut: pending  another to revoke  logout 2, refresh 1
  logout          unreachable          unreachable                  signedOut: pending  to revoke  logout 1
  logout          rateLimited          rateLimited                  signedOut: pending  to revoke  logout 1
  logout          malformed            malformedResponse            signedOut: pending  to revoke  logout 1
  logout          cut off              unreachable                  signedOut: pending  to revoke  -
  logout          untrusted            untrustedCertificate         signedOut: pending  to revoke  -
  logout          proxy                proxyAuthenticationRequired  signedOut: pending  to revoke  -

  # The current password is proven by a login before anything is changed, and the tokens of that login are revoked.
  proof           ok                   -                            active              new        login 1, logout 1, changePassword 1, refresh 1
  proof           rejected             rejected                     active              same       login 1
  proof           unreachable          unreachable                  active              same       login 1
  proof           rateLimited          rateLimited                  active              same       login 1
  proof           malformed            malformedResponse            active              same       login 1
  proof           cut off              unreachable                  active              same       -
  proof           untrusted            untrustedCertificate         active              same       -
  proof           proxy                proxyAuthenticationRequired  active              same       -

  # The service may have changed the password. A refresh then shows whether the session is still valid.
  changePassword  ok                   -                            active              new        login 1, logout 1, changePassword 1, refresh 1
  changePassword  unreachable          unreachable                  active              new        login 1, logout 1, changePassword 1, refresh 1
  changePassword  malformed            malformedResponse            active              new        login 1, logout 1, changePassword 1, refresh 1
  # The service has not changed the password.
  changePassword  refused              passwordRefused              active              same       login 1, logout 1, changePassword 1
  changePassword  rateLimited          rateLimited                  active              same       login 1, logout 1, changePassword 1
  changePassword  cut off              unreachable                  active              same       login 1, logout 1
  changePassword  untrusted            untrustedCertificate         active              same       login 1, logout 1
  changePassword  proxy                proxyAuthenticationRequired  active              same       login 1, logout 1
  # The app repeated the request with a fresh access token.
  changePassword  unauthorized         sessionEnded                 active              new        login 1, logout 1, changePassword 2, refresh 1

  ssoLogin        ok                   -                            active              new        token 1
  ssoLogin        ok, in memory        -                            active              nothing    token 1
  ssoLogin        rejected             rejected                     signedOut           nothing    token 1
  ssoLogin        unreachable          unreachable                  signedOut           nothing    token 1
  ssoLogin        rateLimited          rateLimited                  signedOut           nothing    token 1
  ssoLogin        malformed            malformedResponse            signedOut           nothing    token 1
  ssoLogin        interaction          interactionRequired          signedOut           nothing    token 1
  ssoLogin        not configured       notConfigured                signedOut           nothing    token 1
  ssoLogin        cut off              unreachable                  signedOut           nothing    -
  ssoLogin        untrusted            untrustedCertificate         signedOut           nothing    -
  ssoLogin        proxy                proxyAuthenticationRequired  signedOut           nothing    -

  ssoRefresh      ok                   -                            active              new        token 1
  ssoRefresh      ok, same token       -                            active              same       token 1
  ssoRefresh      refused              sessionEnded                 ending              same       token 1
  ssoRefresh      unreachable          unreachable                  unreachable         same       token 1
  ssoRefresh      rateLimited          rateLimited                  unreachable         same       token 1
  ssoRefresh      malformed            malformedResponse            unreachable         same       token 1
  ssoRefresh      interaction          interactionRequired          ending              same       token 1
  ssoRefresh      not configured       notConfigured                unreachable         same       token 1
  ssoRefresh      cut off              unreachable                  unreachable         same       -
  ssoRefresh      untrusted            untrustedCertificate         unreachable         same       -
  ssoRefresh      proxy                proxyAuthenticationRequired  unreachable         same       -

  # A further step of a sign-in. Another try can succeed, unless the provider has ended the sign-in.
  factor          ok                   -                            active              new        token 1
  factor          ok, in memory        -                            active              nothing    token 1
  factor          rejected             rejected                     signingIn           nothing    token 1
  factor          unreachable          unreachable                  signingIn           nothing    token 1
  factor          rateLimited          rateLimited                  signingIn           nothing    token 1
  factor          malformed            malformedResponse            signedOut           nothing    token 1
  factor          interaction          interactionRequired          signedOut           nothing    token 1
  factor          not configured       notConfigured                signedOut           nothing    token 1
  factor          cut off              unreachable                  signingIn           nothing    -
  factor          untrusted            untrustedCertificate         signingIn           nothing    -
  factor          proxy                proxyAuthenticationRequired  signingIn           nothing    -

  # A code works only once, so a failure ends the sign-in.
  browser         ok                   -                            active              new        token 1
  browser         ok, in memory        -                            active              nothing    token 1
  browser         rejected             rejected: browserRefused     signedOut           nothing    token 1
  browser         unreachable          unreachable                  signedOut           nothing    token 1
  browser         rateLimited          rateLimited                  signedOut           nothing    token 1
  browser         malformed            malformedResponse            signedOut           nothing    token 1
  browser         interaction          interactionRequired: consentDenied  signedOut    nothing    token 1
  browser         refused client       notConfigured                signedOut           nothing    token 1
  # The app tries its other way to prove its client secret, once.
  browser         not configured       notConfigured                signedOut           nothing    token 2
  browser         cut off              unreachable                  signedOut           nothing    -
  browser         untrusted            untrustedCertificate         signedOut           nothing    -
  browser         proxy                proxyAuthenticationRequired  signedOut           nothing    -

  browserRefresh  ok                   -                            active              new        token 1
  browserRefresh  ok, same token       -                            active              same       token 1
  browserRefresh  refused              sessionEnded                 ending              same       token 1
  browserRefresh  unreachable          unreachable                  unreachable         same       token 1
  browserRefresh  rateLimited          rateLimited                  unreachable         same       token 1
  browserRefresh  malformed            malformedResponse            unreachable         same       token 1
  browserRefresh  interaction          interactionRequired          ending              same       token 1
  browserRefresh  not configured       notConfigured                unreachable         same       token 2
  browserRefresh  cut off              unreachable                  unreachable         same       -
  browserRefresh  untrusted            untrustedCertificate         unreachable         same       -
  browserRefresh  proxy                proxyAuthenticationRequired  unreachable         same       -

  browserLogout   ok                   -                            signedOut: done     nothing    revoke 1
  browserLogout   refused              sessionEnded                 signedOut: pending  another to revoke  revoke 2, token 1
  browserLogout   unreachable          unreachable                  signedOut: pending  to revoke  revoke 1
  browserLogout   rateLimited          rateLimited                  signedOut: pending  to revoke  revoke 1
  browserLogout   malformed            malformedResponse            signedOut: pending  to revoke  revoke 1
  browserLogout   interaction          interactionRequired          signedOut: pending  to revoke  revoke 1
  browserLogout   not configured       notConfigured                signedOut: pending  to revoke  revoke 2
  browserLogout   cut off              unreachable                  signedOut: pending  to revoke  -
  browserLogout   untrusted            untrustedCertificate         signedOut: pending  to revoke  -
  browserLogout   proxy                proxyAuthenticationRequired  signedOut: pending  to revoke  -
`

const MATRIX = `
  fault                        login        refresh      logout       proof        changePassword  ssoLogin        ssoRefresh      factor          browser         browserRefresh  browserLogout

  none                         ok           ok           ok           ok           ok              ok              ok              ok              ok              ok              ok
  disk full                    ok           ok           ok           ok           ok              ok              ok              ok              ok              ok              ok
  slow                         ok           ok           ok           ok           ok              ok              ok              ok              ok              ok              ok
  through a proxy              ok           ok           ok           ok           ok              ok              ok              ok              ok              ok              ok

  # The network
  no such host                 cut off      cut off      cut off      cut off      cut off         cut off         cut off         cut off         cut off         cut off         cut off
  refused                      cut off      cut off      cut off      cut off      cut off         cut off         cut off         cut off         cut off         cut off         cut off
  silent before TLS            cut off      cut off      cut off      cut off      cut off         cut off         cut off         cut off         cut off         cut off         cut off
  reset before the work        unreachable  unreachable  unreachable  unreachable  unreachable     unreachable     unreachable     unreachable     unreachable     unreachable     unreachable
  reset after the work         unreachable  unreachable  unreachable  unreachable  unreachable     unreachable     unreachable     unreachable     unreachable     unreachable     unreachable
  hang                         unreachable  unreachable  unreachable  unreachable  unreachable     unreachable     unreachable     unreachable     unreachable     unreachable     unreachable
  hang after the work          unreachable  unreachable  unreachable  unreachable  unreachable     unreachable     unreachable     unreachable     unreachable     unreachable     unreachable
  too slow                     unreachable  unreachable  unreachable  unreachable  unreachable     unreachable     unreachable     unreachable     unreachable     unreachable     unreachable

  # Certificates and proxies: nothing was sent
  untrusted certificate        untrusted    untrusted    untrusted    untrusted    untrusted       untrusted       untrusted       untrusted       untrusted       untrusted       untrusted
  expired certificate          untrusted    untrusted    untrusted    untrusted    untrusted       untrusted       untrusted       untrusted       untrusted       untrusted       untrusted
  certificate of another host  untrusted    untrusted    untrusted    untrusted    untrusted       untrusted       untrusted       untrusted       untrusted       untrusted       untrusted
  proxy breaks TLS open        untrusted    untrusted    untrusted    untrusted    untrusted       untrusted       untrusted       untrusted       untrusted       untrusted       untrusted
  proxy wants credentials      proxy        proxy        proxy        proxy        proxy           proxy           proxy           proxy           proxy           proxy           proxy
  proxy forbids                cut off      cut off      cut off      cut off      cut off         cut off         cut off         cut off         cut off         cut off         cut off
  proxy fails                  cut off      cut off      cut off      cut off      cut off         cut off         cut off         cut off         cut off         cut off         cut off
  proxy is down                cut off      cut off      cut off      cut off      cut off         cut off         cut off         cut off         cut off         cut off         cut off

  # No redirect is followed
  redirect 301                 unreachable  unreachable  unreachable  unreachable  unreachable     unreachable     unreachable     unreachable     unreachable     unreachable     unreachable
  redirect 302                 unreachable  unreachable  unreachable  unreachable  unreachable     unreachable     unreachable     unreachable     unreachable     unreachable     unreachable
  redirect 303                 unreachable  unreachable  unreachable  unreachable  unreachable     unreachable     unreachable     unreachable     unreachable     unreachable     unreachable
  redirect 307                 unreachable  unreachable  unreachable  unreachable  unreachable     unreachable     unreachable     unreachable     unreachable     unreachable     unreachable
  redirect 308                 unreachable  unreachable  unreachable  unreachable  unreachable     unreachable     unreachable     unreachable     unreachable     unreachable     unreachable
  304                          unreachable  unreachable  unreachable  unreachable  unreachable     unreachable     unreachable     unreachable     unreachable     unreachable     unreachable

  # An HTML page is never taken for the service's answer, except a 401 to login that asks for Basic
  HTML 200                     unreachable  unreachable  unreachable  unreachable  unreachable     unreachable     unreachable     unreachable     unreachable     unreachable     unreachable
  HTML 400                     unreachable  unreachable  unreachable  unreachable  unreachable     unreachable     unreachable     unreachable     unreachable     unreachable     unreachable
  HTML 401                     unreachable  unreachable  unreachable  unreachable  unreachable     unreachable     unreachable     unreachable     unreachable     unreachable     unreachable
  HTML 401, Basic              rejected     unreachable  unreachable  rejected     unreachable     unreachable     unreachable     unreachable     unreachable     unreachable     unreachable
  HTML 403                     unreachable  unreachable  unreachable  unreachable  unreachable     unreachable     unreachable     unreachable     unreachable     unreachable     unreachable
  HTML 403, called JSON        unreachable  unreachable  unreachable  unreachable  unreachable     unreachable     unreachable     unreachable     unreachable     unreachable     unreachable
  HTML 404                     unreachable  unreachable  unreachable  unreachable  unreachable     unreachable     unreachable     unreachable     unreachable     unreachable     unreachable
  HTML 422                     unreachable  unreachable  unreachable  unreachable  unreachable     unreachable     unreachable     unreachable     unreachable     unreachable     unreachable
  HTML 429                     unreachable  unreachable  unreachable  unreachable  unreachable     unreachable     unreachable     unreachable     unreachable     unreachable     unreachable
  HTML 500                     unreachable  unreachable  unreachable  unreachable  unreachable     unreachable     unreachable     unreachable     unreachable     unreachable     unreachable
  HTML 503                     unreachable  unreachable  unreachable  unreachable  unreachable     unreachable     unreachable     unreachable     unreachable     unreachable     unreachable

  # With a JSON object, as the service sends it; an identity provider's error would have a known error code
  400                          rejected     refused      refused      rejected     refused         malformed       malformed       malformed       malformed       malformed       malformed
  401                          rejected     refused      refused      rejected     unauthorized    malformed       malformed       malformed       refused client  malformed       malformed
  403                          rejected     refused      refused      rejected     refused         malformed       malformed       malformed       malformed       malformed       malformed
  404                          malformed    malformed    malformed    malformed    malformed       malformed       malformed       malformed       malformed       malformed       malformed
  408                          unreachable  unreachable  unreachable  unreachable  unreachable     unreachable     unreachable     unreachable     unreachable     unreachable     unreachable
  409                          malformed    malformed    malformed    malformed    refused         malformed       malformed       malformed       malformed       malformed       malformed
  422                          rejected     malformed    malformed    rejected     refused         malformed       malformed       malformed       malformed       malformed       malformed
  429                          rateLimited  rateLimited  rateLimited  rateLimited  rateLimited     rateLimited     rateLimited     rateLimited     rateLimited     rateLimited     rateLimited
  429, Retry-After             rateLimited  rateLimited  rateLimited  rateLimited  rateLimited     rateLimited     rateLimited     rateLimited     rateLimited     rateLimited     rateLimited
  451                          malformed    malformed    malformed    malformed    malformed       malformed       malformed       malformed       malformed       malformed       malformed
  500                          unreachable  unreachable  unreachable  unreachable  unreachable     unreachable     unreachable     unreachable     unreachable     unreachable     unreachable
  503                          unreachable  unreachable  unreachable  unreachable  unreachable     unreachable     unreachable     unreachable     unreachable     unreachable     unreachable
  503, Retry-After             unreachable  unreachable  unreachable  unreachable  unreachable     unreachable     unreachable     unreachable     unreachable     unreachable     unreachable

  # Without a JSON object, so perhaps from a gateway; for the service a 401 still counts, and for changePassword also
  # text with a 400 or 422
  400 without JSON             malformed    malformed    malformed    malformed    refused         malformed       malformed       malformed       malformed       malformed       malformed
  400 empty                    malformed    malformed    malformed    malformed    malformed       malformed       malformed       malformed       malformed       malformed       malformed
  400, a JSON array            malformed    malformed    malformed    malformed    malformed       malformed       malformed       malformed       malformed       malformed       malformed
  400, a JSON string           malformed    malformed    malformed    malformed    refused         malformed       malformed       malformed       malformed       malformed       malformed
  401 empty                    rejected     refused      refused      rejected     unauthorized    malformed       malformed       malformed       not configured  malformed       malformed
  403 without JSON             malformed    malformed    malformed    malformed    malformed       malformed       malformed       malformed       malformed       malformed       malformed
  403 empty                    malformed    malformed    malformed    malformed    malformed       malformed       malformed       malformed       malformed       malformed       malformed
  404 empty                    malformed    malformed    malformed    malformed    malformed       malformed       malformed       malformed       malformed       malformed       malformed
  422 without JSON             malformed    malformed    malformed    malformed    refused         malformed       malformed       malformed       malformed       malformed       malformed

  # A success without a valid token pair, which contains an error; a revocation's content is ignored (RFC 7009)
  202                          rejected     refused      refused      rejected     refused         rejected        refused         rejected        rejected        refused         ok
  207                          rejected     refused      refused      rejected     refused         rejected        refused         rejected        rejected        refused         ok
  # No error either; logout and changePassword return no tokens, so any content is accepted
  204                          malformed    malformed    ok           malformed    ok              malformed       malformed       malformed       malformed       malformed       ok
  garbage JSON                 malformed    malformed    ok           malformed    ok              malformed       malformed       malformed       malformed       malformed       ok
  wrong types                  malformed    malformed    ok           malformed    ok              malformed       malformed       malformed       malformed       malformed       ok
  empty strings                malformed    malformed    ok           malformed    ok              malformed       malformed       malformed       malformed       malformed       ok
  missing fields               malformed    malformed    ok           malformed    ok              malformed       malformed       malformed       malformed       malformed       ok
  empty refresh token          malformed    malformed    ok           malformed    ok              ok, in memory   ok, same token  ok, in memory   ok, in memory   ok, same token  ok
  no refresh token             malformed    malformed    ok           malformed    ok              ok, in memory   ok, same token  ok, in memory   ok, in memory   ok, same token  ok
  64 MB                        malformed    malformed    ok           malformed    ok              malformed       malformed       malformed       malformed       malformed       ok

  # An identity provider's error code counts with any 4xx status
  invalid_grant 400            .            .            .            .            .               rejected        refused         rejected        rejected        refused         refused
  invalid_grant 401            .            .            .            .            .               rejected        refused         rejected        rejected        refused         refused
  invalid_grant 403            .            .            .            .            .               rejected        refused         rejected        rejected        refused         refused
  mfa_required                 .            .            .            .            .               interaction     interaction     interaction     interaction     interaction     interaction
  too_many_attempts            .            .            .            .            .               rateLimited     rateLimited     rateLimited     rateLimited     rateLimited     rateLimited
  invalid_client               .            .            .            .            .               not configured  not configured  not configured  not configured  not configured  not configured
  temporarily_unavailable      .            .            .            .            .               unreachable     unreachable     unreachable     unreachable     unreachable     unreachable
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
  const outcomes = parseTable<'outcome' | keyof Omit<Row, 'fault'>>(OUTCOMES)
  const matrix = parseTable<'fault' | Operation>(MATRIX)
  return OPERATIONS.flatMap((operation) =>
    matrix.flatMap(({ fault, [operation]: name }) => {
      if (name === '.') return []
      const found = outcomes.find((each) => each.operation === operation && each.outcome === name)
      if (found === undefined) throw new Error(`No outcome of ${operation} is called ${name}`)
      const { code, state, keychain, requests } = found
      return { operation, fault, code, state, keychain, requests }
    }),
  )
}

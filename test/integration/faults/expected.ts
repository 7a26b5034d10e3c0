/** What each operation leads to under each fault: the possible outcomes, the matrix, and the texts. */
import { OPERATIONS, type Operation } from './operations.ts'
import { parseTable } from './table.ts'

/**
 * The possible outcomes of each operation. `code` is that of the operation's first failure, and `state` that of the
 * session afterwards. `keychain` is `same` if the entry has the old refresh token, `new` if it has another one, `to
 * revoke` if the old one is still to be revoked, and `another to revoke` if another one is. `requests` are all that
 * reached the service or the identity provider.
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

/**
 * What the sentence about a failure must contain: the error, then the next step. `{who}` is the service or the
 * provider.
 */
const SENTENCES = `
  operation       code                         says

  login           rejected                     username and password don’t match … Check both … try again
  login           rateLimited                  Too many attempts at {who} … Wait {wait}, then try again
  login           unreachable                  Can’t reach {who} … Check your network or VPN … try again
  login           unreachable, answered        {who} isn’t responding as it should … Try again in a few minutes
  login           unreachable, no host         Can’t find {who} … Check your network or VPN … misspelt, correct it
  login           unreachable, page            A web page answered instead of {who} … want you to sign in first … try again
  login           unreachable, proxy           The proxy … doesn’t answer … try again
  login           untrustedCertificate         doesn’t trust the certificate of {who} … Nothing was sent … administrator
  login           proxyAuthenticationRequired  proxy requires you to sign in … Sign in to the proxy, then try again
  login           malformedResponse            doesn’t understand the response from {who} … ask your administrator
  login           interactionRequired          identity provider requires an additional step … administrator
  login           notConfigured                identity provider doesn’t accept Latchkey’s settings … administrator

  refresh         sessionEnded                 session has ended … until you sign in
  refresh         rateLimited                  {who} asked Latchkey to wait … You stay signed in
  refresh         unreachable                  Can’t reach {who} … You stay signed in
  refresh         unreachable, answered        {who} isn’t responding as it should … You stay signed in
  refresh         unreachable, page            A web page answered instead of {who} … You stay signed in … want you to sign in
  refresh         unreachable, proxy           The proxy … doesn’t answer … You stay signed in
  refresh         untrustedCertificate         doesn’t trust the certificate of {who} … You stay signed in … administrator
  refresh         proxyAuthenticationRequired  proxy requires you to sign in … You stay signed in … Sign in to the proxy
  refresh         malformedResponse            doesn’t understand the response from {who} … You stay signed in … administrator
  refresh         interactionRequired          identity provider requires an additional step … Sign in again
  refresh         notConfigured                identity provider doesn’t accept Latchkey’s settings … You stay signed in … administrator

  factor          rejected                     code was refused … try again
  browser         rejected: browserRefused     didn’t accept the sign-in … Try again
  browser         interactionRequired: consentDenied  {who} didn’t allow the sign-in … try again … administrator

  proof           rejected                     current password is wrong … password is unchanged … try again
  proof           rateLimited                  Too many attempts at {who} … password is unchanged … Wait {wait}, then try again
  proof           unreachable                  Can’t reach {who} … password is unchanged … Check your network or VPN … try again
  proof           unreachable, answered        {who} isn’t responding as it should … password is unchanged … Try again in a few minutes
  proof           unreachable, page            A web page answered instead of {who} … password is unchanged … want you to sign in first
  proof           unreachable, proxy           The proxy … doesn’t answer … password is unchanged … try again
  proof           untrustedCertificate         doesn’t trust the certificate of {who} … Nothing was sent … administrator
  proof           proxyAuthenticationRequired  proxy requires you to sign in … Sign in to the proxy, then try again
  proof           malformedResponse            doesn’t understand the response from {who} … password is unchanged … ask your administrator

  changePassword  passwordRefused              new password was refused … Choose another one
  # Even a fresh access token was refused, so the service refuses the change itself.
  changePassword  sessionEnded                 new password was refused … Choose another one
  changePassword  rateLimited                  Too many attempts at {who} … password is unchanged … Wait {wait}, then try again
  changePassword  unreachable                  Can’t reach {who} … try again
  changePassword  unreachable, answered        {who} isn’t responding as it should … Try again in a few minutes
  changePassword  unreachable, page            A web page answered instead of {who} … If the old password no longer works
  changePassword  unreachable, proxy           The proxy … doesn’t answer … try again
  changePassword  untrustedCertificate         doesn’t trust the certificate of {who} … Nothing was sent … administrator
  changePassword  proxyAuthenticationRequired  proxy requires you to sign in … Sign in to the proxy, then try again
  changePassword  malformedResponse            doesn’t understand the response from {who} … If the old password no longer works, use the new one

  # A sign-out says what happened to the token.
  logout          done                         You’re signed out, here and at
  logout          pending                      You’re signed out here … keeps trying to end the session at {who}
`

/** Operations that have the sentences of another operation, unless the table has their own. */
const ALIKE: { readonly [O in Operation]?: Operation } = {
  ...{ ssoLogin: 'login', factor: 'login', browser: 'login' },
  ...{ ssoRefresh: 'refresh', browserRefresh: 'refresh', browserLogout: 'logout' },
}

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

/**
 * What the sentence of a row must contain, in order; nothing if all went well.
 * @param isAnswered True if the server answered, so that the network isn't the reason.
 */
export function phrasesOf({ operation, fault, code, state }: Row, who: string, isAnswered = false): readonly string[] {
  const isLogout = operation === 'logout' || operation === 'browserLogout'
  const kind = fault.startsWith('HTML')
    ? ', page'
    : fault === 'proxy is down'
      ? ', proxy'
      : isAnswered
        ? ', answered'
        : fault === 'no such host' && (ALIKE[operation] ?? operation) === 'login'
          ? ', no host'
          : ''
  const told = code === 'unreachable' ? `${code}${kind}` : code
  const about = isLogout ? state.replace('signedOut: ', '') : told
  if (about === '-') return []
  const sentences = parseTable<'operation' | 'code' | 'says'>(SENTENCES)
  const said = (as: string) => sentences.find((each) => each.operation === as && each.code === about)
  const found = said(operation) ?? said(ALIKE[operation] ?? operation)
  if (found === undefined) throw new Error(`No sentence for ${operation}, ${about}`)
  const wait = fault.includes('Retry-After') ? '2 minutes' : 'a moment'
  return found.says.replace('{who}', who).replace('{wait}', wait).split(' … ')
}

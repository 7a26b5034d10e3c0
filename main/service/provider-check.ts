import type { Outcome } from '../../contract/failures.ts'
import type { AuthorizationRequest, SignInCheck } from '../session/ports.ts'
import type { HttpClient } from './http-client.ts'
import { plainText } from './plain-text.ts'
import type { FormFields, ProviderExchange } from './provider-exchange.ts'
import { standardErrorOf } from './provider-response.ts'
import { jsonObjectOf } from './response.ts'

/** The errors by which a provider says that the user must interact with it (OpenID Connect Core section 3.1.2.6). */
const NEEDS_PERSON: ReadonlySet<string> = new Set([
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
])

/** The statuses of a provider's error page. LemonLDAP::NG asks for the password with 401, so that isn't one. */
const ERROR_PAGES: ReadonlySet<number> = new Set([400, 403, 404])

/** The errors about the client (RFC 6749 section 5.2). */
const CLIENT_ERRORS: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client'])

/**
 * Checks the settings with a sign-in that can't succeed: `prompt=none` forbids the provider to ask the user anything,
 * and the code is made up.
 * @param isSecret true if the client has a secret
 */
export async function checkSignIn(
  begun: AuthorizationRequest,
  redirectUri: string,
  {
    http,
    provider,
    isSecret,
  }: { readonly http: HttpClient; readonly provider: ProviderExchange; readonly isSecret: boolean },
): Promise<Outcome<SignInCheck>> {
  const { address } = begun
  const url = new URL(address)
  url.searchParams.set('prompt', 'none')
  const sent = await http.send({ operation: 'browserSignIn', method: 'GET', url, accept: 'text/html' })
  if (!sent.ok) return sent
  const { status, headers } = sent.value
  const isGuessed = begun.details !== undefined
  if (ERROR_PAGES.has(status)) return { ok: true, value: { kind: 'errorPage', status, isGuessed } }
  // The provider may show the error on a page of its own.
  const { location = '' } = headers
  const error = URL.canParse(location, url.href) && new URL(location, url).searchParams.get('error')
  const code = {
    grant_type: 'authorization_code',
    code: 'check',
    redirect_uri: redirectUri,
    code_verifier: 'check',
  }
  const refusal = error && !NEEDS_PERSON.has(error) ? error : undefined
  const wrong =
    refusal ??
    [await errorTo(provider, code)].find((each) => CLIENT_ERRORS.has(each)) ??
    (isSecret ? await wrongSecret(provider) : undefined)
  if (wrong !== undefined) return { ok: true, value: { kind: 'refused', cause: plainText(wrong, []) } }
  const cause = await noRefresh(provider)
  return { ok: true, value: { kind: 'ready', page: address, isGuessed, ...(cause && { noRefresh: cause }) } }
}

async function errorTo(
  provider: ProviderExchange,
  form: FormFields,
  at: 'token' | 'revocation' = 'token',
): Promise<string> {
  const discovered = await provider.discover('browserSignIn')
  const endpoint = discovered.ok ? discovered.value[`${at}_endpoint`] : undefined
  if (!discovered.ok || endpoint === undefined) return ''
  const sent = await provider.post('browserSignIn', discovered.value, new URL(endpoint), form)
  const error = (sent.ok && standardErrorOf(sent.value)) || ''
  // oidc-provider 9 sends this error and description if the client may not use the grant type.
  const description = sent.ok && error === 'invalid_request' && jsonObjectOf(sent.value)?.['error_description']
  return typeof description === 'string' && /grant type/i.test(description) ? 'unauthorized_client' : error
}

/** Providers such as better-auth check a code before the secret. Their revocation endpoint checks the secret first. */
async function wrongSecret(provider: ProviderExchange): Promise<string | undefined> {
  const error = await errorTo(provider, { token: 'check', token_type_hint: 'refresh_token' }, 'revocation')
  return error === 'invalid_client' ? error : undefined
}

/** Why the provider is unlikely to issue refresh tokens. One that only refuses the made-up token may issue them. */
async function noRefresh(provider: ProviderExchange): Promise<string | undefined> {
  const error = await errorTo(provider, { grant_type: 'refresh_token', refresh_token: 'check' })
  if (error === 'unsupported_grant_type' || error === 'unauthorized_client') return error
  const discovered = await provider.discover('browserSignIn')
  const grants = discovered.ok ? discovered.value.grant_types_supported : undefined
  const isListed = grants?.includes('refresh_token') !== false
  return isListed || error === '' || error === 'invalid_grant' ? undefined : 'grant_types_supported'
}

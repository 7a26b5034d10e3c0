/** An OpenID provider for oidc-agent, on 127.0.0.1 over TLS, which can be put out of order like the demo's service. */
import { type Answer, type Call, json, NO_STORE, refuseWith } from '../demo/answer.ts'
import { type ControlledServer, startServer } from '../demo/server.ts'
import { TokenIssuer } from '../demo/tokens.ts'

export interface OidcProvider extends ControlledServer<'discovery' | 'token'> {
  readonly firstRefreshToken: string
  revoke(): void
}

interface OidcProviderOptions {
  readonly tls: { readonly key: string; readonly cert: string }
  /** Life of an access token: whole seconds. */
  readonly tokenLifetime: number
}

const PERSON = { username: 'ana', name: 'Ana', sub: 'bench|ana' }
const refuse = refuseWith('error_description')

export async function startOidcProvider({ tls, tokenLifetime }: OidcProviderOptions): Promise<OidcProvider> {
  const issuer = new TokenIssuer({ now: Date.now, tokenLifetime, grace: 30, oneTime: false })
  const { refreshToken = '' } = await issuer.signIn(PERSON, (claims) => claims)

  const discovery = async (): Promise<Answer> =>
    json(200, {
      issuer: `${server.address}/`,
      authorization_endpoint: `${server.address}/authorize`,
      token_endpoint: `${server.address}/token`,
      scopes_supported: ['openid', 'offline_access'],
      response_types_supported: ['code'],
      grant_types_supported: ['refresh_token'],
    })

  const token = async ({ body, alterClaims }: Call): Promise<Answer> => {
    const issued = await issuer.exchange(new URLSearchParams(body.toString()).get('refresh_token') ?? '', alterClaims)
    if (issued === undefined) return refuse(400, 'invalid_grant', 'The refresh token is not valid.')
    const { accessToken: access_token, expiresIn: expires_in } = issued
    return json(200, { access_token, token_type: 'Bearer', expires_in }, NO_STORE)
  }

  const server = await startServer<'discovery' | 'token'>(
    [
      { operation: 'discovery', method: 'GET', path: '/.well-known/openid-configuration', run: discovery },
      { operation: 'token', method: 'POST', path: '/token', run: token },
    ],
    refuse,
    { tls },
  )
  return { ...server, firstRefreshToken: refreshToken, revoke: () => issuer.revoke(refreshToken) }
}

import * as v from 'valibot'
import {
  type Answer,
  type Call,
  json,
  NO_STORE,
  nonEmpty,
  parseBody,
  type Refuse,
  refuseAuthorization,
  refuseWith,
} from './answer.ts'
import { browserFlow } from './browser-flow.ts'
import { type DemoAuthenticator, secondFactor } from './second-factor.ts'
import { type ControlledServer, type ServerOptions, startServer } from './server.ts'
import { TokenIssuer, type TokenPair } from './tokens.ts'
import { ANA, DEMO_USERS, type DemoUser, UserList } from './users.ts'

interface ProviderUser extends DemoUser {
  /** With an empty list, the user has enrolled no authenticator. */
  readonly secondFactor?: readonly DemoAuthenticator[]
}

export interface IdentityProviderOptions extends ServerOptions {
  /** In seconds; by default without a limit. */
  readonly sessionLifetime?: number
  readonly clientSecret?: string
}

type Operation = 'token' | 'authenticators' | 'challenge' | 'metadata' | 'authorize' | 'revoke'

export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>

const { password } = ANA

/** The users of the demo service, and users with ana's password who have a second factor. */
export const PROVIDER_USERS: readonly ProviderUser[] = [
  ...DEMO_USERS,
  { username: 'ana.app', password, name: 'Ana with an app', secondFactor: ['app'] },
  { username: 'ana.push', password, name: 'Ana with a phone', secondFactor: ['push'] },
  {
    username: 'ana.choice',
    password,
    name: 'Ana with a choice',
    secondFactor: ['app', 'text', 'email', 'push', 'recovery'],
  },
  { username: 'ana.unenrolled', password, name: 'Ana without a second factor', secondFactor: [] },
]

const refuse: Refuse = refuseWith('error_description')
// Besides the 400 and 401 of RFC 6749 section 5.2, providers send 403.
const client = { client_id: nonEmpty, client_secret: nonEmpty }
const passwordRealmBody = v.strictObject({
  ...client,
  username: nonEmpty,
  password: nonEmpty,
  grant_type: nonEmpty,
  realm: nonEmpty,
  scope: v.string(),
  audience: nonEmpty,
})
const refreshBody = v.strictObject({ ...client, grant_type: nonEmpty, refresh_token: nonEmpty })
const anyGrant = v.looseObject({ grant_type: nonEmpty })

export async function startIdentityProvider(options: IdentityProviderOptions = {}) {
  const { now = Date.now, sessionLifetime } = options
  const settings = {
    domain: 'identity.example',
    realm: 'Username-Password-Authentication',
    audience: 'https://data.example/',
    clientId: 'latchkey-desktop',
    clientSecret: options.clientSecret ?? 'demo-client-secret',
  }
  const list = new UserList(PROVIDER_USERS)
  const claims = { iss: `https://${settings.domain}/`, aud: settings.audience }
  const issuer = new TokenIssuer({ now, tokenLifetime: 3600, grace: 30, sessionLifetime, claims })

  async function token(call: Call): Promise<Answer> {
    if (browser.serves(call)) return browser.token(call)
    // RFC 6749 section 2.3: a client uses only one method to authenticate, here the parameters in the body.
    refuseAuthorization(call, refuse)
    const { grant_type } = parseBody(call, anyGrant, refuse)
    switch (grant_type) {
      case `http://${settings.domain}/oauth/grant-type/password-realm`:
        return passwordRealm(call)
      case 'refresh_token':
        return refresh(call)
      default:
        return factors.verify(call)
    }
  }

  async function passwordRealm(call: Call): Promise<Answer> {
    const body = parseBody(call, passwordRealmBody, refuse)
    const { username, password, realm, scope, audience } = body
    checkClient(body)
    if (realm !== settings.realm) refuse(400, 'invalid_request', 'The realm is not known.')
    if (audience !== settings.audience) refuse(403, 'access_denied', 'The audience is not known.')
    const user = list.authenticate(username, password)
    if (!user) return refuse(403, 'invalid_grant', 'Wrong email or password.')
    return user.secondFactor ? factors.begin(user, user.secondFactor, scope) : signedIn(user, scope)
  }

  async function signedIn(user: DemoUser, scope: string): Promise<Answer> {
    const refreshable = scope.split(' ').includes('offline_access')
    return tokens(await issuer.signIn(user, { refreshable }), scope)
  }

  async function refresh(call: Call): Promise<Answer> {
    const body = parseBody(call, refreshBody, refuse)
    checkClient(body)
    return exchange(body.refresh_token)
  }

  async function exchange(refreshToken: string): Promise<Answer> {
    const issued = await issuer.exchange(refreshToken)
    return issued ? tokens(issued) : refuse(403, 'invalid_grant', 'Unknown or invalid refresh token.')
  }

  /** RFC 6749 section 5.1. */
  function tokens({ accessToken, refreshToken, expiresIn, delivered }: TokenPair, scope?: string): Answer {
    const body = {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: expiresIn,
      ...(scope && { scope }),
      ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    }
    return { ...json(200, body, NO_STORE), delivered }
  }

  function checkClient({ client_id, client_secret }: { client_id: string; client_secret?: string | undefined }): void {
    if (client_id === settings.clientId && client_secret === settings.clientSecret) return
    refuse(401, 'invalid_client', 'The client is unknown or its secret is wrong.')
  }

  let address = ''
  const factors = secondFactor({ issuer, domain: settings.domain, now, checkClient, tokens: signedIn })
  const browser = browserFlow({
    issuer,
    ...settings,
    now,
    refresh: exchange,
    signIn: signedIn,
    address: () => address,
    authenticate: (username, password) => list.authenticate(username, password),
  })

  const received = (body: unknown) => issuer.noteSent(body, 'refresh_token')
  const server: ControlledServer<Operation> = await startServer<Operation>(
    [
      { operation: 'token', method: 'POST', path: '/oauth/token', run: token, received },
      { operation: 'authenticators', method: 'GET', path: '/mfa/authenticators', run: factors.list },
      { operation: 'challenge', method: 'POST', path: '/mfa/challenge', run: factors.challenge },
      {
        operation: 'metadata',
        method: 'GET',
        path: '/.well-known/openid-configuration',
        run: browser.metadata,
      },
      { operation: 'authorize', method: 'GET', path: '/authorize', run: browser.page },
      { operation: 'authorize', method: 'POST', path: '/authorize', run: browser.submit },
      { operation: 'revoke', method: 'POST', path: '/oauth/revoke', run: browser.revoke },
    ],
    refuse,
    options,
  )
  address = server.address
  return Object.assign(issuer, server, { settings })
}

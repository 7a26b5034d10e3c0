import * as v from 'valibot'
import { type Answer, type Call, json, NO_STORE, parseBody, refuseAuthorization, refuseWith } from './answer.ts'
import { BrowserFlow } from './browser-flow.ts'
import { type DemoAuthenticator, SecondFactor } from './second-factor.ts'
import { type ControlledServer, type ServerOptions, startServer } from './server.ts'
import { type Inspection, inspectionOf, TokenIssuer, type TokenPair } from './tokens.ts'
import { ANA, DEMO_USERS, type DemoUser, type Person, UserList } from './users.ts'

export interface ProviderUser extends DemoUser {
  /**
   * How this user confirms a sign-in after the password. If the list is empty, the user has enrolled no authenticator.
   */
  readonly secondFactor?: readonly DemoAuthenticator[]
}

export interface IdentityProviderOptions extends ServerOptions {
  readonly users?: readonly ProviderUser[]
  /** How long a session lasts, in seconds; by default without a limit. */
  readonly sessionLifetime?: number
  /** The fields of an answer that say how long the session still lasts; by default none. */
  readonly saysSessionEnd?: (left: number) => object
  readonly clientSecret?: string
}

/** What a client must be configured with. */
export interface ProviderSettings {
  readonly domain: string
  readonly realm: string
  readonly audience: string
  readonly clientId: string
  readonly clientSecret: string
}

export type ProviderOperation = 'token' | 'authenticators' | 'challenge' | 'metadata' | 'authorize' | 'revoke'

export interface IdentityProvider extends ControlledServer<ProviderOperation>, Inspection {
  readonly settings: ProviderSettings
  /** The person to whom this access token was issued, if the token is still valid. */
  holderOf(accessToken: string): Person | undefined
}

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

/** Besides the 400 and 401 of RFC 6749 section 5.2, providers send 403. */
const REFUSALS = {
  invalid_client: [401, 'The client is unknown or its secret is wrong.'],
  invalid_grant: [403, 'Wrong email or password.'],
  unsupported_grant_type: [400, 'The grant type is not supported.'],
  access_denied: [403, 'The audience is not known.'],
} as const

const refuse = refuseWith('error_description')
const nonEmpty = v.pipe(v.string(), v.nonEmpty())
const passwordRealmBody = v.strictObject({
  username: nonEmpty,
  password: nonEmpty,
  grant_type: nonEmpty,
  realm: nonEmpty,
  scope: v.string(),
  audience: nonEmpty,
  client_id: nonEmpty,
  client_secret: nonEmpty,
})
const refreshBody = v.strictObject({
  grant_type: nonEmpty,
  refresh_token: nonEmpty,
  client_id: nonEmpty,
  client_secret: nonEmpty,
})
const anyGrant = v.looseObject({ grant_type: nonEmpty })

/** Starts an identity provider on 127.0.0.1. Rejects if the port is taken. */
export async function startIdentityProvider(options: IdentityProviderOptions = {}): Promise<IdentityProvider> {
  const { users = PROVIDER_USERS, now = Date.now } = options
  const settings: ProviderSettings = {
    domain: 'identity.example',
    realm: 'Username-Password-Authentication',
    audience: 'https://data.example/',
    clientId: 'latchkey-desktop',
    clientSecret: options.clientSecret ?? 'demo-client-secret',
  }
  const list = new UserList(users)
  const claims = { iss: `https://${settings.domain}/`, aud: settings.audience }
  const { sessionLifetime, saysSessionEnd = () => ({}) } = options
  const issuer = new TokenIssuer({ now, tokenLifetime: 3600, grace: 30, sessionLifetime, claims })

  async function token(call: Call): Promise<Answer> {
    if (browser.serves(call)) return browser.token(call)
    // RFC 6749 section 2.3: a client uses only one method to authenticate, here the parameters in the body.
    const unwanted = refuseAuthorization(call, refuse)
    if (unwanted) return unwanted
    const grant = parseBody(call, anyGrant, refuse)
    if (!grant.ok) return grant.answer
    switch (grant.value.grant_type) {
      case `http://${settings.domain}/oauth/grant-type/password-realm`:
        return passwordRealm(call)
      case 'refresh_token':
        return refresh(call)
      default:
        return factors.serves(grant.value.grant_type) ? factors.verify(call) : refusal('unsupported_grant_type')
    }
  }

  async function passwordRealm(call: Call): Promise<Answer> {
    const body = parseBody(call, passwordRealmBody, refuse)
    if (!body.ok) return body.answer
    const { username, password, realm, scope, audience } = body.value
    if (!isClient(body.value)) return refusal('invalid_client')
    if (realm !== settings.realm) return refuse(400, 'invalid_request', 'The realm is not known.')
    if (audience !== settings.audience) return refusal('access_denied')
    const found = list.authenticate(username, password)
    if (!found) return refusal('invalid_grant')
    const { secondFactor } = found.user
    return secondFactor ? factors.require(found.person, secondFactor, scope) : signedIn(found.person, scope)
  }

  async function signedIn(person: Person, scope: string): Promise<Answer> {
    const refreshable = scope.split(' ').includes('offline_access')
    const issued = await issuer.signIn(person, { refreshable })
    return tokens(issued, saysSessionEnd(issued.sessionLeft), scope)
  }

  async function refresh(call: Call): Promise<Answer> {
    const body = parseBody(call, refreshBody, refuse)
    if (!body.ok) return body.answer
    if (!isClient(body.value)) return refusal('invalid_client')
    return exchange(body.value.refresh_token)
  }

  async function exchange(refreshToken: string): Promise<Answer> {
    const issued = await issuer.exchange(refreshToken)
    return issued
      ? tokens(issued, saysSessionEnd(issued.sessionLeft))
      : refuse(403, 'invalid_grant', 'Unknown or invalid refresh token.')
  }

  const isClient = ({ client_id, client_secret }: { client_id: string; client_secret?: string | undefined }) =>
    client_id === settings.clientId && client_secret === settings.clientSecret

  const { domain } = settings
  const newSecret: TokenIssuer['newSecret'] = (shaped) => issuer.newSecret(shaped)
  const factors = new SecondFactor({ domain, now, newSecret, isClient, tokens: signedIn })

  let address = ''
  const browser = new BrowserFlow({
    address: () => address,
    clientId: settings.clientId,
    clientSecret: settings.clientSecret,
    now,
    newSecret,
    noteSecret: (secret) => issuer.noteSecret(secret),
    authenticate: (username, password) => list.authenticate(username, password)?.person,
    signIn: signedIn,
    refresh: exchange,
    revoke: (refreshToken) => issuer.revoke(refreshToken),
  })

  const server = await startServer<ProviderOperation>(
    [
      {
        operation: 'token',
        method: 'POST',
        path: '/oauth/token',
        run: token,
        received: (body) => issuer.noteSent(body, 'refresh_token'),
      },
      { operation: 'authenticators', method: 'GET', path: '/mfa/authenticators', run: (call) => factors.list(call) },
      {
        operation: 'metadata',
        method: 'GET',
        path: '/.well-known/openid-configuration',
        run: () => browser.metadata(),
      },
      { operation: 'authorize', method: 'GET', path: '/authorize', run: (call) => browser.page(call) },
      { operation: 'authorize', method: 'POST', path: '/authorize', run: (call) => browser.submit(call) },
      { operation: 'revoke', method: 'POST', path: '/oauth/revoke', run: (call) => browser.revoke(call) },
      { operation: 'challenge', method: 'POST', path: '/mfa/challenge', run: (call) => factors.challenge(call) },
    ],
    refuse,
    options,
  )
  address = server.address
  return { ...server, ...inspectionOf(issuer), settings, holderOf: (token) => issuer.holderOf(token) }
}

const refusal = (error: keyof typeof REFUSALS): Answer => refuse(REFUSALS[error][0], error, REFUSALS[error][1])

/** RFC 6749 section 5.1. */
const tokens = (
  { accessToken, refreshToken, expiresIn, delivered }: TokenPair,
  sessionEnd: object,
  scope?: string,
): Answer => ({
  ...json(
    200,
    {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: expiresIn,
      ...(scope && { scope }),
      ...(refreshToken !== undefined && { refresh_token: refreshToken }),
      ...sessionEnd,
    },
    NO_STORE,
  ),
  delivered,
})

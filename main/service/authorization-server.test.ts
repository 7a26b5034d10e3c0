import { createHash } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { isAnswered, NO_METADATA, NO_REVOCATION } from '../../contract/failures.ts'
import { expectWithout, httpServer, type Scripted, testClient } from '../../test/support/local-servers.ts'
import { refreshToken, Secret } from '../base/secret.ts'
import { receive } from '../session/access-token.ts'
import type { AuthorizationRequest } from '../session/ports.ts'
import { BrowserAuthorizationServer } from './authorization-server.ts'
import type { HttpClient } from './http-client.ts'
import { REFRESH_TIMEOUT_MS } from './request.ts'

const API = 'https://data.example.com/api'
const REDIRECT = 'http://127.0.0.1:4711/callback'
const SECRETS = ['code-of-the-callback', 'access.token.value', 'refresh-token-value', 'client-secret-value']

let asked: { path: string; authorization?: string | undefined; accept?: string | undefined; form: URLSearchParams }[] =
  []
let answers: Record<string, Scripted> = {}
let serverTime: number | undefined

const provider = await httpServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const path = request.url ?? ''
  const form = new URLSearchParams(body)
  const { authorization, accept } = request.headers
  asked.push({ path, form, authorization, accept })
  const { status, headers, body: text } = answers[path] ?? { status: 404 }
  if (serverTime !== undefined) response.sendDate = false
  response.writeHead(status, headers).end(text)
})
afterAll(provider.stop)
const address = `http://127.0.0.1:${provider.port}`

const json = (status: number, value: unknown): Scripted => ({
  status,
  headers: { 'content-type': 'application/json', ...(serverTime && { date: new Date(serverTime).toUTCString() }) },
  body: JSON.stringify(value),
})
const metadata = (over: object = {}) => ({
  issuer: address,
  authorization_endpoint: `${address}/authorize`,
  token_endpoint: `${address}/token`,
  revocation_endpoint: `${address}/revoke`,
  ...over,
})

beforeEach(() => {
  asked = []
  serverTime = undefined
  answers = { '/.well-known/openid-configuration': json(200, metadata()) }
})

function answerAt(known: typeof answers, otherwise: Scripted = { status: 200 }): void {
  const all: typeof answers = { '/.well-known/openid-configuration': json(200, metadata()) }
  Object.defineProperties(all, Object.getOwnPropertyDescriptors(known))
  answers = new Proxy(all, { get: (_, path: string) => all[path] ?? otherwise })
}

function announce(over: object = {}): void {
  answers['/.well-known/openid-configuration'] = json(200, metadata(over))
}

const server = (over: object = {}) =>
  new BrowserAuthorizationServer({
    authAddress: address,
    clientId: 'latchkey',
    scope: 'openid offline_access',
    http: testClient(),
    ...over,
  })

async function authorized(over: object = {}, one = server(over)): Promise<AuthorizationRequest> {
  const outcome = await one.authorize(REDIRECT)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.failure))
  return outcome.value
}
/** An ID token with a wrong signature, which nobody checks (OpenID Connect Core section 3.1.3.7). */
const idToken = ({ alg = 'RS256', ...claims }: Record<string, unknown>, now = Date.now()): string => {
  const iat = Math.floor(now / 1_000)
  const payload = { iss: address, aud: 'latchkey', sub: 'user|1', name: 'Ana Duarte', iat, exp: iat + 300, ...claims }
  const parts = [{ alg }, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  return [...parts, 'c2ln'].join('.')
}
const tokens = (over: object = {}) => ({
  access_token: 'access.token.value',
  token_type: 'Bearer',
  expires_in: 300,
  refresh_token: 'refresh-token-value',
  ...over,
})
const callbackOf = ({ address: { searchParams } }: AuthorizationRequest, over: Record<string, string> = {}) =>
  new URLSearchParams({ code: 'code-of-the-callback', state: searchParams.get('state') ?? '', ...over })

interface Received {
  readonly callback?: Record<string, string>
  readonly now?: number
  readonly status?: number
  readonly fields?: object
}

async function signIn(claims: object = {}, { callback, now, status = 200, fields }: Received = {}) {
  const authorization = await authorized()
  const nonce = authorization.address.searchParams.get('nonce')
  answers['/token'] = json(status, tokens({ id_token: idToken({ nonce, ...claims }, now), ...fields }))
  const outcome = await authorization.redeem(callbackOf(authorization, callback))
  expectWithout(outcome, SECRETS)
  return outcome
}

describe('the authorization endpoint', () => {
  it('is asked for a code with PKCE, and with a new state and nonce each time', async () => {
    const { address: first } = await authorized({ audience: API })
    expect(`${first.origin}${first.pathname}`).toBe(`${address}/authorize`)
    expect(Object.fromEntries(first.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'latchkey',
      redirect_uri: REDIRECT,
      scope: 'openid offline_access',
      audience: API,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
    const { address: second } = await authorized()
    for (const name of ['code_challenge', 'state', 'nonce']) {
      expect(second.searchParams.get(name)).not.toBe(first.searchParams.get(name))
    }
  })

  it.each(['//evil.example/#x', '&redirect_uri=https://evil.example'])(
    'SECURITY: no setting changes the authorization endpoint’s origin and path: %j',
    async (text) => {
      announce({ authorization_endpoint: `${address}/authorize?tenant=a&redirect_uri=https://evil.example` })
      const { address: opened } = await authorized({ clientId: text, scope: text, audience: text })
      expect([opened.origin, opened.pathname, opened.hash]).toEqual([address, '/authorize', ''])
      expect(opened.searchParams.getAll('redirect_uri')).toEqual([REDIRECT])
      for (const name of ['client_id', 'scope', 'audience']) expect(opened.searchParams.getAll(name)).toEqual([text])
      expect(opened.searchParams.get('tenant')).toBe('a')
    },
  )

  it.each<[string, object, object, string | null]>([
    ['the audience as `resource` if the metadata ask for one', { resource_indicators_supported: true }, {}, API],
    ['no `resource` if the audience is no URI', { resource_indicators_supported: true }, { audience: 'data' }, null],
    ['the `resource` from the settings', {}, { resource: 'urn:data' }, 'urn:data'],
  ])('gets %s, like the token endpoint', async (_, over, options, resource) => {
    announce(over)
    answers['/token'] = json(200, tokens())
    const one = server({ audience: API, ...options })
    const begun = await authorized({}, one)
    expect(begun.address.searchParams.get('resource')).toBe(resource)
    await begun.redeem(callbackOf(begun))
    await one.refresh(refreshToken('r'))
    const sent = asked.filter(({ path }) => path === '/token').map(({ form }) => form.get('resource'))
    expect(sent).toEqual([resource, resource])
  })

  it.each([
    ['another issuer', () => ({ issuer: 'https://evil.example' })],
    ['the address of a file', () => ({ authorization_endpoint: 'file:///etc/passwd' })],
    ['plain http to another machine', () => ({ authorization_endpoint: 'http://login.example.com/authorize' })],
    ['credentials', () => ({ authorization_endpoint: 'https://ana:x@login.example.com/authorize' })],
  ])('SECURITY: the endpoint is not taken from metadata with %s', async (_, over) => {
    announce(over())
    expect(await server().authorize(REDIRECT)).toMatchObject({ ok: false, failure: { code: 'malformedResponse' } })
  })

  it.each([
    ['authorization_endpoint', 'http://localhost:4711/'],
    ['token_endpoint', 'http://[::1]:4711/'],
  ])('SECURITY: a remote provider’s endpoint on this machine is refused: %s %s', async (field, place) => {
    const remote = 'https://login.example.com'
    const client = testClient()
    // Sends the requests for the remote provider to the local server instead.
    const http: HttpClient = {
      send: (request) => client.send({ ...request, url: new URL(`${address}${request.url.pathname}`) }),
    }
    const endpoints = { authorization_endpoint: `${remote}/authorize`, token_endpoint: `${remote}/token` }
    answers['/.well-known/openid-configuration'] = json(200, { issuer: remote, ...endpoints, [field]: place })
    expect(await server({ authAddress: remote, http }).authorize(REDIRECT)).toMatchObject({
      ok: false,
      failure: { code: 'malformedResponse', details: { cause: `field ${field}` } },
    })
  })

  it.each([null, 'http://login.example.com/revoke'])(
    'SECURITY: no token is sent to an unusable revocation endpoint, which is treated as absent: %j',
    async (revocation_endpoint) => {
      announce({ revocation_endpoint })
      expect(await server().authorize(REDIRECT)).toMatchObject({ ok: true })
      expect(await server().revoke(refreshToken('r'))).toMatchObject({ failure: { details: { cause: NO_REVOCATION } } })
      expect(asked.map(({ path }) => path)).toEqual(Array(2).fill('/.well-known/openid-configuration'))
    },
  )

  it.each<[string, Scripted]>([
    ['status 401', { status: 401 }],
    ['a redirect to its own page', { status: 302, headers: { location: '/login' } }],
  ])('has the usual path if the provider responds to a request for metadata with %s', async (_, answer) => {
    answers = {
      '/.well-known/openid-configuration': answer,
      '/.well-known/oauth-authorization-server': answer,
      '/oauth/token': json(200, tokens()),
    }
    expect((await authorized()).address.pathname).toBe('/authorize')
    expect(await server().refresh(refreshToken('r'))).toMatchObject({ ok: true })
    expect(await server().revoke(refreshToken('r'))).toMatchObject({ failure: { code: 'unreachable' } })
  })

  it('comes from the metadata of RFC 8414 if there is no OpenID metadata', async () => {
    const issuer = `${address}/tenant`
    answers = { '/.well-known/oauth-authorization-server/tenant': json(200, metadata({ issuer })) }
    expect((await authorized({ authAddress: issuer })).address.pathname).toBe('/authorize')
    answers = { '/.well-known/oauth-authorization-server': json(200, metadata({ issuer: 'https://evil.example' })) }
    const cause = `claim issuer https://evil.example ${address}`
    expect(await server().authorize(REDIRECT)).toMatchObject({ failure: { details: { cause } } })
  })

  it('comes from metadata that have moved, but only within the same server (BookStack#5276)', async () => {
    const location = '/index.php/.well-known/openid-configuration'
    answers['/.well-known/openid-configuration'] = { status: 301, headers: { location } }
    answers[location] = json(200, metadata({ authorization_endpoint: `${address}/index.php/authorize` }))
    expect((await authorized()).address.pathname).toBe('/index.php/authorize')
    answers[location] = json(200, metadata({ issuer: 'https://evil.example' }))
    expect(await server().authorize(REDIRECT)).toMatchObject({ failure: { problem: 'answerRefused' } })
    const elsewhere = { location: `https://www.example.com${location}` }
    answers['/.well-known/openid-configuration'] = { status: 301, headers: elsewhere }
    const failure = { code: 'unreachable', details: { cause: 'redirect to https://www.example.com' } }
    expect(await server().authorize(REDIRECT)).toMatchObject({ failure })
  })
})

it('SECURITY: a callback belongs to the sign-in whose state it contains', async () => {
  const [ours, theirs] = [await authorized(), await authorized()]
  expect(ours.isOurs(callbackOf(ours))).toBe(true)
  for (const state of ['', 'x', theirs.address.searchParams.get('state') ?? '']) {
    expect(ours.isOurs(callbackOf(ours, { state }))).toBe(false)
  }
  expect(ours.isOurs(new URLSearchParams({ code: 'code-of-the-callback' }))).toBe(false)
})

describe('the exchange', () => {
  it('sends the PKCE verifier, which proves that this sign-in asked for the code', async () => {
    const authorization = await authorized()
    answers['/token'] = json(200, tokens())
    await authorization.redeem(callbackOf(authorization))
    const fields = Object.fromEntries(asked.at(-1)?.form ?? [])
    expect(fields).toEqual({
      grant_type: 'authorization_code',
      code: 'code-of-the-callback',
      redirect_uri: REDIRECT,
      client_id: 'latchkey',
      code_verifier: expect.any(String),
    })
    const challenge = createHash('sha256').update(`${fields['code_verifier']}`).digest('base64url')
    expect(challenge).toBe(authorization.address.searchParams.get('code_challenge'))
  })

  it('uses the provider’s clock, because this desktop’s clock may be wrong', async () => {
    serverTime = Date.now() + 3 * 86_400_000
    const nbf = Math.floor(serverTime / 1_000)
    expect(await signIn({ nbf }, { now: serverTime })).toMatchObject({ ok: true })
  })

  // biome-ignore format: a row a line reads as a table
  it.each<[string, object, { callback?: Record<string, string>; now?: number }, string]>([
    ['another state', {}, { callback: { state: 'x' } }, 'claim state'],
    ['another nonce', { nonce: 'x' }, {}, 'claim nonce'],
    ['no nonce', { nonce: undefined }, {}, 'claim nonce'],
    ['another audience', { aud: 'other' }, {}, 'claim aud other latchkey'],
    ['another issuer in the callback', {}, { callback: { iss: 'https://evil.example/x' } }, 'claim iss https://evil.example PROVIDER'],
    ['another issuer in the ID token', { iss: 'https://evil.example/x' }, {}, 'claim iss https://evil.example PROVIDER'],
    ['another client as the authorized one', { aud: ['latchkey', 'other'], azp: 'other' }, {}, 'claim azp other latchkey'],
    ['no signature', { alg: 'none' }, {}, 'claim alg none RS256'],
    ['an ID token that has expired', {}, { now: Date.now() - 3_600_000 }, 'claim exp'],
  ])(
    'SECURITY: a response that isn’t from the right provider or for this sign-in fails: %s',
    async (_, claims, over, cause) => {
      expect(await signIn(claims, over)).toMatchObject({
        ok: false,
        failure: {
          code: 'malformedResponse',
          problem: 'answerRefused',
          details: { cause: cause.replace('PROVIDER', address) },
        },
      })
    },
  )

  it('SECURITY: tokens that came with another provider’s ID token are revoked', async () => {
    answers['/revoke'] = { status: 200 }
    expect(await signIn({ iss: 'https://evil.example' })).toMatchObject({ ok: false })
    expect(asked.at(-1)?.path).toBe('/revoke')
    expect(asked.at(-1)?.form.get('token')).toBe('refresh-token-value')
  })

  it('accepts harmless faults of an ID token', async () => {
    const aud = ['latchkey', 'https://data.example.com']
    const iss = `${address.replace('http', 'HTTP')}/`
    expect(await signIn({ azp: null, auth_time: 'today', nbf: '', alg: 'ES256', aud, iss })).toMatchObject({ ok: true })
  })

  it('accepts an ID token without a nonce if the metadata announce PKCE (angular-oauth2-oidc#1040)', async () => {
    announce({ code_challenge_methods_supported: ['S256'] })
    expect(await signIn({ nonce: undefined })).toMatchObject({ ok: true })
  })

  it('SECURITY: a callback without an issuer fails if the provider announces that it sends one', async () => {
    const over = { authorization_response_iss_parameter_supported: true }
    announce(over)
    const failure = { problem: 'answerRefused', details: { cause: 'claim iss', host: new URL(address).host } }
    expect(await signIn()).toMatchObject({ failure })
    expect(await signIn({}, { callback: { iss: address } })).toMatchObject({ ok: true })
    // Only the slash at the end differs, as with better-auth.
    expect(await signIn({}, { callback: { iss: `${address}/` } })).toMatchObject({ ok: true })
    expect(await signIn({}, { callback: { iss: `${address}/other` } })).toMatchObject({
      failure: { problem: 'answerRefused' },
    })
  })

  it('SECURITY: an OpenID provider that doesn’t announce PKCE must send an ID token', async () => {
    const id_token_signing_alg_values_supported = ['RS256']
    announce({ id_token_signing_alg_values_supported })
    const authorization = await authorized()
    answers['/token'] = json(200, tokens())
    expect(await authorization.redeem(callbackOf(authorization))).toMatchObject({
      failure: { problem: 'answerRefused', details: { cause: 'field id_token' } },
    })
    const plain = await authorized({ scope: 'read' })
    expect(plain.address.searchParams.has('nonce')).toBe(false)
    expect(await plain.redeem(callbackOf(plain))).toMatchObject({ ok: true })
  })

  const OPTIONAL = ['scope', 'refresh_token', 'id_token', 'expires_in', 'token_type']
  const all = (value: unknown) => Object.fromEntries(OPTIONAL.map((field) => [field, value]))
  /** Real providers leave out optional fields in each of these ways, and some respond with 201. */
  it.each([
    ['status 201', {}],
    ['a response without optional fields', all(undefined)],
    ['null in optional fields', all(null)],
    ['empty optional fields', all('')],
    ['a list as scope, and Apigee’s token type', { scope: ['openid', 'read'], token_type: 'BearerToken' }],
    ['a lifetime with a fraction, as a text', { expires_in: '599.9' }],
  ])('accepts %s', async (what, fields: object) => {
    announce({ code_challenge_methods_supported: ['S256'], id_token_signing_alg_values_supported: ['RS256'] })
    expect(await signIn({}, { status: what === 'status 201' ? 201 : 200, fields })).toMatchObject({ ok: true })
    const refreshed = await server().refresh(refreshToken('refresh-token-in-hand'))
    if (!refreshed.ok) throw new Error(JSON.stringify(refreshed.failure))
    const isKept = 'refresh_token' in fields
    expect(refreshed.value.refreshToken?.reveal()).toBe(isKept ? 'refresh-token-in-hand' : 'refresh-token-value')
  })

  describe('the user’s name', () => {
    const withUserInfo = async (info: Scripted, claims: object = {}) => {
      announce({ userinfo_endpoint: `${address}/userinfo` })
      answers['/userinfo'] = info
      const outcome = await signIn({ sub: 'ana', name: undefined, ...claims })
      if (!outcome.ok) throw new Error(JSON.stringify(outcome.failure))
      return outcome.value.identity
    }
    const requests = () => asked.filter(({ path }) => path === '/userinfo')

    it('comes from the ID token or, if the name there is blank, from the UserInfo endpoint', async () => {
      const info = json(200, { sub: 'ana', name: 'Other' })
      expect(await withUserInfo(info, { name: 'Ana Duarte' })).toMatchObject({ name: 'Ana Duarte' })
      expect(requests()).toEqual([])
      expect(await withUserInfo(info, { name: ' ', preferred_username: null })).toMatchObject({ name: 'Other' })
      expect(requests()).toMatchObject([{ authorization: 'Bearer access.token.value' }])
    })

    it('may be missing: an error of the UserInfo endpoint doesn’t end the sign-in', async () => {
      expect(await withUserInfo(json(403, { error: 'insufficient_scope' }))).toMatchObject({ sub: 'ana' })
    })

    it('SECURITY: a user’s name doesn’t come from a response about another subject', async () => {
      expect(await withUserInfo(json(200, { sub: 'eve', name: 'Ana Duarte' }))).not.toHaveProperty('name')
    })
  })

  it.each<[string, object, string?]>([
    ['access_denied', { code: 'interactionRequired', problem: 'consentDenied' }],
    ['consent_required', { code: 'interactionRequired', problem: 'consentDenied' }],
    ['invalid_scope', { code: 'notConfigured' }],
    ['something_new', { code: 'interactionRequired', problem: 'consentDenied' }],
    ['server_error', { code: 'unreachable' }],
    ['temporarily_unavailable', { code: 'sessionEnded', problem: 'browserTimeout' }, 'authentication_expired'],
  ])('fails if the callback contains the error %s: %j', async (error, failure, said = 'No,\u202e thanks.') => {
    const authorization = await authorized()
    const callback = callbackOf(authorization, { error, error_description: said })
    callback.delete('code')
    const outcome = await authorization.redeem(callback)
    expect(outcome).toMatchObject({
      // The failure contains the host, because the window says which provider refused the settings.
      failure: { ...failure, serverText: said.replace('\u202e', ''), details: { host: new URL(address).host } },
    })
    // A temporary error isn't reported as a network error, because the provider has answered.
    expect(!outcome.ok && isAnswered(outcome.failure)).toBe(/^(?:server_error|temporarily_)/.test(error))
  })
})

describe('the check of the settings', () => {
  const redirect = (error: string) => ({ status: 302, headers: { location: `${REDIRECT}?error=${error}` } })
  it.each<[string, Scripted, object]>([
    [
      'reports an error at the redirect address',
      redirect('invalid_scope'),
      { kind: 'refused', cause: 'invalid_scope' },
    ],
    ['succeeds if the error only says that the user must act', redirect('login_required'), { kind: 'ready' }],
    ['reports an error page', { status: 400 }, { kind: 'errorPage', isGuessed: false }],
  ])('asks for a page as a browser does, and %s', async (_, answer, value) => {
    answerAt({ '/token': json(400, { error: 'invalid_grant' }) }, answer)
    expect(await server().check(REDIRECT)).toMatchObject({ ok: true, value })
    expect(asked.find(({ path }) => path.startsWith('/authorize?'))?.accept).toBe('text/html')
  })

  it.each<[string, object]>([
    ['invalid_client', { kind: 'refused', cause: 'invalid_client' }],
    // A client that isn't allowed to revoke tokens can still sign people in.
    ['unauthorized_client', { kind: 'ready' }],
  ])('if only the revocation endpoint checks the secret, and responds with %s, returns %j', async (error, value) => {
    answerAt({ '/token': json(400, { error: 'invalid_grant' }), '/revoke': json(400, { error }) })
    const clientSecret = new Secret('client secret', 'another')
    expect(await server({ clientSecret }).check(REDIRECT)).toMatchObject({ ok: true, value })
    expect(asked.find(({ path }) => path === '/revoke')?.form.get('token')).toBe('check')
  })

  it.each<[string, object, object]>([
    ['invalid_client', {}, { kind: 'refused', cause: 'invalid_client' }],
    ['unsupported_grant_type', {}, { kind: 'ready', noRefresh: 'unsupported_grant_type' }],
    ['invalid_request', { grant_types_supported: ['implicit'] }, { kind: 'ready', noRefresh: 'grant_types_supported' }],
    ['invalid_grant', { grant_types_supported: ['implicit'] }, { kind: 'ready', noRefresh: undefined }],
  ])('if the provider responds to made-up tokens with %s and announces %j, returns %j', async (error, over, value) => {
    answerAt({ '/.well-known/openid-configuration': json(200, metadata(over)), '/token': json(400, { error }) })
    const checked = await server().check(REDIRECT)
    const found: object = checked.ok ? { ...checked.value, page: undefined, isGuessed: undefined } : checked
    expect(found).toEqual(value)
  })
})

describe('the client', () => {
  // Basic needs form encoding for percent, plus, colon, space and letters outside ASCII (RFC 6749 section 2.3.1).
  const SECRET = 'p%c+:ö secret'
  const withSecret = { clientId: 'latchkey desktop', clientSecret: new Secret('client secret', SECRET) }
  const basic = `Basic ${Buffer.from('latchkey+desktop:p%25c%2B%3A%C3%B6+secret').toString('base64')}`
  const revoking = { token: 'r', token_type_hint: 'refresh_token' }
  const refreshing = { grant_type: 'refresh_token', refresh_token: 'r' }
  const posted = { client_id: 'latchkey desktop', client_secret: SECRET }
  const sent = () =>
    asked
      .filter(({ path }) => path === '/token' || path === '/revoke')
      .map(({ authorization, form }) => [authorization, Object.fromEntries(form)])
  const announceClient = (methods: object) => {
    announce(methods)
    answers['/token'] = json(200, tokens())
    answers['/revoke'] = { status: 200 }
  }
  const require = (method: 'basic' | 'post', refusal: Scripted) => {
    for (const path of ['/token', '/revoke']) {
      const accepted = answers[path]
      Object.defineProperty(answers, path, {
        get: () => ((asked.at(-1)?.authorization !== undefined) === (method === 'basic') ? accepted : refusal),
      })
    }
  }

  it.each<[string, 'basic' | 'post', string[]?]>([
    ['name no method', 'basic'],
    ['list both', 'basic', ['client_secret_post', 'client_secret_basic']],
    ['list only the form', 'post', ['client_secret_post']],
  ])('if the metadata %s, refreshes and revokes with %s', async (_, used, methods) => {
    announceClient({ token_endpoint_auth_methods_supported: methods })
    const one = server(withSecret)
    expectWithout(await one.refresh(refreshToken('r')), [SECRET])
    await one.revoke(refreshToken('r'))
    const [header, fields] = used === 'basic' ? [basic, {}] : [undefined, posted]
    expect(sent()).toEqual([refreshing, revoking].map((request) => [header, { ...request, ...fields }]))
  })

  it('without a secret, sends its client ID in the form and no Authorization header', async () => {
    announceClient({ token_endpoint_auth_methods_supported: ['client_secret_basic'] })
    require('basic', json(401, { error: 'invalid_client' }))
    expect(await server().refresh(refreshToken('r'))).toMatchObject({ failure: { code: 'notConfigured' } })
    expect(sent()).toEqual([[undefined, { ...refreshing, client_id: 'latchkey' }]])
  })

  it.each<[string, 'basic' | 'post', string[] | undefined, Scripted]>([
    ['unauthorized_client', 'basic', ['client_secret_post'], json(400, { error: 'unauthorized_client' })],
    // A provider that doesn't read the header finds no client ID.
    ['invalid_request', 'post', undefined, json(400, { error: 'invalid_request' })],
    // Auth0's applications take the form by default, although its metadata list Basic first.
    ['access_denied', 'post', ['client_secret_basic', 'client_secret_post'], json(401, { error: 'access_denied' })],
    // GitHub sends this error with status 200.
    ['an error with status 200', 'post', undefined, json(200, { error: 'incorrect_client_credentials' })],
  ])('tries the other method once after %s, and uses it from then on', async (_, method, methods, refusal) => {
    announceClient({ token_endpoint_auth_methods_supported: methods })
    require(method, refusal)
    const one = server(withSecret)
    const authorization = await authorized({}, one)
    expect(await authorization.redeem(callbackOf(authorization))).toMatchObject({ ok: true })
    expect(sent()).toHaveLength(2)
    expect(await one.refresh(refreshToken('r'))).toMatchObject({ ok: true })
    expect(await one.revoke(refreshToken('r'))).toMatchObject({ ok: true })
    expect(sent()).toHaveLength(4)
  })

  it('if the wrong method has used up the code, the sign-in fails, and the next one uses the right method', async () => {
    announceClient({})
    answers['/token'] = json(400, { error: 'invalid_grant' })
    require('post', json(400, { error: 'invalid_request' }))
    const one = server(withSecret)
    expect(await one.refresh(refreshToken('r'))).toMatchObject({ ok: false })
    await one.refresh(refreshToken('r'))
    expect(sent().map(([authorization]) => authorization !== undefined)).toEqual([true, false, false])
  })

  it('SECURITY: the secret isn’t sent again if the provider responds with a page or rejects the token', async () => {
    announceClient({})
    const page = { status: 401, headers: { 'content-type': 'text/html' }, body: '<!doctype html>' }
    for (const answer of [page, json(400, { error: 'invalid_grant' })]) {
      asked = []
      answers['/token'] = answer
      await server(withSecret).refresh(refreshToken('r'))
      expect(sent()).toHaveLength(1)
    }
  })

  it('SECURITY: a failure’s text contains the grant and the client, but neither the secret nor the token', async () => {
    announceClient({})
    const error_description = `Grant refresh_token for latchkey desktop with ${SECRET}, token-of-ana, ${basic.slice(6)}`
    answers['/token'] = json(400, { error: 'unsupported_grant_type', error_description })
    expect(await server(withSecret).refresh(refreshToken('token-of-ana'))).toMatchObject({
      failure: { serverText: 'Grant refresh_token for latchkey desktop with [secret], [secret], [secret]' },
    })
  })
})

describe('a session from the browser', () => {
  it('SECURITY: a refresh token that comes with another provider’s ID token isn’t used, but revoked within the refresh’s timeout', async () => {
    answers['/token'] = json(200, tokens({ id_token: idToken({ iss: 'https://evil.example' }) }))
    answers['/revoke'] = { status: 503 }
    const client = testClient()
    const send = vi.fn(client.send)
    const http = { ...client, send }
    const outcome = await server({ http }).refresh(refreshToken('r'))
    const details = { operation: 'refresh', cause: `claim iss https://evil.example ${address}` }
    expect(outcome).toMatchObject({ failure: { code: 'malformedResponse', details } })
    expect(asked.map(({ path }) => path).slice(1)).toEqual(['/token', '/revoke'])
    expect(asked.at(-1)?.form.get('token')).toBe('refresh-token-value')
    expect(send.mock.lastCall?.[0].timeoutMs).toBeLessThanOrEqual(REFRESH_TIMEOUT_MS)
    // Without a new refresh token, the session still has its own, which must stay valid.
    answers['/token'] = json(200, tokens({ id_token: idToken({ iss: 'https://evil.example' }), refresh_token: null }))
    expect(await server().refresh(refreshToken('r'))).toMatchObject({ ok: false })
    expect(asked.at(-1)?.path).toBe('/token')
  })

  it('SECURITY: each refresh returns the ID token’s subject, so that another user’s token ends the session', async () => {
    answers['/token'] = json(200, tokens({ id_token: idToken({ sub: 'user|2' }) }))
    const outcome = await server().refresh(refreshToken('r'))
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.failure))
    const clock = { now: () => 0, wall: () => Date.now() }
    expect(receive(outcome.value, clock).claims.sub).toBe('user|2')
    expectWithout(outcome, SECRETS)
  })

  it('is revoked at the revocation endpoint, whatever the content of a response without an error (RFC 7009)', async () => {
    for (const content of [{}, { headers: { 'content-type': 'text/html' } }, json(200, { error: 'none' })]) {
      answers['/revoke'] = { ...content, status: 200 }
      expect(await server().revoke(refreshToken('r'))).toMatchObject({ ok: true })
    }
    answers['/revoke'] = { status: 503 }
    expect(await server().revoke(refreshToken('r'))).toMatchObject({ failure: { code: 'unreachable' } })
  })

  it('can be revoked once the provider’s metadata are available again', async () => {
    answers['/.well-known/openid-configuration'] = { status: 503 }
    const provider = server()
    expect(await provider.revoke(refreshToken('r'))).toMatchObject({ failure: { code: 'unreachable' } })
    answers['/.well-known/openid-configuration'] = { status: 404 }
    const failure = { code: 'unreachable', details: { cause: NO_METADATA, status: 404 } }
    expect(await provider.revoke(refreshToken('r'))).toMatchObject({ failure })
    announce()
    answers['/revoke'] = { status: 200 }
    expect(await provider.revoke(refreshToken('r'))).toMatchObject({ ok: true })
  })
})

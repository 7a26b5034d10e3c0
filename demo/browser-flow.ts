/** The demo provider's sign-in in the browser: authorization code with PKCE, discovery, revocation (RFC 6749, 7636). */
import { createHash, generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import * as v from 'valibot'
import { type Answer, type Call, json, NO_STORE, nonEmpty, type Refuse, refuseWith } from './answer.ts'
import type { TokenIssuer } from './tokens.ts'
import type { DemoUser } from './users.ts'

interface Ports {
  readonly issuer: TokenIssuer
  readonly address: () => string
  readonly clientId: string
  readonly clientSecret: string
  readonly now: () => number
  readonly authenticate: (username: string, password: string) => DemoUser | undefined
  readonly signIn: (user: DemoUser, scope: string) => Promise<Answer>
  readonly refresh: (refreshToken: string) => Promise<Answer>
}

const CODE_LIFE_MS = 60_000
const GRANT_TYPES = ['authorization_code', 'refresh_token']

const refuse: Refuse = refuseWith('error_description')
const request = v.object({
  client_id: nonEmpty,
  redirect_uri: v.pipe(v.string(), v.regex(/^http:\/\/127\.0\.0\.1:\d{1,5}\/callback\/[\w.:/-]+$/)),
  response_type: v.literal('code'),
  code_challenge: v.pipe(v.string(), v.regex(/^[\w-]{43}$/)),
  code_challenge_method: v.literal('S256'),
  state: nonEmpty,
  scope: v.fallback(v.string(), ''),
  nonce: v.optional(v.string()),
})
type Request = v.InferOutput<typeof request>
const codeForm = v.object({ code: nonEmpty, code_verifier: nonEmpty, redirect_uri: nonEmpty })

interface Code {
  readonly request: Request
  readonly user: DemoUser
  readonly until: number
}

const formOf = ({ body }: Call): URLSearchParams => new URLSearchParams(body.toString('utf8'))
/** The client and its secret, each form-encoded (RFC 6749 section 2.3.1). */
const basicOf = (authorization: string): readonly string[] =>
  Buffer.from(authorization.replace(/^Basic /i, ''), 'base64')
    .toString('utf8')
    .split(':')
    .map((part) => new URLSearchParams(`=${part}`).get('') ?? '')

export function browserFlow({ issuer, address, clientId, clientSecret, now, authenticate, signIn, refresh }: Ports) {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const codes = new Map<string, Code>()

  function metadata(): Answer {
    const own = address()
    return json(200, {
      issuer: own,
      authorization_endpoint: `${own}/authorize`,
      token_endpoint: `${own}/oauth/token`,
      revocation_endpoint: `${own}/oauth/revoke`,
      authorization_response_iss_parameter_supported: true,
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      code_challenge_methods_supported: ['S256'],
      id_token_signing_alg_values_supported: ['ES256'],
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
    })
  }

  function page({ query }: Call): Answer {
    requested(query)
    return signInPage('')
  }

  function submit(call: Call): Answer {
    const asked = requested(call.query)
    const form = formOf(call)
    if (form.has('deny')) return back(asked, { error: 'access_denied', error_description: 'The user declined.' })
    const user = authenticate(form.get('username') ?? '', form.get('password') ?? '')
    if (user === undefined) return signInPage('That username and password don’t match.')
    const code = issuer.newSecret()
    codes.set(code, { request: asked, user, until: now() + CODE_LIFE_MS })
    return back(asked, { code })
  }

  /** True for a token request of this flow, which is a form. The requests of the password-realm grant are JSON. */
  function serves(call: Call): boolean {
    const isForm = call.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
    return isForm && GRANT_TYPES.includes(formOf(call).get('grant_type') ?? '')
  }

  async function token(call: Call): Promise<Answer> {
    const form = formOf(call)
    checkClient(form, call)
    if (form.get('grant_type') === 'refresh_token') return refresh(form.get('refresh_token') ?? '')
    return redeem(Object.fromEntries(form))
  }

  /** RFC 7009: revoking an unknown token succeeds, and the answer is empty. */
  function revoke(call: Call): Answer {
    const form = formOf(call)
    checkClient(form, call)
    issuer.revoke(form.get('token') ?? '')
    return json(200, {}, NO_STORE)
  }

  async function redeem(fields: object): Promise<Answer> {
    const { success, output } = v.safeParse(codeForm, fields)
    if (!success) return refuse(400, 'invalid_request', 'The code, its verifier or the address is missing.')
    const { code, code_verifier, redirect_uri } = output
    issuer.noteSecret(code_verifier)
    const found = codes.get(code)
    // A code can't be used again, even if the exchange fails.
    codes.delete(code)
    const challenge = createHash('sha256').update(code_verifier).digest('base64url')
    const isRight = challenge === found?.request.code_challenge && redirect_uri === found.request.redirect_uri
    if (!isRight || now() >= found.until) {
      return refuse(400, 'invalid_grant', 'The code is not known, or not for this request.')
    }
    const { request: asked, user } = found
    const answer = await signIn(user, asked.scope)
    if (!asked.scope.split(' ').includes('openid')) return answer
    return { ...answer, body: JSON.stringify({ ...JSON.parse(answer.body), id_token: await idToken(found) }) }
  }

  function idToken({ request: { nonce }, user }: Code): Promise<string> {
    const iat = Math.floor(now() / 1_000)
    const profile = { sub: `demo|${user.username}`, name: user.name, preferred_username: user.username }
    return new SignJWT({ ...profile, nonce, iss: address(), aud: clientId, iat, exp: iat + 300 })
      .setProtectedHeader({ alg: 'ES256' })
      .sign(keys.privateKey)
  }

  function requested(query: string): Request {
    const { success, output } = v.safeParse(request, Object.fromEntries(new URLSearchParams(query)))
    if (success && output.client_id === clientId) return output
    return refuse(400, 'invalid_request', 'This is no sign-in of Latchkey’s.')
  }

  function back({ redirect_uri, state }: Request, parameters: Readonly<Record<string, string>>): Answer {
    const to = new URL(redirect_uri)
    to.search = new URLSearchParams({ ...parameters, state, iss: address() }).toString()
    return { status: 303, headers: { ...NO_STORE, Location: to.href }, body: '' }
  }

  /** Accepts the client's id with the right secret or without a secret. Reads the header, or else the form. */
  function checkClient(form: URLSearchParams, { headers: { authorization } }: Call): void {
    const [id, secret] =
      authorization === undefined ? [form.get('client_id'), form.get('client_secret')] : basicOf(authorization)
    if (id === clientId && (secret === null || secret === clientSecret)) return
    refuse(401, 'invalid_client', 'The client is unknown or its secret is wrong.')
  }

  return { metadata, page, submit, serves, token, revoke }
}

const signInPage = (problem: string): Answer => ({
  status: 200,
  headers: {
    ...NO_STORE,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  },
  body: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Demo provider</title><h1>Demo provider</h1><p>Invented users, on this machine only.</p><form method="post"><p role="alert">${problem}</p><p><label>Username <input name="username" autocomplete="username"></label></p><p><label>Password <input name="password" type="password" autocomplete="current-password"></label></p><button>Sign in</button> <button name="deny" value="1">Decline</button></form></html>`,
})

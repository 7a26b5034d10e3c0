import * as v from 'valibot'
import { type Answer, type Call, json, NO_STORE, parseBody, refuseAuthorization, refuseWith } from './answer.ts'
import { answerMcp, MCP_PATH } from './mcp.ts'
import { type ControlledServer, type ServerOptions, startServer } from './server.ts'
import { TABLES } from './tables.ts'
import { type Inspection, inspectionOf, TokenIssuer, type TokenPair } from './tokens.ts'
import { DEMO_USERS, type DemoUser, type Person, UserList } from './users.ts'

export type ServiceOperation = 'login' | 'refresh' | 'logout' | 'changePassword' | 'tables' | 'mcp'

export interface DemoServiceOptions extends ServerOptions {
  readonly users?: readonly DemoUser[]
  /** People who can sign in only at the identity provider. */
  readonly otherUsers?: readonly DemoUser[]
  /** Returns the person to whom the identity provider issued this access token, which gives access to the data, too. */
  readonly holderAtProvider?: (accessToken: string) => Person | undefined
  /** The lifetime of an access token, in whole seconds; by default 3600. */
  readonly tokenLifetime?: number
  /** For this many seconds after its first use, a refresh token still yields tokens; by default 30. */
  readonly grace?: number
}

export interface DemoService extends ControlledServer<ServiceOperation>, Inspection {}

export const TABLES_PATH = '/v1/tables'

const SHORTEST_PASSWORD = 8
const BASIC = 'Basic realm="Latchkey demo", charset="UTF-8"'
const BEARER = 'Bearer realm="Latchkey demo"'

const refuse = refuseWith('message')
const nonEmpty = v.pipe(v.string(), v.nonEmpty())
const refreshBody = v.strictObject({ refreshToken: nonEmpty })
const passwordBody = v.strictObject({ password: v.string() })

/** Starts the service on 127.0.0.1: sign-in and sample data. Rejects if the port is taken. */
export async function startDemoService(options: DemoServiceOptions = {}): Promise<DemoService> {
  const {
    users = DEMO_USERS,
    otherUsers = [],
    holderAtProvider = () => undefined,
    tokenLifetime = 3600,
    grace = 30,
    now = Date.now,
  } = options
  const list = new UserList(users)
  const others = new UserList(otherUsers)
  const issuer = new TokenIssuer({ now, tokenLifetime, grace })

  async function login(call: Call): Promise<Answer> {
    if (call.body.length > 0) return refuse(400, 'invalid_request', 'This request takes no body.')
    const basic = readBasic(call.headers.authorization)
    if (basic === 'malformed') {
      return refuse(400, 'invalid_request', 'The Basic credentials are not Base64 of UTF-8 "username:password".')
    }
    if (!basic) return refuse(401, 'unauthorized', 'Basic credentials are needed.', { 'WWW-Authenticate': BASIC })
    const found = list.authenticate(basic.username, basic.password)
    if (!found) {
      const isElsewhere = others.authenticate(basic.username, basic.password) !== undefined
      const why = isElsewhere ? 'You can only sign in with single sign-on.' : 'Wrong username or password.'
      return refuse(401, 'invalid_credentials', why, { 'WWW-Authenticate': BASIC })
    }
    return tokenPair(await issuer.signIn(found.person))
  }

  async function refresh(call: Call): Promise<Answer> {
    const unwanted = refuseAuthorization(call, refuse)
    if (unwanted) return unwanted
    const body = parseBody(call, refreshBody, refuse)
    if (!body.ok) return body.answer
    const issued = await issuer.exchange(body.value.refreshToken)
    if (issued) return tokenPair(issued)
    return refuse(401, 'invalid_refresh_token', 'The refresh token is not valid.', { 'WWW-Authenticate': BEARER })
  }

  /** Revoking an unknown token succeeds (as in RFC 7009 section 2.2). */
  async function logout(call: Call): Promise<Answer> {
    const holder = authorize(call)
    if (!holder.ok) return holder.answer
    const body = parseBody(call, refreshBody, refuse)
    if (!body.ok) return body.answer
    issuer.revoke(body.value.refreshToken)
    return json(200, {})
  }

  async function changePassword(call: Call): Promise<Answer> {
    const holder = authorize(call)
    if (!holder.ok) return holder.answer
    const body = parseBody(call, passwordBody, refuse)
    if (!body.ok) return body.answer
    const { password } = body.value
    const refusal = refusePassword(password)
    if (refusal) return refusal
    list.setPassword(holder.person, password)
    return json(200, {})
  }

  /** Only the demo has this endpoint. */
  async function tables(call: Call): Promise<Answer> {
    const holder = authorize(call, holderAtProvider)
    if (!holder.ok) return holder.answer
    return wantsCsv(call.headers.accept) ? csv(TABLES) : json(200, TABLES)
  }

  async function tablesAsCsv(call: Call): Promise<Answer> {
    const holder = authorize(call, holderAtProvider)
    return holder.ok ? csv(TABLES) : holder.answer
  }

  /** Lets AI clients read the sample data. Only the demo has this endpoint. */
  async function mcp(call: Call): Promise<Answer> {
    const holder = authorize(call, holderAtProvider)
    return holder.ok ? answerMcp(call.json) : holder.answer
  }

  function authorize(
    call: Call,
    holderAtProvider: (accessToken: string) => Person | undefined = () => undefined,
  ): { ok: true; person: Person } | { ok: false; answer: Answer } {
    const token = /^Bearer +(\S+)$/i.exec(call.headers.authorization ?? '')?.[1]
    const person = token === undefined ? undefined : (issuer.holderOf(token) ?? holderAtProvider(token))
    if (person) return { ok: true, person }
    // RFC 6750 section 3.1: no error code if no credential was sent.
    const [error, text, challenge] =
      token === undefined
        ? ['unauthorized', 'A Bearer access token is needed.', BEARER]
        : ['invalid_token', 'The access token is not valid, or has expired.', `${BEARER}, error="invalid_token"`]
    return { ok: false, answer: refuse(401, error, text, { 'WWW-Authenticate': challenge }) }
  }

  const server = await startServer<ServiceOperation>(
    [
      { operation: 'login', method: 'GET', path: '/auth/login', run: login },
      {
        operation: 'refresh',
        method: 'POST',
        path: '/auth/refresh',
        run: refresh,
        received: (body) => issuer.noteSent(body, 'refreshToken'),
      },
      { operation: 'logout', method: 'POST', path: '/auth/logout', run: logout },
      { operation: 'changePassword', method: 'POST', path: '/auth/changePassword', run: changePassword },
      { operation: 'tables', method: 'GET', path: TABLES_PATH, run: tables },
      { operation: 'mcp', method: 'POST', path: MCP_PATH, run: mcp },
      // This path is for Excel and other programs that can't set a header.
      { operation: 'tables', method: 'GET', path: `${TABLES_PATH}.csv`, run: tablesAsCsv },
    ],
    refuse,
    options,
  )
  return { ...server, ...inspectionOf(issuer) }
}

/** True if the client prefers CSV to JSON, or takes only CSV. */
const wantsCsv = (accept = ''): boolean => /\btext\/csv\b/i.test(accept.split('application/json')[0] ?? '')

/** Writes rows as CSV. They have no commas, quotes or line breaks, so nothing needs quoting. */
const csv = (rows: readonly object[]): Answer => ({
  status: 200,
  headers: { 'Content-Type': 'text/csv; charset=utf-8' },
  body: [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]
    .map((row) => `${row.join(',')}\r\n`)
    .join(''),
})

const tokenPair = ({ accessToken, refreshToken, delivered }: TokenPair): Answer => ({
  ...json(200, { token: accessToken, refreshToken }, NO_STORE),
  delivered,
})

/** Refuses an unsuitable new password. The window shows the message. */
function refusePassword(password: string): Answer | undefined {
  if (password === '') return refuse(400, 'password_empty', 'The password must not be empty.')
  if ([...password].length < SHORTEST_PASSWORD) {
    return refuse(400, 'password_too_short', `The password must have at least ${SHORTEST_PASSWORD} characters.`)
  }
  // RFC 7617 section 2 allows no control characters, so nobody could sign in with this password.
  if (/\p{Cc}/u.test(password)) {
    return refuse(400, 'password_inexpressible', 'The password must not contain control characters.')
  }
  return undefined
}

/** Username and password in a Basic header (RFC 7617); `undefined` if there is none. */
function readBasic(header: string | undefined): { username: string; password: string } | 'malformed' | undefined {
  if (!/^basic( |$)/i.test(header ?? '')) return undefined
  const encoded = /^basic +([a-z0-9+/]+={0,2})$/i.exec(header ?? '')?.[1]
  if (encoded === undefined || encoded.length % 4 !== 0) return 'malformed'
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(encoded, 'base64'))
    const colon = text.indexOf(':')
    if (colon === -1 || /\p{Cc}/u.test(text)) return 'malformed'
    return { username: text.slice(0, colon), password: text.slice(colon + 1) }
  } catch {
    return 'malformed'
  }
}

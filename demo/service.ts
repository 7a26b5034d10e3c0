import * as v from 'valibot'
import {
  type Answer,
  type Call,
  json,
  NO_STORE,
  nonEmpty,
  type Parsed,
  parseBody,
  refuseAuthorization,
  refuseWith,
} from './answer.ts'
import { answerMcp } from './mcp.ts'
import { type ControlledServer, type ServerOptions, startServer } from './server.ts'
import { TABLES } from './tables.ts'
import { TokenIssuer, type TokenPair } from './tokens.ts'
import { DEMO_USERS, type DemoUser, UserList } from './users.ts'

export type ServiceOperation = 'login' | 'refresh' | 'logout' | 'changePassword' | 'tables' | 'mcp'

export interface DemoServiceOptions extends ServerOptions {
  readonly users?: readonly DemoUser[]
  /** People who can sign in only at the identity provider. */
  readonly otherUsers?: readonly DemoUser[]
  /** Returns the user to whom the identity provider issued this access token, which gives access to the data, too. */
  readonly holderAtProvider?: (accessToken: string) => DemoUser | undefined
  /** The lifetime of an access token, in whole seconds; by default 3600. */
  readonly tokenLifetime?: number
  /** For this many seconds after its first use, a refresh token still yields tokens; by default 30. */
  readonly grace?: number
}

export type DemoService = ControlledServer<ServiceOperation> & TokenIssuer

export const TABLES_PATH = '/v1/tables'

const SHORTEST_PASSWORD = 8
const BASIC = { 'WWW-Authenticate': 'Basic realm="Latchkey demo", charset="UTF-8"' }
const BEARER = 'Bearer realm="Latchkey demo"'

const refuse = refuseWith('message')
const refreshBody = v.strictObject({ refreshToken: nonEmpty })
const passwordBody = v.strictObject({ password: v.string() })
const nobody = () => undefined

/** Starts the service on 127.0.0.1: sign-in and sample data. Rejects if the port is taken. */
export async function startDemoService(options: DemoServiceOptions = {}): Promise<DemoService> {
  const { users = DEMO_USERS, otherUsers = [], holderAtProvider = nobody, now = Date.now } = options
  const { tokenLifetime = 3_600, grace = 30 } = options
  const list = new UserList(users)
  const others = new UserList(otherUsers)
  const issuer = new TokenIssuer({ now, tokenLifetime, grace })

  async function login(call: Call): Promise<Answer> {
    if (call.body.length > 0) return refuse(400, 'invalid_request', 'This request takes no body.')
    const basic = readBasic(call.headers.authorization)
    if (!basic) return refuse(401, 'unauthorized', 'Basic credentials in UTF-8 are needed.', BASIC)
    const found = list.authenticate(...basic)
    if (found) return tokenPair(await issuer.signIn(found))
    const isElsewhere = others.authenticate(...basic) !== undefined
    const why = isElsewhere ? 'You can only sign in with single sign-on.' : 'Wrong username or password.'
    return refuse(401, 'invalid_credentials', why, BASIC)
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
  function logout(call: Call): Answer {
    const holder = authorize(call)
    if (!holder.ok) return holder.answer
    const body = parseBody(call, refreshBody, refuse)
    if (!body.ok) return body.answer
    issuer.revoke(body.value.refreshToken)
    return json(200, {})
  }

  function changePassword(call: Call): Answer {
    const holder = authorize(call)
    if (!holder.ok) return holder.answer
    const body = parseBody(call, passwordBody, refuse)
    if (!body.ok) return body.answer
    const { password } = body.value
    const refusal = refusePassword(password)
    if (refusal) return refusal
    list.setPassword(holder.value, password)
    return json(200, {})
  }

  /** Answers requests for the sample data. Only the demo has such endpoints. */
  const data = (answer: (call: Call) => Answer) => (call: Call) => {
    const holder = authorize(call, holderAtProvider)
    return holder.ok ? answer(call) : holder.answer
  }

  function authorize(call: Call, holderElsewhere: typeof holderAtProvider = nobody): Parsed<DemoUser> {
    const token = /^Bearer +(\S+)$/i.exec(call.headers.authorization ?? '')?.[1]
    const user = token === undefined ? undefined : (issuer.holderOf(token) ?? holderElsewhere(token))
    if (user) return { ok: true, value: user }
    // RFC 6750 section 3.1: no error code if no credential was sent.
    const [error, text, challenge] =
      token === undefined
        ? ['unauthorized', 'A Bearer access token is needed.', BEARER]
        : ['invalid_token', 'The access token is not valid, or has expired.', `${BEARER}, error="invalid_token"`]
    return { ok: false, answer: refuse(401, error, text, { 'WWW-Authenticate': challenge }) }
  }

  const received = (body: unknown) => issuer.noteSent(body, 'refreshToken')
  const server = await startServer<ServiceOperation>(
    [
      { operation: 'login', method: 'GET', path: '/auth/login', run: login },
      { operation: 'refresh', method: 'POST', path: '/auth/refresh', run: refresh, received },
      { operation: 'logout', method: 'POST', path: '/auth/logout', run: logout },
      { operation: 'changePassword', method: 'POST', path: '/auth/changePassword', run: changePassword },
      { operation: 'tables', method: 'GET', path: TABLES_PATH, run: data(() => json(200, TABLES)) },
      // This path is for Excel and other programs that can't set a header.
      { operation: 'tables', method: 'GET', path: `${TABLES_PATH}.csv`, run: data(tablesAsCsv) },
      { operation: 'mcp', method: 'POST', path: '/mcp', run: data((call) => answerMcp(call.json)) },
    ],
    refuse,
    options,
  )
  return Object.assign(issuer, server)
}

/** Writes the tables as CSV. They have no commas, quotes or line breaks, so nothing needs quoting. */
const tablesAsCsv = (): Answer => ({
  status: 200,
  headers: { 'Content-Type': 'text/csv; charset=utf-8' },
  body: [Object.keys(TABLES[0]), ...TABLES.map((row) => Object.values(row))]
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

/** Username and password in a Basic header (RFC 7617), which are compared as UTF-8; `undefined` if there is none. */
function readBasic(header = ''): readonly [username: string, password: string] | undefined {
  const encoded = /^basic +([a-z0-9+/]+={0,2})$/i.exec(header)?.[1] ?? ''
  const [, username, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? []
  return username === undefined || password === undefined ? undefined : [username, password]
}

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
import { answerMcp } from './mcp.ts'
import { type ControlledServer, type ServerOptions, startServer } from './server.ts'
import { TABLES } from './tables.ts'
import { TokenIssuer, type TokenPair } from './tokens.ts'
import { DEMO_USERS, type DemoUser, UserList } from './users.ts'

export type ServiceOperation = 'login' | 'refresh' | 'logout' | 'changePassword' | 'tables' | 'mcp'

export interface DemoServiceOptions extends ServerOptions {
  readonly users?: readonly DemoUser[]
  readonly otherUsers?: readonly DemoUser[]
  /** Returns the user to whom the identity provider issued this access token, which gives access to the data, too. */
  readonly holderAtProvider?: (accessToken: string) => DemoUser | undefined
  /** In seconds; by default 3600. */
  readonly tokenLifetime?: number
  /** For this many seconds after its first use, a refresh token still yields tokens; by default 30. */
  readonly grace?: number
}

export type DemoService = ControlledServer<ServiceOperation> & TokenIssuer

export const TABLES_PATH = '/v1/tables'

const SHORTEST_PASSWORD = 8
const BASIC = { 'WWW-Authenticate': 'Basic realm="Latchkey demo", charset="UTF-8"' }
const BEARER = 'Bearer realm="Latchkey demo"'

const refuse: Refuse = refuseWith('message')
const refreshBody = v.strictObject({ refreshToken: nonEmpty })
const passwordBody = v.strictObject({ password: v.string() })
const nobody = () => undefined

export async function startDemoService(options: DemoServiceOptions = {}): Promise<DemoService> {
  const { users = DEMO_USERS, otherUsers = [], holderAtProvider = nobody, now = Date.now } = options
  const { tokenLifetime = 3_600, grace = 30 } = options
  const list = new UserList(users)
  const others = new UserList(otherUsers)
  const issuer = new TokenIssuer({ now, tokenLifetime, grace })

  async function login(call: Call): Promise<Answer> {
    if (call.body.length > 0) refuse(400, 'invalid_request', 'This request takes no body.')
    const basic = readBasic(call.headers.authorization)
    const found = list.authenticate(...basic)
    if (found) return tokenPair(await issuer.signIn(found))
    const isElsewhere = others.authenticate(...basic) !== undefined
    const why = isElsewhere ? 'You can only sign in with single sign-on.' : 'Wrong username or password.'
    return refuse(401, 'invalid_credentials', why, BASIC)
  }

  async function refresh(call: Call): Promise<Answer> {
    refuseAuthorization(call, refuse)
    const issued = await issuer.exchange(parseBody(call, refreshBody, refuse).refreshToken)
    if (issued) return tokenPair(issued)
    return refuse(401, 'invalid_refresh_token', 'The refresh token is not valid.', { 'WWW-Authenticate': BEARER })
  }

  /** Revoking an unknown token succeeds (RFC 7009 section 2.2). */
  function logout(call: Call): Answer {
    authorize(call)
    issuer.revoke(parseBody(call, refreshBody, refuse).refreshToken)
    return json(200, {})
  }

  function changePassword(call: Call): Answer {
    const user = authorize(call)
    const { password } = parseBody(call, passwordBody, refuse)
    checkPassword(password)
    list.setPassword(user, password)
    return json(200, {})
  }

  /** Answers requests for the sample data. Only the demo has such endpoints. */
  const data = (answer: (call: Call) => Answer) => (call: Call) => {
    authorize(call, holderAtProvider)
    return answer(call)
  }

  function authorize(call: Call, holderElsewhere: typeof holderAtProvider = nobody): DemoUser {
    const token = /^Bearer +(\S+)$/i.exec(call.headers.authorization ?? '')?.[1]
    const user = token === undefined ? undefined : (issuer.holderOf(token) ?? holderElsewhere(token))
    if (user) return user
    // RFC 6750 section 3.1: no error code if no credential was sent.
    const challenge = token === undefined ? BEARER : `${BEARER}, error="invalid_token"`
    const text = 'A valid Bearer access token is needed.'
    return refuse(401, 'invalid_token', text, { 'WWW-Authenticate': challenge })
  }

  const received = (body: unknown) => issuer.noteSent(body, 'refreshToken')
  const server = await startServer<ServiceOperation>(
    [
      { operation: 'login', method: 'GET', path: '/auth/login', run: login },
      { operation: 'refresh', method: 'POST', path: '/auth/refresh', run: refresh, received },
      { operation: 'logout', method: 'POST', path: '/auth/logout', run: logout },
      { operation: 'changePassword', method: 'POST', path: '/auth/changePassword', run: changePassword },
      { operation: 'tables', method: 'GET', path: TABLES_PATH, run: data(() => json(200, TABLES)) },
      // For Excel and other programs that can't set a header.
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

/** The window shows the message. */
function checkPassword(password: string): void {
  if (password === '') refuse(400, 'password_empty', 'The password must not be empty.')
  if ([...password].length < SHORTEST_PASSWORD) {
    refuse(400, 'password_too_short', `The password must have at least ${SHORTEST_PASSWORD} characters.`)
  }
  // RFC 7617 section 2 allows no control characters, so nobody could sign in with this password.
  if (/\p{Cc}/u.test(password)) {
    refuse(400, 'password_inexpressible', 'The password must not contain control characters.')
  }
}

/** RFC 7617. Username and password are compared as UTF-8. */
function readBasic(header = ''): readonly [username: string, password: string] {
  const encoded = /^basic +([a-z0-9+/]+={0,2})$/i.exec(header)?.[1] ?? ''
  const [, username, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? []
  if (username !== undefined && password !== undefined) return [username, password]
  return refuse(401, 'unauthorized', 'Basic credentials in UTF-8 are needed.', BASIC)
}

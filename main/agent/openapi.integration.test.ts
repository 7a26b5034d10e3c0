/** The agent does what its OpenAPI file says. */
import { chmod } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CONNECTION_NAME, DEFAULT_CONNECTION } from '../../contract/connection-names.ts'
import { GRANTS } from '../../contract/grants.ts'
import type { ConnectionView } from '../../contract/views.ts'
import { type Answer, ask, EventListener, RawClient } from '../../test/agent/client.ts'
import { OpenApi } from '../../test/agent/openapi.ts'
import { type AgentRig, HOUR, startAgent } from '../../test/agent/rig.ts'
import { LIMITS } from './limits.ts'
import { DEFAULT_MIN_VALIDITY, ENDPOINTS, LONGEST_MIN_VALIDITY, LONGEST_WAIT } from './parse-request.ts'
import { ERRORS } from './replies.ts'
import type { StatusView } from './status.ts'

const api = new OpenApi(new URL('../../docs/developers/agent.openapi.json', import.meta.url))
const JSON_TYPE = { 'content-type': 'application/json' }

let rig: AgentRig
beforeEach(async () => {
  rig = await startAgent({ arrival: 200, listeners: 1, connections: 2 })
})
afterEach(() => rig.end())

type Headers = Record<string, string>
type Exercise = (method: string, path: string, headers: Headers) => Promise<Answer>

const body = (method: string, path: string): string | undefined =>
  method === 'POST' && path === '/v1/token/rejected' ? '{"token":"token-1"}' : undefined

/** A request for a remote machine's socket must name the machine. */
const withHost = (path: string): string =>
  path.startsWith('/v1/remote') ? `${path}${path.includes('?') ? '&' : '?'}host=build` : path

const asTool = (method: string, path: string, headers: Headers) =>
  ask(rig.socket, withHost(path), {
    method,
    headers: { ...(method === 'POST' ? JSON_TYPE : {}), ...headers },
    body: body(method, path.replace(/\?.*/, '')),
  })

/** Sends any text, even if it isn't a valid request. */
async function raw(text: string): Promise<Answer> {
  const client = await RawClient.open(rig.socket)
  client.send(text)
  await client.closed
  const [head = '', answer = ''] = client.text.split('\r\n\r\n')
  const [line = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(lines.map((each) => [each.split(': ')[0]?.toLowerCase(), each.split(': ')[1]]))
  return { status: Number(line.split(' ')[1]), headers, body: answer }
}

const headOf = (method: string, path: string, headers: Headers) =>
  [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...Object.entries(headers).map((each) => each.join(': ')), ''].join(
    '\r\n',
  )

/** How to provoke each error. */
const EXERCISES: Record<string, Exercise> = {
  invalid_parameter: (method, path, headers) => asTool(method, `${path}?min_validity=x`, headers),
  invalid_body: (method, path, headers) =>
    ask(rig.socket, withHost(path), {
      method,
      headers: { ...JSON_TYPE, 'content-length': '2', ...headers },
      body: '{}',
    }),
  signed_out: (method, path, headers) => {
    rig.source.signOut()
    return asTool(method, path, headers)
  },
  forbidden: (method, path, headers) => asTool(method, path, { ...headers, origin: 'https://evil.example' }),
  unknown_connection: (method, path, headers) => asTool(method, `${path}?connection=nowhere`, headers),
  too_short: (method, path, headers) =>
    asTool(method, path === '/v1/remote' ? path : `${path}?min_validity=86400&strict=true`, headers),
  method_not_allowed: (_, path, headers) => asTool('DELETE', path, headers),
  recovery_code: (method, path, headers) => {
    rig.signedOut = 'kept'
    return asTool(method, path, headers)
  },
  request_timeout: (method, path, headers) => raw(headOf(method, path, headers)),
  request_too_large: (method, path, headers) =>
    ask(rig.socket, path, {
      method,
      headers: { ...JSON_TYPE, 'content-length': String(LIMITS.body + 1), ...headers },
      body: 'x'.repeat(LIMITS.body + 1),
    }),
  unsupported_media_type: (method, path, headers) =>
    ask(rig.socket, path, { method, headers: { 'content-length': '2', ...headers }, body: '{}' }),
  headers_too_large: (method, path, headers) => raw(`${headOf(method, path, headers)}X: ${'x'.repeat(20_000)}\r\n\r\n`),
  unavailable: async (method, path, headers) => {
    rig.source.become({ kind: 'locked' })
    rig.signedOut = 'starting'
    // The agent opens no socket in a folder that others can write to.
    if (path === '/v1/remote') await chmod(rig.folder, 0o777)
    return asTool(method, path, headers)
  },
  turned_off: async (method, path, headers) => {
    await rig.agent.turnOff('user')
    return asTool(method, path, headers)
  },
  stopping: async (method, path, headers) => {
    rig.time.pass(HOUR)
    const answer = asTool(method, path, headers)
    // Through a pipe on a busy computer, the request takes a while to arrive.
    await new Promise((resolve) => setTimeout(resolve, 200))
    await rig.agent.stop()
    await rig.agent.start()
    return answer
  },
  too_many_connections: async (method, path, headers) => {
    const others = [await RawClient.open(rig.socket), await RawClient.open(rig.socket)]
    const answer = await asTool(method, path, headers)
    for (const other of others) other.hangUp()
    await Promise.all(others.map((other) => other.closed))
    return answer
  },
  too_many_listeners: async (method, path, headers) => {
    const listener = new EventListener(rig.socket)
    await listener.next()
    const answer = await asTool(method, path, headers)
    listener.hangUp()
    return answer
  },
}
/** These errors are always JSON, because the agent sends them before it has read the Accept header. */
const BEFORE_THE_HEAD_IS_READ = ['request_timeout', 'headers_too_large']

test('the OpenAPI file has exactly the agent’s paths and methods', () => {
  const documented = api.operations.map(({ method, path }) => `${method} ${path}`)
  expect(documented.sort()).toEqual(
    Object.entries(ENDPOINTS)
      .map(([path, method]) => `${method} ${path}`)
      .sort(),
  )
})

test('the OpenAPI file has exactly the agent’s errors', () => {
  const { enum: codes } = api.follow(api.follow(api.schema('Error')['properties'])['error'])
  expect([...(codes as string[])].sort()).toEqual(Object.keys(ERRORS).sort())
  const ofPaths = api.operations.flatMap(({ responses }) => responses.flatMap(errorsOf))
  expect([...new Set(ofPaths), 'malformed_request', 'not_found'].sort()).toEqual(Object.keys(ERRORS).sort())
})

const errorsOf = ({ status, content }: (typeof api.operations)[number]['responses'][number]): string[] => {
  if (status < 400) return []
  const [, narrowed] = (content.get('application/json')?.['allOf'] as unknown[] | undefined) ?? []
  const { enum: codes } = api.follow(api.follow(api.follow(narrowed)['properties'])['error'])
  return codes as string[]
}

/** The operations to test. Windows has no sockets for remote machines, so `/v1/remote` always responds with 403 there. */
const operations = api.operations.filter(({ path }) => process.platform !== 'win32' || path !== '/v1/remote')

const errors = operations.flatMap((operation) =>
  operation.responses.flatMap((response) =>
    errorsOf(response).flatMap((code) =>
      [...response.content].map(([type, schema]) => ({ operation, response, code, type, schema })),
    ),
  ),
)

test.each(
  errors.map((each) => [`${each.operation.method} ${each.operation.path}`, each.code, each.type, each] as const),
)(
  '%s responds with %s in the form %s, as documented',
  async (_, code, type, { operation: { method, path }, response, schema }) => {
    const exercise = EXERCISES[code]
    if (exercise === undefined) throw new Error(`no exercise for ${code}`)
    const answer = await exercise(method, path, { accept: type })
    expect(answer.status).toBe(response.status)
    expect(answer.status).toBe(ERRORS[code as keyof typeof ERRORS][0])
    expect(answer.headers['cache-control']).toBe('no-store')
    for (const [name, demanded] of response.headers) {
      const told = String(answer.headers[name])
      expect(api.problems(demanded['type'] === 'integer' ? Number(told) : told, demanded)).toEqual([])
    }
    if (type === 'application/json' || BEFORE_THE_HEAD_IS_READ.includes(code)) {
      const told = JSON.parse(answer.body)
      expect(told.error).toBe(code)
      expect(answer.headers['content-type']).toBe('application/json')
      if (type === 'application/json') expect(api.problems(told, schema)).toEqual([])
    } else {
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
      expect(api.problems(answer.body, schema)).toEqual([])
      expect(answer.body).not.toMatch(/[\n{]/)
    }
  },
)

describe('successful responses', () => {
  const schemaOf = (path: string, type: string) => {
    const success = api.operations
      .find((operation) => operation.path === path)
      ?.responses.find(({ status }) => status === 200)
    const schema = success?.content.get(type)
    if (schema === undefined) throw new Error(`no ${type} at ${path}`)
    return schema
  }

  const successes = operations
    // The response with events doesn't end, so it has tests of its own.
    .filter(({ path }) => path !== '/v1/events')
    .flatMap(({ method, path, responses }) =>
      responses
        .filter(({ status }) => status === 200)
        .flatMap(({ content }) => [...content].map(([type, schema]) => ({ method, path, type, schema }))),
    )

  test.each(successes)('$method $path responds with $type as documented', async ({ method, path, type, schema }) => {
    rig.source.grant(HOUR, 'ana', 'token-2')
    const answer = await asTool(method, path, { accept: type })
    const isJson = type === 'application/json'
    expect([answer.status, answer.headers['content-type']]).toEqual([200, isJson ? type : `${type}; charset=utf-8`])
    expect(api.problems(isJson ? JSON.parse(answer.body) : answer.body, schema)).toEqual([])
  })

  test('a response with a token has all documented fields if the service’s address is known', async () => {
    const { view } = rig
    const connection: ConnectionView = {
      baseAddress: 'https://data.example:8443/api/',
      host: 'data.example:8443',
      source: 'user',
      grants: [GRANTS.password],
    }
    rig.view = { ...view, connection }
    rig.source.grant(HOUR, 'ana', 'token-3')
    const whole = JSON.parse((await asTool('GET', '/v1/token', {})).body)
    expect(whole).toMatchObject({ token: 'token-3', origin: 'https://data.example:8443' })
    expect(new Set(Object.keys(whole))).toEqual(new Set(Object.keys(api.follow(api.schema('Token')['properties']))))
    expect(api.problems(whole, api.schema('Token'))).toEqual([])
    rig.view = { ...rig.view, connection: { ...connection, dataAddress: 'https://api.example/v1' } }
    rig.source.become(rig.source.tokenState)
    expect(JSON.parse((await asTool('GET', '/v1/token', {})).body)).toMatchObject({ origin: 'https://api.example' })
  })

  test.each([
    ['json', 'Token'],
    ['oauth', 'OAuthToken'],
    ['headers', 'Headers'],
    ['kubernetes', 'ExecCredential'],
  ])('a token in the format %s matches the documented schema %s', async (format, name) => {
    for (const accept of ['application/json', 'text/plain']) {
      const answer = await asTool('GET', `/v1/token?format=${format}`, { accept })
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json'])
      expect(api.problems(JSON.parse(answer.body), api.schema(name))).toEqual([])
      expect(api.problems(JSON.parse(answer.body), schemaOf('/v1/token', 'application/json'))).toEqual([])
    }
  })

  test('format=text returns the bare token, but the Accept header decides the form of an error', async () => {
    const answer = await asTool('GET', '/v1/token?format=text', {})
    expect([answer.headers['content-type'], answer.body]).toEqual(['text/plain; charset=utf-8', 'token-1'])
    rig.source.signOut()
    expect(JSON.parse((await asTool('GET', '/v1/token?format=text', {})).body).error).toBe('signed_out')
    const words = await asTool('GET', '/v1/token?format=kubernetes', { accept: 'text/plain' })
    expect(words.body).toBe('You are not signed in. Open Latchkey and sign in.')
  })

  test('the token’s remaining life is computed for each request', async () => {
    const left = async () => JSON.parse((await asTool('GET', '/v1/token?format=oauth', {})).body).expires_in
    expect(await left()).toBe(3_600)
    rig.time.pass(90_500)
    expect(await left()).toBe(3_509)
  })

  test('the data of events match the documented schemas', async () => {
    const listener = new EventListener(rig.socket)
    expect(api.problems((await listener.next()).data, api.schema('Token'))).toEqual([])
    expect(listener.headers['content-type']).toBe('text/event-stream')
    rig.source.signOut()
    expect(api.problems((await listener.next()).data, api.schema('Error'))).toEqual([])
    listener.hangUp()
  })

  const account = { username: 'ana', displayName: 'Ana Duarte', grant: GRANTS.password } as const
  const token = { receivedAt: 0, expiresAt: 3_600_500, refreshesAt: 3_000_000 }
  const failure = { code: 'unreachable' } as const
  const full = { account, token, refresh: 'idle', kept: 'unsaved', failure, retryAt: 5 } as const
  const SESSIONS: StatusView['session'][] = [
    { kind: 'notConfigured' },
    { kind: 'restoring' },
    { kind: 'sessionUnread', why: 'locked' },
    { kind: 'sessionUnread', why: 'unavailable' },
    { kind: 'sessionUnread', why: 'missing' },
    { kind: 'unknownVersion' },
    { kind: 'signedOut', revocation: 'none' },
    { kind: 'signingIn' },
    { kind: 'active', ...full, kept: 'keychain' },
    { kind: 'active', ...full, end: { kind: 'never' } },
    { kind: 'active', ...full, end: { kind: 'notBefore', at: 5 } },
    { kind: 'active', ...full, end: { kind: 'expected', at: 5, saidBy: 'earlierSessions' } },
    { kind: 'active', ...full, end: { kind: 'expected', at: 8e15, saidBy: 'provider' } },
    { kind: 'unreachable', ...full, kept: 'memory' },
    { kind: 'ending', ...full },
    { kind: 'expired', ...full },
  ]
  const view = (session: StatusView['session']): StatusView => ({
    version: '1.2.3',
    session,
    connection: {
      baseAddress: 'https://data.example/',
      host: 'data.example',
      source: 'user',
      grants: [GRANTS.password],
    },
  })

  test('the statuses of all session states together have exactly the documented fields and values', async () => {
    const schema = schemaOf('/v1/status', 'application/json')
    const CLOSED = ['state', 'kept', 'sessionEnd', 'outlook'] as const
    const fields = new Set<string>()
    const seen = Object.fromEntries(CLOSED.map((name) => [name, new Set<unknown>()]))
    for (const session of SESSIONS) {
      rig.view = view(session)
      const status = JSON.parse((await asTool('GET', '/v1/status?until=8h', {})).body)
      expect(api.problems(status, schema)).toEqual([])
      for (const name of Object.keys(status)) fields.add(name)
      for (const name of CLOSED) if (status[name] !== undefined) seen[name]?.add(status[name])
    }
    const properties = api.follow(schema['properties'])
    expect(fields).toEqual(new Set(Object.keys(properties)))
    const listed = CLOSED.map((name) => [name, new Set(api.follow(properties[name])['enum'] as unknown[])])
    expect(seen).toEqual(Object.fromEntries(listed))
  })
})

const OWN_PARAMETER: Record<string, string> = { '/v1/status': 'until', '/v1/sign-out': 'all', '/v1/remote': 'host' }

test('the parameters have the documented names, ranges and defaults', async () => {
  const parameters = api.operations.flatMap(({ path, parameters }) => parameters.map((each) => ({ path, ...each })))
  expect(parameters.map(({ path, name }) => [path, name])).toEqual([
    ['/v1/token', 'min_validity'],
    ['/v1/token', 'strict'],
    ['/v1/token', 'wait'],
    ['/v1/token', 'connection'],
    ['/v1/token', 'format'],
    ...Object.keys(ENDPOINTS)
      .slice(1)
      .flatMap((path) => [...(OWN_PARAMETER[path] ? [[path, OWN_PARAMETER[path]]] : []), [path, 'connection']]),
  ])
  const named = parameters.filter(({ name }) => name === 'connection').map(({ schema }) => schema)
  for (const schema of named) {
    expect(schema).toEqual({ type: 'string', pattern: CONNECTION_NAME.source, default: DEFAULT_CONNECTION })
  }
  const ranges = { min_validity: [LONGEST_MIN_VALIDITY, DEFAULT_MIN_VALIDITY], wait: [LONGEST_WAIT, 0] }
  for (const [name, [maximum = 0, standard]] of Object.entries(ranges)) {
    const schema = parameters.find((each) => each.name === name)?.schema ?? {}
    expect(schema).toEqual({ type: 'integer', minimum: 0, maximum, default: standard })
    for (const value of [0, maximum, -1, maximum + 1, 0.5]) {
      const isValid = Number.isInteger(value) && value >= 0 && value <= maximum
      expect(api.problems(value, schema)).toHaveLength(isValid ? 0 : 1)
      expect((await asTool('GET', `/v1/token?${name}=${value}`, {})).status).toBe(isValid ? 200 : 400)
    }
  }
})

test.each(['{"token":""}', '{"token":5}', '[]', '{"token":"a","b":1}'])(
  'the agent refuses each report of a rejected token that the OpenAPI file forbids: %s',
  async (text) => {
    const schema = api.operations.find(({ path }) => path === '/v1/token/rejected')?.body ?? {}
    expect(api.problems(JSON.parse(text), schema)).not.toEqual([])
    const answer = await ask(rig.socket, '/v1/token/rejected', { method: 'POST', headers: JSON_TYPE, body: text })
    expect([answer.status, rig.source.refreshes]).toEqual([400, 0])
  },
)

test('text that isn’t HTTP gets an error', async () => {
  const answer = await raw('GET /v1/token HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n')
  expect([answer.status, JSON.parse(answer.body).error]).toEqual([400, 'malformed_request'])
  expect(answer.headers['cache-control']).toBe('no-store')
})

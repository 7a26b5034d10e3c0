import { beforeEach, describe, expect, test } from 'vitest'
import { GRANTS } from '../../contract/grants.ts'
import type { ConnectionView, SessionView } from '../../contract/views.ts'
import { ask, EventListener } from '../../test/agent/client.ts'
import { problems, readOpenApi } from '../../test/agent/openapi.ts'
import { type AgentRig, HOUR, SIGNED_OUT, startAgent } from '../../test/agent/rig.ts'
import { ENDPOINTS } from './parse-request.ts'
import { ERRORS, type ErrorCode } from './replies.ts'

const { paths, components } = readOpenApi(new URL('../../docs/developers/agent.openapi.json', import.meta.url))
const { schemas } = components
const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
)
const JSON_TYPE = { 'content-type': 'application/json' }

let rig: AgentRig
beforeEach(async () => {
  rig = await startAgent()
})

const asTool = (method: string, path: string, headers: Record<string, string> = {}) =>
  ask(rig.socket, path === '/v1/remote' ? `${path}?host=build` : path, {
    method,
    headers: { ...JSON_TYPE, ...headers },
    body: path === '/v1/token/rejected' ? '{"token":"token-1"}' : undefined,
  })

test('the OpenAPI file has exactly the agent’s paths and methods', () => {
  expect(Object.fromEntries(operations.map(({ path, method }) => [path, method]))).toEqual(ENDPOINTS)
})

test('the OpenAPI file has exactly the agent’s errors, each with its status', () => {
  const all = Object.keys(ERRORS).sort()
  expect(schemas['Error']?.properties['error']?.enum?.toSorted()).toEqual(all)
  const listed = new Set(['malformed_request', 'not_found'])
  for (const [status, { content }] of operations.flatMap(({ responses }) => Object.entries(responses))) {
    const [, narrowed] = content['application/json']?.schema.allOf ?? []
    for (const code of narrowed?.properties['error']?.enum ?? []) {
      listed.add(code)
      expect([code, status]).toEqual([code, String(ERRORS[code as ErrorCode][0])])
    }
  }
  expect([...listed].sort()).toEqual(all)
})

const CONNECTION: ConnectionView = {
  baseAddress: 'https://data.example:8443/api/',
  host: 'data.example:8443',
  source: 'user',
  grants: [GRANTS.password],
}

describe('successful responses', () => {
  const successes = operations
    // Windows has no sockets for remote machines. The response with events doesn't end, so it has a test of its own.
    .filter(({ path }) => path !== '/v1/events' && (process.platform !== 'win32' || path !== '/v1/remote'))
    .flatMap(({ method, path, responses }) =>
      Object.entries(responses['200']?.content ?? {}).map(([type, { schema }]) => ({ method, path, type, schema })),
    )

  test.each(successes)('$method $path responds with $type as documented', async ({ method, path, type, schema }) => {
    rig.source.grant(HOUR, 'ana', 'token-2')
    const answer = await asTool(method, path, { accept: type })
    const isJson = type === 'application/json'
    expect([answer.status, answer.headers['content-type']]).toEqual([200, isJson ? type : `${type}; charset=utf-8`])
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(problems(isJson ? JSON.parse(answer.body) : answer.body, schema)).toEqual([])
  })

  test('a response with a token has all documented fields if the service’s address is known', async () => {
    const told = async () => JSON.parse((await asTool('GET', '/v1/token')).body)
    rig.shown.view = { ...SIGNED_OUT, connection: CONNECTION }
    rig.source.grant(HOUR, 'ana', 'token-3')
    const expiresAt = Math.floor((rig.time.wall() + HOUR) / 1_000)
    expect(await told()).toEqual({ token: 'token-3', expiresAt, account: 'ana', origin: 'https://data.example:8443' })
    expect(Object.keys(schemas['Token']?.properties ?? {}).sort()).toEqual(Object.keys(await told()).sort())
    rig.shown.view = { ...SIGNED_OUT, connection: { ...CONNECTION, dataAddress: 'https://api.example/v1' } }
    rig.source.become(rig.source.tokenState)
    expect(await told()).toMatchObject({ origin: 'https://api.example' })
  })

  test('a token in each format matches its documented schema, and its remaining life is computed each time', async () => {
    const told = async (format: string) =>
      JSON.parse((await asTool('GET', `/v1/token?format=${format}`, { accept: 'text/plain' })).body)
    const formats = { json: 'Token', oauth: 'OAuthToken', headers: 'Headers', kubernetes: 'ExecCredential' }
    for (const [format, name] of Object.entries(formats))
      expect(problems(await told(format), schemas[name]), format).toEqual([])
    expect((await told('oauth')).expires_in).toBe(3_600)
    rig.time.pass(90_500)
    expect((await told('oauth')).expires_in).toBe(3_509)
  })

  test('the data of events match the documented schemas', async () => {
    const listener = new EventListener(rig.socket)
    expect(problems((await listener.next()).data, schemas['Token'])).toEqual([])
    expect(listener.headers['content-type']).toBe('text/event-stream')
    rig.source.signOut()
    expect(problems((await listener.next()).data, schemas['Error'])).toEqual([])
    listener.hangUp()
  })

  test('the statuses of all session states together have exactly the documented fields and values', async () => {
    const schema = operations.find(({ path }) => path === '/v1/status')?.responses['200']?.content['application/json']
    const properties = schema?.schema.properties ?? {}
    const account = { username: 'ana', displayName: 'Ana Duarte', grant: GRANTS.password } as const
    const token = { receivedAt: 0, expiresAt: 3_600_500, refreshesAt: 3_000_000 }
    const failure = { code: 'unreachable' } as const
    const full = { account, token, refresh: 'idle', kept: 'unsaved', failure, retryAt: 5 } as const
    const sessions: SessionView[] = [
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
    const seen = new Map<string, Set<unknown>>()
    for (const session of sessions) {
      rig.shown.view = { version: '1.2.3', session, connection: CONNECTION }
      const status = JSON.parse((await asTool('GET', '/v1/status?until=8h')).body)
      expect(problems(status, schema?.schema)).toEqual([])
      for (const [name, value] of Object.entries(status)) seen.set(name, (seen.get(name) ?? new Set()).add(value))
    }
    expect([...seen.keys()].sort()).toEqual(Object.keys(properties).sort())
    for (const name of ['state', 'kept', 'sessionEnd', 'outlook'])
      expect(seen.get(name), name).toEqual(new Set(properties[name]?.enum))
  })
})

test('the agent refuses each report of a rejected token that the OpenAPI file forbids', async () => {
  const { requestBody } = operations.find(({ path }) => path === '/v1/token/rejected') ?? {}
  const report = async (text: string, headers = JSON_TYPE) =>
    (await ask(rig.socket, '/v1/token/rejected', { method: 'POST', headers, body: text })).status
  for (const text of ['{"token":""}', '{"token":5}', '[]', '{"token":"a","b":1}']) {
    expect(problems(JSON.parse(text), requestBody?.content['application/json']?.schema), text).not.toEqual([])
    expect(await report(text), text).toBe(400)
  }
  expect(await report('{"token":"a"}', { 'content-type': 'text/plain' })).toBe(415)
  expect(rig.source.refreshes).toBe(0)
})

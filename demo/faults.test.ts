import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import { connect } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { selfSignedCertificate } from './certificate.ts'
import type { Fault } from './faults.ts'
import { type DemoService, type DemoServiceOptions, type ServiceOperation, startDemoService } from './service.ts'
import { basic, bearer, claimsOf, login, post, refresh } from './test-client.ts'
import { ANA } from './users.ts'

const NOON = Date.UTC(2030, 0, 1, 12)
const running: DemoService[] = []

async function start(options: DemoServiceOptions = {}): Promise<DemoService> {
  const service = await startDemoService({ now: () => NOON, ...options })
  running.push(service)
  return service
}

const signIn = ({ address }: DemoService) => login(address, ANA.username, ANA.password)

/** Returns the status of a login over TLS. It doesn't use fetch, which has no option for a certificate authority. */
const request = ({ address }: DemoService, trust: { readonly ca?: string }) =>
  new Promise<number | undefined>((resolve, reject) => {
    const headers = basic(ANA.username, ANA.password)
    const sent = https.get(`${address}/auth/login`, { ...trust, headers, agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode))
    })
    sent.once('error', reject)
  })

const RESET = { cause: { code: 'ECONNRESET' } }

afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.stop()))
})

test('a connection reset before the refresh doesn’t spend the refresh token', async () => {
  const service = await start({ grace: 0 })
  const { refreshToken } = (await signIn(service)).json
  service.inject('refresh', { kind: 'reset', work: 'undone' })
  await expect(refresh(service.address, refreshToken)).rejects.toMatchObject(RESET)
  expect(service.isRefreshTokenValid(refreshToken)).toBe(true)
  expect(service.refreshCount(refreshToken)).toBe(1)
  expect((await refresh(service.address, refreshToken)).status).toBe(200)
})

test('if a reset loses the reply to a refresh, the token is spent, but sending it again isn’t a replay', async () => {
  const service = await start()
  const { refreshToken } = (await signIn(service)).json
  service.inject('refresh', { kind: 'reset', work: 'done' })
  const before = service.issuedSecrets().length
  await expect(refresh(service.address, refreshToken)).rejects.toMatchObject(RESET)
  expect(service.issuedSecrets().length).toBe(before + 2)
  expect((await refresh(service.address, refreshToken)).status).toBe(200)
  expect([service.refreshCount(refreshToken), service.replayCount()]).toEqual([2, 0])
  await refresh(service.address, refreshToken)
  expect(service.replayCount()).toBe(1)
})

test.each([
  ['undone', true],
  ['done', false],
] as const)('a request that hangs (work %s) fails when the service stops', async (work, stillValid) => {
  const service = await start({ grace: 0 })
  const { refreshToken } = (await signIn(service)).json
  service.inject('refresh', { kind: 'hang', work })
  const refused = expect(refresh(service.address, refreshToken)).rejects.toThrow()
  await vi.waitFor(() => expect(service.requests.at(-1)?.fault).toBe('hang'))
  await vi.waitFor(() => expect(service.isRefreshTokenValid(refreshToken)).toBe(stillValid))
  expect(service.requests.at(-1)).not.toHaveProperty('status')
  await service.stop()
  await refused
})

test('a slow answer arrives in pieces, its head first, and is complete in the end', async () => {
  const service = await start()
  service.inject('login', { kind: 'slow', ms: 50 })
  const response = await fetch(`${service.address}/auth/login`, { headers: basic(ANA.username, ANA.password) })
  expect(response.status).toBe(200)
  const pieces: Uint8Array[] = []
  for await (const piece of response.body ?? []) pieces.push(piece as Uint8Array)
  expect(pieces.length).toBeGreaterThan(1)
  expect(JSON.parse(Buffer.concat(pieces).toString())).toHaveProperty('refreshToken')
})

test('a slow answer that the client gives up on doesn’t count as received', async () => {
  const service = await start()
  const { refreshToken } = (await signIn(service)).json
  service.inject('refresh', { kind: 'slow', ms: 600_000 })
  const giveUp = new AbortController()
  const response = await fetch(`${service.address}/auth/refresh`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ refreshToken }),
    signal: giveUp.signal,
  })
  expect(response.status).toBe(200)
  giveUp.abort()
  await refresh(service.address, refreshToken)
  expect(service.replayCount()).toBe(0)
})

test.each<[Extract<Fault, { kind: 'status' }>, number, string | null]>([
  [{ kind: 'status', status: 429, headers: { 'Retry-After': '7' } }, 429, 'application/json'],
  [{ kind: 'status', status: 429, type: 'empty' }, 429, null],
  [{ kind: 'status', status: 503, type: 'html' }, 503, 'text/html; charset=utf-8'],
  [{ kind: 'status', status: 408, type: 'text', headers: { Via: 'a gateway' } }, 408, 'text/plain; charset=utf-8'],
  [{ kind: 'status', status: 204, type: 'empty' }, 204, null],
  [{ kind: 'status', status: 200, type: 'html' }, 200, 'text/html; charset=utf-8'],
])('the fault %j replaces the answer, and the request is not carried out', async (fault, status, type) => {
  const service = await start({ grace: 0 })
  const { refreshToken } = (await signIn(service)).json
  service.inject('refresh', fault)
  const reply = await refresh(service.address, refreshToken)
  expect([reply.status, reply.headers.get('content-type')]).toEqual([status, type])
  for (const [name, value] of Object.entries(fault.headers ?? {})) expect(reply.headers.get(name)).toBe(value)
  expect(reply.headers.has('retry-after')).toBe(fault.headers?.['Retry-After'] !== undefined)
  expect(reply.text === '').toBe(type === null)
  expect(reply.headers.get('date')).toBe(new Date(NOON).toUTCString())
  expect(service.isRefreshTokenValid(refreshToken)).toBe(true)
  expect(service.requests.at(-1)).toMatchObject({ fault: 'status', status })
})

test('a proxy that asks for credentials can be simulated', async () => {
  const service = await start()
  service.inject('login', { kind: 'status', status: 407, headers: { 'Proxy-Authenticate': 'Negotiate' } })
  // fetch hides a 407 from its caller.
  const [response] = await once(http.get(`${service.address}/auth/login`, { agent: false }), 'response')
  response.resume()
  expect([response.statusCode, response.headers['proxy-authenticate']]).toEqual([407, 'Negotiate'])
})

test('a status fault can hide that the request was carried out, and can have its own content', async () => {
  const service = await start({ grace: 0 })
  const { refreshToken } = (await signIn(service)).json
  service.inject('refresh', { kind: 'status', status: 504, type: 'text', content: 'upstream', work: 'done' })
  const { status, text } = await refresh(service.address, refreshToken)
  expect([status, text]).toEqual([504, 'upstream'])
  expect(service.isRefreshTokenValid(refreshToken)).toBe(false)
})

test('a redirect names another origin, and a client that follows it sends its credentials there', async () => {
  const [service, elsewhere] = [await start(), await start()]
  service.inject('refresh', { kind: 'redirect', location: `${elsewhere.address}/auth/refresh` })
  const reply = await refresh(service.address, 'x')
  expect([reply.status, reply.headers.get('location')]).toEqual([307, `${elsewhere.address}/auth/refresh`])
  expect(elsewhere.requests).toEqual([])

  service.inject('refresh', { kind: 'redirect', location: `${elsewhere.address}/auth/refresh` })
  await fetch(`${service.address}/auth/refresh`, { method: 'POST', body: '{"refreshToken":"x"}' })
  expect(elsewhere.requests).toMatchObject([{ operation: 'refresh', credentials: ['refreshToken'] }])
})

test.each<[Fault, unknown]>([
  [{ kind: 'garbageJson' }, undefined],
  [{ kind: 'wrongTypes' }, { token: 42, refreshToken: 42 }],
  [{ kind: 'emptyStrings' }, { token: '', refreshToken: '' }],
  [{ kind: 'missingFields' }, {}],
  [{ kind: 'missingFields', fields: ['refreshToken'] }, { token: expect.any(String) }],
])('%j spoils the answer to a request that was carried out', async (fault, expected) => {
  const service = await start({ grace: 0 })
  const { refreshToken } = (await signIn(service)).json
  service.inject('refresh', fault)
  const { status, headers, text, json } = await refresh(service.address, refreshToken)
  expect([status, headers.get('content-type'), json]).toEqual([200, 'application/json', expected])
  expect(text).not.toBe('')
  expect(service.isRefreshTokenValid(refreshToken)).toBe(false)
  expect(service.requests.at(-1)).toMatchObject({ fault: fault.kind, status: 200 })
  // The client received nothing usable, so it may send the token again.
  await refresh(service.address, refreshToken)
  expect([service.refreshCount(refreshToken), service.replayCount()]).toEqual([2, 0])
})

test('a huge answer is valid JSON of the given size; the default is 64 MB', async () => {
  const service = await start()
  service.inject('login', { kind: 'huge', bytes: 1_000_000 })
  const { text, json } = await signIn(service)
  expect([Object.keys(json), json.padding.length]).toEqual([['token', 'refreshToken', 'padding'], 1_000_000])
  expect(text.length).toBeGreaterThan(1_000_000)

  service.inject('login', { kind: 'huge' })
  const response = await fetch(`${service.address}/auth/login`, { headers: basic(ANA.username, ANA.password) })
  let size = 0
  for await (const piece of response.body ?? []) size += (piece as Uint8Array).length
  expect(size).toBeGreaterThan(64 * 1024 * 1024)
})

test('after the client drops a huge answer, the service keeps working', async () => {
  const service = await start()
  service.inject('logout', { kind: 'huge' })
  const { token, refreshToken } = (await signIn(service)).json
  const response = await fetch(`${service.address}/auth/logout`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...bearer(token) },
    body: JSON.stringify({ refreshToken }),
  })
  await response.body?.cancel()
  expect(service.isRefreshTokenValid(refreshToken)).toBe(false)
  expect((await signIn(service)).status).toBe(200)
})

test('a wrong Date header doesn’t change the token, and wrong iat and exp don’t change the Date header', async () => {
  const service = await start()
  service.inject('login', { kind: 'skewedDate', seconds: -3600 })
  const early = await signIn(service)
  expect(early.headers.get('date')).toBe(new Date(NOON - 3_600_000).toUTCString())
  expect(claimsOf(early.json.token).iat).toBe(NOON / 1000)

  service.inject('login', { kind: 'skewedClaims', seconds: -7200 })
  const late = await signIn(service)
  expect(late.headers.get('date')).toBe(new Date(NOON).toUTCString())
  expect(claimsOf(late.json.token)).toMatchObject({ iat: NOON / 1000 - 7200, exp: NOON / 1000 - 3600 })
})

test.each<[Fault, (token: string) => void]>([
  [{ kind: 'changedSubject' }, (token) => expect(claimsOf(token).sub).toBe('somebody-else')],
  [{ kind: 'changedSubject', sub: 'demo|eve' }, (token) => expect(claimsOf(token).sub).toBe('demo|eve')],
  [{ kind: 'missingClaims', claims: ['exp'] }, (token) => expect(claimsOf(token)).not.toHaveProperty('exp')],
  [{ kind: 'missingClaims', claims: ['exp', 'iat'] }, (token) => expect(claimsOf(token)).not.toHaveProperty('iat')],
  [{ kind: 'notJwt' }, (token) => expect(token).not.toContain('.')],
  [{ kind: 'skewedClaims', seconds: -7200 }, (token) => expect(claimsOf(token).exp).toBeLessThan(NOON / 1000)],
])('%j alters the access token, and the service still accepts it', async (fault, check) => {
  const service = await start()
  const first = (await signIn(service)).json
  service.inject('refresh', fault)
  const { token, refreshToken } = (await refresh(service.address, first.refreshToken)).json
  check(token)
  expect(service.issuedSecrets()).toContain(token)
  const { status } = await post(service.address, '/auth/logout', { refreshToken }, bearer(token))
  expect([status, service.isRefreshTokenValid(refreshToken)]).toEqual([200, false])
})

test.each<[ServiceOperation, string]>([
  ['login', '/auth/login'],
  ['refresh', '/auth/refresh'],
  ['logout', '/auth/logout'],
  ['changePassword', '/auth/changePassword'],
])('a fault of %s affects only that operation, and only as many times as requested', async (operation, path) => {
  const service = await start()
  service.inject(operation, { kind: 'status', status: 418 }, { times: 2 })
  service.inject(operation, { kind: 'status', status: 503 })
  const statuses = async (each: string) => {
    const init = each === '/auth/login' ? {} : { method: 'POST', body: '{}' }
    return (await fetch(service.address + each, init)).status
  }
  for (const other of ['/auth/login', '/auth/refresh', '/auth/logout', '/auth/changePassword']) {
    if (other !== path) expect(await statuses(other)).toBeLessThan(418)
  }
  expect([await statuses(path), await statuses(path), await statuses(path)]).toEqual([418, 418, 503])
  expect(await statuses(path)).toBeLessThan(418)
})

test('one fault or all faults can be removed', async () => {
  const service = await start()
  const undo = service.inject('login', { kind: 'status', status: 503 }, { times: Number.POSITIVE_INFINITY })
  service.inject('login', { kind: 'status', status: 429 })
  service.inject('login', { kind: 'status', status: 500 })
  expect((await signIn(service)).status).toBe(503)
  undo()
  expect((await signIn(service)).status).toBe(429)
  service.clearFaults()
  expect((await signIn(service)).status).toBe(200)
})

test('stopping the service ends hanging requests and silent connections, and can be repeated', async () => {
  const service = await start()
  const silent = connect(service.port, '127.0.0.1')
  await once(silent, 'connect')
  const closed = once(silent, 'close')
  await Promise.all([service.stop(), service.stop()])
  await closed
})

test('over TLS, the service uses the given certificate, and its connections can be reset', async () => {
  const tls = selfSignedCertificate()
  const service = await start({ tls })
  expect(service.address).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
  service.inject('login', { kind: 'reset', work: 'undone' })
  await expect(request(service, { ca: tls.cert })).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(await request(service, { ca: tls.cert })).toBe(200)
})

test.each([
  ['untrusted', {}, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['for another host', { host: 'other.example' }, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['expired', { notBefore: new Date('2020-01-01'), notAfter: new Date('2020-02-01') }, 'CERT_HAS_EXPIRED'],
] as const)('a client detects a certificate that is %s, and sends no request', async (kind, options, code) => {
  const tls = selfSignedCertificate(options)
  const service = await start({ tls })
  const trusting = kind === 'untrusted' ? {} : { ca: tls.cert }
  await expect(request(service, trusting)).rejects.toMatchObject({ code })
  expect(service.requests).toEqual([])
})

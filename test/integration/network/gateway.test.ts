import { createServer } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { expect, it, onTestFinished, vi } from 'vitest'
import { selfSignedCertificate, signedCertificate } from '../../../demo/certificate.ts'
import { DeadlineClock, systemTime } from '../../../main/base/clock.ts'
import { Secret } from '../../../main/base/secret.ts'
import type { KeepAliveAgentPorts } from '../../../main/network/keep-alive-agents.ts'
import { createRouteFor } from '../../../main/network/routes.ts'
import { startGateway } from '../../gateway/rig.ts'
import { listening } from '../../support/local-servers.ts'
import { startHttpProxy } from '../../support/proxy/http-proxy.ts'
import { startSocksProxy } from '../../support/proxy/socks-proxy.ts'
import { running } from '../../support/running.ts'

const authority = selfSignedCertificate({ host: 'authority.test', commonName: 'Company authority' })
const LOGIN = { username: 'ana.proxy', password: 'a proxy password' }

async function dataService(host: string) {
  const options = { ...signedCertificate(authority, { host }), requestCert: true, rejectUnauthorized: false }
  const seen = { connections: 0, names: new Set<unknown>(), tokens: new Set<unknown>() }
  const server = createServer(options, (request, response) => {
    seen.names.add((request.socket as TLSSocket).getPeerCertificate().subject?.CN)
    seen.tokens.add(request.headers.authorization)
    request.pipe(response)
    if (request.method === 'GET') response.end('rows')
  })
  server.on('secureConnection', () => {
    seen.connections += 1
  })
  server.on('tlsClientError', () => {})
  return { ...(await running(listening(server))), seen }
}

async function gatewayTo(dataAddress: string, changed: Partial<KeepAliveAgentPorts['http']> = {}, pac = 'DIRECT') {
  const login = { ...LOGIN, password: new Secret('proxy password', LOGIN.password) }
  const routeFor = createRouteFor({
    resolveProxy: async () => pac,
    env: {},
    credentials: { get: async () => login },
    clock: new DeadlineClock(systemTime),
  })
  const onUntrusted = vi.fn()
  const rig = await startGateway({
    config: { methods: 'all', dataAddress },
    http: {
      routeFor,
      trusted: async () => [authority.cert],
      onUntrusted,
      identityFor: async () => undefined,
      ...changed,
    },
  })
  onTestFinished(() => rig.end())
  return Object.assign(rig, { onUntrusted })
}

it('over TLS, GET requests share one verified connection, which presents this computer’s certificate', async () => {
  const service = await dataService('127.0.0.1')
  const own = signedCertificate(authority, { commonName: 'this computer' })
  const identity = { cert: own.cert, key: new Secret('key', own.key) }
  const rig = await gatewayTo(`https://127.0.0.1:${service.port}`, { identityFor: async () => identity })
  for (let n = 0; n < 4; n++) expect(await rig.ask('/')).toMatchObject({ status: 200, body: 'rows' })
  expect(service.seen).toEqual({
    connections: 1,
    names: new Set(['this computer']),
    tokens: new Set(['Bearer token-1']),
  })
  expect(await rig.ask('/', { method: 'POST', body: 'x' })).toMatchObject({ status: 200, body: 'x' })
  expect(service.seen.connections).toBe(2)
})

it.each([
  ['an unknown authority', '127.0.0.1', []],
  ['another host’s certificate', 'other.test', [authority.cert]],
])(
  'SECURITY: a service with %s gets no token, and the trusted certificates are read again',
  async (_, host, trusted) => {
    const service = await dataService(host)
    const rig = await gatewayTo(`https://127.0.0.1:${service.port}`, { trusted: async () => trusted })
    expect(await rig.ask('/')).toMatchObject({ status: 502, body: expect.stringContaining('certificate') })
    expect([service.seen.tokens.size, rig.onUntrusted.mock.calls.length]).toEqual([0, 1])
  },
)

it.each(['HTTPS', 'SOCKS'])(
  'requests share a connection through an %s proxy that asks for a password',
  async (kind) => {
    const service = await dataService('data.test')
    const names = { 'data.test': service.port }
    const tls = signedCertificate(authority, { host: '127.0.0.1' })
    const proxy = await running(
      kind === 'SOCKS' ? startSocksProxy({ names, login: LOGIN }) : startHttpProxy({ names, login: LOGIN, tls }),
    )
    const rig = await gatewayTo('https://data.test', {}, `${kind} 127.0.0.1:${proxy.port}`)
    for (let n = 0; n < 3; n++) expect(await rig.ask('/')).toMatchObject({ status: 200, body: 'rows' })
    expect(service.seen.connections).toBe(1)
    expect(JSON.stringify(proxy.heard)).not.toContain('token-1')
  },
)

it('SECURITY: plain HTTP never leaves this computer', async () => {
  await expect(gatewayTo('http://192.0.2.1')).rejects.toThrow('Only https')
})

import { createServer } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { expect, it, onTestFinished } from 'vitest'
import { selfSignedCertificate, signedCertificate } from '../../../demo/certificate.ts'
import { DeadlineClock, systemTime } from '../../../main/base/clock.ts'
import { Secret } from '../../../main/base/secret.ts'
import type { KeepAliveAgentPorts } from '../../../main/network/keep-alive-agents.ts'
import { createRouteFor } from '../../../main/network/routes.ts'
import { type GatewayRig, startGateway } from '../../gateway/rig.ts'
import { listening } from '../../support/local-servers.ts'
import { startHttpProxy } from '../../support/proxy/http-proxy.ts'
import { startSocksProxy } from '../../support/proxy/socks-proxy.ts'
import { running } from '../../support/running.ts'

const authority = selfSignedCertificate({ host: 'authority.test', commonName: 'Company authority' })
const LOGIN = { username: 'ana.proxy', password: 'a proxy password' }

async function dataService(host: string, { asksCertificate = false } = {}) {
  const { key, cert } = signedCertificate(authority, { host })
  const seen = { connections: 0, names: new Set<unknown>(), tokens: new Set<unknown>() }
  const server = createServer(
    { key, cert, ...(asksCertificate && { requestCert: true, rejectUnauthorized: false }) },
    (request, response) => {
      seen.names.add((request.socket as TLSSocket).getPeerCertificate().subject?.CN)
      seen.tokens.add(request.headers.authorization)
      request.pipe(response)
      if (request.method === 'GET') response.end('rows')
    },
  )
  server.on('secureConnection', () => {
    seen.connections += 1
  })
  server.on('tlsClientError', () => {})
  return { ...(await running(listening(server))), seen }
}

interface Around {
  readonly pac?: string
  readonly login?: typeof LOGIN
  readonly trusted?: readonly string[]
  readonly identity?: Awaited<ReturnType<KeepAliveAgentPorts['http']['identityFor']>>
}

async function gatewayTo(
  dataAddress: string,
  { pac = 'DIRECT', login, trusted = [authority.cert], identity }: Around = {},
) {
  const untrusted = { count: 0 }
  const get = async () => login && { ...login, password: new Secret('proxy password', login.password) }
  const routeFor = createRouteFor({
    resolveProxy: async () => pac,
    env: {},
    credentials: { get },
    clock: new DeadlineClock(systemTime),
  })
  const rig: GatewayRig = await startGateway({
    config: { methods: 'all', dataAddress },
    http: {
      routeFor,
      trusted: async () => trusted,
      onUntrusted: () => {
        untrusted.count++
      },
      identityFor: async () => identity,
    },
  })
  onTestFinished(() => rig.end())
  return Object.assign(rig, { untrusted })
}

it('over TLS, GET requests share one verified connection, which presents this computer’s certificate', async () => {
  const service = await dataService('127.0.0.1', { asksCertificate: true })
  const own = signedCertificate(authority, { commonName: 'this computer' })
  const identity = { cert: own.cert, key: new Secret('key', own.key) }
  const rig = await gatewayTo(`https://127.0.0.1:${service.port}`, { identity })
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
    const rig = await gatewayTo(`https://127.0.0.1:${service.port}`, { trusted })
    expect(await rig.ask('/')).toMatchObject({ status: 502, body: expect.stringContaining('certificate') })
    expect([service.seen.tokens.size, rig.untrusted.count]).toEqual([0, 1])
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
    const rig = await gatewayTo('https://data.test', { pac: `${kind} 127.0.0.1:${proxy.port}`, login: LOGIN })
    for (let n = 0; n < 3; n++) expect(await rig.ask('/')).toMatchObject({ status: 200, body: 'rows' })
    expect(service.seen.connections).toBe(1)
    expect(JSON.stringify(proxy.heard)).not.toContain('token-1')
  },
)

it('SECURITY: plain HTTP never leaves this computer', async () => {
  await expect(gatewayTo('http://192.0.2.1')).rejects.toThrow('Only https')
})

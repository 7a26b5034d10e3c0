import { execFileSync, spawn } from 'node:child_process'
import dns from 'node:dns'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { getDefaultAutoSelectFamilyAttemptTimeout, isIP, setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TLSSocket, TlsOptions } from 'node:tls'
import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { type Identity, selfSignedCertificate, signedCertificate } from '../../../demo/certificate.ts'
import { DeadlineClock, systemTime } from '../../../main/base/clock.ts'
import { refreshToken, Secret } from '../../../main/base/secret.ts'
import { createNetwork, type NetworkOptions } from '../../../main/network/network.ts'
import type { TlsPolicy } from '../../../main/network/tls-files.ts'
import { createAuthService } from '../../../main/service/auth-service.ts'
import { readGuarded } from '../../../main/settings/guarded-file.ts'
import { expectWithout, listening, tcpServer, testClient } from '../../support/local-servers.ts'
import { startHttpProxy } from '../../support/proxy/http-proxy.ts'
import { running } from '../../support/running.ts'

const TOKEN = 'refresh-token-in-hand'
const authority = selfSignedCertificate({ host: 'authority.test', commonName: 'Company authority' })
const good = signedCertificate(authority)

const folder = mkdtempSync(path.join(tmpdir(), 'latchkey-certificates-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string, content: string): string => {
  const where = path.join(folder, name)
  writeFileSync(where, content)
  return where
}

async function service(identity: Identity, options: TlsOptions = {}) {
  const shown: string[] = []
  const server = createServer({ key: identity.key, cert: identity.cert, ...options }, (request, response) => {
    const peer = (request.socket as TLSSocket).getPeerCertificate()
    shown.push(String(peer.subject?.CN ?? ''))
    request.resume()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ token: 'access.token.value', refreshToken: TOKEN }))
  })
  server.on('tlsClientError', () => {})
  return { ...(await running(listening(server))), shown }
}

function network(policy: () => TlsPolicy, options: Partial<NetworkOptions> = {}) {
  return createNetwork({
    clock: new DeadlineClock(systemTime),
    env: process.env,
    platform: process.platform,
    resolveProxy: async () => 'DIRECT',
    credentials: { get: async () => undefined },
    policy,
    // These files are in a temporary folder, so they are read as on Windows, where Latchkey doesn't check who can change
    // them.
    readGuarded: (file) => readGuarded(file, 'win32'),
    managedHosts: () => [],
    ...options,
  })
}

async function refresh(address: string, { http }: Pick<ReturnType<typeof network>, 'http'>) {
  const outcome = await createAuthService({ baseAddress: address, http: testClient(http) }).refresh(refreshToken(TOKEN))
  expectWithout(outcome, [TOKEN])
  return outcome
}

const trusting: TlsPolicy = { caFiles: [file('authority.pem', authority.cert)] }
it('a proxy with TLS and the service behind it are trusted by the next request once the administrator names their authority', async () => {
  const { port } = await service(signedCertificate(authority, { host: 'service.test' }))
  const proxy = await running(startHttpProxy({ names: { 'service.test': port }, tls: good }))
  let policy: TlsPolicy = {}
  const desk = network(() => policy, { resolveProxy: async () => `HTTPS 127.0.0.1:${proxy.port}` })
  expect(await refresh('https://service.test', desk)).toMatchObject({
    ok: false,
    failure: {
      code: 'unreachable',
      details: { proxy: `https://127.0.0.1:${proxy.port}`, cause: expect.stringMatching(/^UNABLE_TO_/) },
    },
  })
  policy = trusting
  expect(await refresh('https://service.test', desk)).toMatchObject({ ok: true })
})

it('SECURITY: a client certificate, from a PKCS #12 or a key file, is shown to a service only at a managed address, and never to the proxy with TLS that asks for it', async () => {
  const client = signedCertificate(authority, { host: 'desktop.test', commonName: 'Desktop of ana' })
  const pfxFile = path.join(folder, 'client.pfx')
  const [cert, key] = [file('client.pem', client.cert), file('client.key', client.key)]
  const words = ['-passout', 'pass:open sesame']
  execFileSync('openssl', ['pkcs12', '-export', '-in', cert, '-inkey', key, '-out', pfxFile, ...words])
  const { port, shown } = await service(signedCertificate(authority, { host: 'service.test' }), {
    requestCert: true,
    ca: authority.cert,
  })
  const proxy = await running(startHttpProxy({ names: { 'service.test': port }, tls: { ...good, requestCert: true } }))
  const pfx = { pfxFile, passphrase: new Secret('passphrase', 'open sesame') }
  const managing = (host: string, clientCertificate: TlsPolicy['clientCertificate'] = pfx) =>
    network(() => ({ ...trusting, clientCertificate }), {
      resolveProxy: async () => `HTTPS 127.0.0.1:${proxy.port}`,
      managedHosts: () => [host],
    })
  // The user or a page may have chosen an address that isn't managed.
  expect(await refresh('https://service.test', managing('other.test'))).toMatchObject({ ok: false })
  expect(await refresh('https://service.test', managing('service.test'))).toMatchObject({ ok: true })
  const pem = { certFile: cert, keyFile: key }
  expect(await refresh('https://service.test', managing('service.test', pem))).toMatchObject({ ok: true })
  expect(shown).toEqual(Array(2).fill('Desktop of ana'))
  expect(proxy.certificates).toEqual(['', '', ''])
})

/** Listens without accepting. Because there are connections in the queues, Linux drops the next one's first packet. */
const LISTENER = `
import socket, sys
first = socket.socket(); first.bind(('127.0.0.1', 0)); port = first.getsockname()[1]; first.close()
kept = []
for host in sys.argv[1:]:
    s = socket.socket(); s.bind((host, port)); s.listen(0); kept.append(s)
    for _ in range(2):
        c = socket.socket(); c.setblocking(False); c.connect_ex((host, port)); kept.append(c)
print(port, flush=True)
sys.stdin.readline()
while True:
    c, _ = kept[0].accept(); c.close()
`

async function slowListener(...hosts: readonly string[]) {
  const child = spawn('python3', ['-c', LISTENER, ...hosts], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  const port = Number(String((await once(child.stdout, 'data'))[0]))
  return { port, accept: () => child.stdin.write('\n') }
}

/** Sets the addresses of `data.test`, and makes a network, which sets how long each of them is tried. */
function resolveTo(...addresses: readonly string[]): void {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  vi.spyOn(dns, 'lookup').mockImplementation(((_name: string, _options: object, done: (...a: unknown[]) => void) =>
    process.nextTick(done, null, found)) as never)
  const before = getDefaultAutoSelectFamilyAttemptTimeout()
  onTestFinished(() => {
    vi.restoreAllMocks()
    setDefaultAutoSelectFamilyAttemptTimeout(before)
  })
  network(() => ({}))
}

const dataAt = (port: number) =>
  ({ operation: 'refresh', method: 'POST', url: new URL(`https://data.test:${port}/`) }) as const

/** If the machine is too busy to connect in the time that Latchkey has for it, the test is repeated. */
const REAL_TIME = { retry: 4, timeout: 20_000 }

it('a service is reached although its handshake takes a second and its other address fails', REAL_TIME, async () => {
  // Nothing listens at the IPv6 address.
  resolveTo('127.0.0.1', '::1')
  const slow = await slowListener('127.0.0.1')
  const sent = testClient().send(dataAt(slow.port))
  // Waits until the first packet has been dropped, and only then lets the listener accept.
  await new Promise((resolve) => setTimeout(resolve, 400))
  slow.accept()
  const outcome = await sent
  // The listener speaks no TLS, so the handshake fails. With Node's limit of 250 ms an address, nothing would connect.
  expect(outcome).toMatchObject({ ok: false, failure: { code: 'unreachable' } })
  expect(outcome.ok || outcome.failure.details?.cause).toMatch(/ECONNRESET|EPROTO|socket/i)
})

it('a service is reached although its first four addresses don’t answer', REAL_TIME, async () => {
  const dead = [2, 3, 4, 5].map((last) => `127.0.0.${last}`)
  const { port } = await slowListener(...dead)
  const { server } = await running(tcpServer((socket) => socket.destroy(), port))
  const reached = once(server, 'connection')
  resolveTo(...dead, '127.0.0.1')
  await testClient().send(dataAt(port))
  await reached
})

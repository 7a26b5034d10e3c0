/** Which servers the service client trusts, over TLS on 127.0.0.1, with the tests' own certificate authority. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TLSSocket, TlsOptions } from 'node:tls'
import { afterAll, describe, expect, it } from 'vitest'
import { type Identity, selfSignedCertificate, signedCertificate } from '../../../demo/certificate.ts'
import { DeadlineClock, systemTime } from '../../../main/base/clock.ts'
import { refreshToken, Secret } from '../../../main/base/secret.ts'
import { createNetwork, type NetworkOptions } from '../../../main/network/network.ts'
import type { TlsPolicy } from '../../../main/network/tls-files.ts'
import { createAuthService } from '../../../main/service/auth-service.ts'
import { readGuarded } from '../../../main/settings/guarded-file.ts'
import { expectWithout, listening, testClient } from '../../support/local-servers.ts'
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

/** Starts a service. It records what it receives, and the client certificate that it is shown. */
async function service(identity: Identity, options: TlsOptions = {}) {
  const read: string[] = []
  const shown: string[] = []
  const server = createServer({ key: identity.key, cert: identity.cert, ...options }, (request, response) => {
    const peer = (request.socket as TLSSocket).getPeerCertificate()
    shown.push(String(peer.subject?.CN ?? ''))
    request.on('data', (data) => read.push(String(data)))
    request.on('end', () => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ token: 'access.token.value', refreshToken: TOKEN }))
    })
  })
  server.on('tlsClientError', () => {})
  return { ...(await running(listening(server))), read, shown }
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
it('a service with the certificate of an authority that the system trusts is trusted at the second attempt at the latest', async () => {
  const { port } = await service(good)
  const env = { SSL_CERT_FILE: file('system.pem', authority.cert) }
  const desk = network(() => ({}), { env, platform: 'linux' })
  // Newer versions of Node know the system's authorities, but not the tests' authority, so the first attempt fails.
  // Latchkey then also reads the file that SSL_CERT_FILE names.
  await refresh(`https://127.0.0.1:${port}`, desk)
  expect(await refresh(`https://127.0.0.1:${port}`, desk)).toMatchObject({ ok: true })
})

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

describe('a service that requires a client certificate', () => {
  const client = signedCertificate(authority, { host: 'desktop.test', commonName: 'Desktop of ana' })
  const asking = { requestCert: true, rejectUnauthorized: true, ca: authority.cert }
  const passphrase = new Secret('passphrase', 'open sesame')
  it('gets the client certificate in a PKCS #12 file through a proxy with TLS, but the proxy gets none even if it asks', async () => {
    const pfxFile = path.join(folder, 'client.pfx')
    const [cert, key] = [file('client.pem', client.cert), file('client.key', client.key)]
    const words = ['-passout', 'pass:open sesame']
    execFileSync('openssl', ['pkcs12', '-export', '-in', cert, '-inkey', key, '-out', pfxFile, ...words])
    const { port, shown } = await service(signedCertificate(authority, { host: 'service.test' }), asking)
    const proxy = await running(
      startHttpProxy({ names: { 'service.test': port }, tls: { ...good, requestCert: true } }),
    )
    const desk = network(() => ({ ...trusting, clientCertificate: { pfxFile, passphrase } }), {
      resolveProxy: async () => `HTTPS 127.0.0.1:${proxy.port}`,
      managedHosts: () => ['service.test'],
    })
    expect(await refresh('https://service.test', desk)).toMatchObject({ ok: true })
    expect(shown).toEqual(['Desktop of ana'])
    expect(proxy.certificates).toEqual([''])
  })
})

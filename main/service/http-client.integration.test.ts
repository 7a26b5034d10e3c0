import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { expect, it, onTestFinished, vi } from 'vitest'
import { type Identity, selfSignedCertificate, signedCertificate } from '../../demo/certificate.ts'
import { expectWithout, listening, tcpServer, testClient } from '../../test/support/local-servers.ts'
import { running } from '../../test/support/running.ts'
import { accessToken, password, refreshToken } from '../base/secret.ts'
import { createAuthService } from './auth-service.ts'

const ours = selfSignedCertificate({ commonName: 'Our authority' })
const company = selfSignedCertificate({ commonName: 'Company proxy', organization: 'Test' })
const foreign = signedCertificate(company, {
  ...{ commonName: 'service.test', organization: 'Data Platform' },
  ...{ notBefore: new Date('2020-01-01'), notAfter: new Date('2049-12-31T23:59:59Z') },
})

const PASSWORD = 'correct horse battery'
const ACCESS = 'access.token.value'
const REFRESH = 'refresh-token-in-hand'

/** A service over TLS that records everything that it receives. */
async function tlsService({ key, cert }: Identity) {
  const read: string[] = []
  const answer: RequestListener = (request, response) => {
    request.resume()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ token: ACCESS, refreshToken: REFRESH }))
  }
  const server = createServer({ key, cert }, answer)
  server.on('secureConnection', (socket) => socket.on('data', (data: Buffer) => read.push(data.toString())))
  const { port } = await running(listening(server))
  return { port, read }
}

async function outcomes(port: number) {
  const { login, refresh, logout } = createAuthService({
    baseAddress: `https://127.0.0.1:${port}`,
    http: testClient({ trusted: async () => [ours.cert] }),
  })
  const all = [
    await login({ username: 'ana', password: password(PASSWORD) }),
    await refresh(refreshToken(REFRESH)),
    await logout(accessToken(ACCESS), refreshToken(REFRESH)),
  ]
  expectWithout(all, [PASSWORD, ACCESS, REFRESH])
  return all
}

it('SECURITY: nothing is sent to a service with an untrusted certificate, even if NODE_TLS_REJECT_UNAUTHORIZED is 0', async () => {
  const { port, read } = await tlsService(foreign)
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  onTestFinished(() => void vi.unstubAllEnvs())
  const certificate = {
    subject: 'O=Data Platform, CN=service.test',
    issuer: 'O=Test, CN=Company proxy',
    validFrom: '2020-01-01T00:00:00.000Z',
    validTo: '2049-12-31T23:59:59.000Z',
  }
  for (const outcome of await outcomes(port)) {
    expect(outcome).toMatchObject({ failure: { code: 'untrustedCertificate', details: { certificate } } })
  }
  expect(read).toEqual([])
})

it('SECURITY: a service that speaks only TLS 1.1 is unreachable', async () => {
  // A ServerHello of TLS 1.1 (RFC 4346 section 7.4.1.3). By default, Node's OpenSSL refuses to send one.
  const hello = Buffer.from(`160302002a020000260302${'00'.repeat(32)}00c01300`, 'hex')
  const { port } = await running(tcpServer((socket) => socket.once('data', () => socket.write(hello))))
  for (const outcome of await outcomes(port)) {
    expect(outcome).toMatchObject({
      ok: false,
      failure: { code: 'unreachable', details: { cause: expect.stringMatching(/unsupported.protocol/i) } },
    })
  }
})

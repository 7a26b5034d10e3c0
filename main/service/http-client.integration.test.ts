/** TLS with a throw-away authority, which the `openssl` command makes. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { accessToken, password, refreshToken } from '../session/secret.ts'
import { createAuthService } from './auth-service.ts'
import type { HttpOptions } from './http-client.ts'
import { expectWithout, httpServer, listening, tcpServer, testClient } from './testing.ts'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-tls-'))
afterAll(() => rmSync(folder, { recursive: true }))

const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
const file = (name: string) => readFileSync(join(folder, name), 'utf8')

const CONFIG = `
[ca]
default_ca = it
[it]
database = index.txt
new_certs_dir = .
default_md = sha256
policy = any
rand_serial = yes
unique_subject = no
[any]
organizationName = optional
commonName = supplied
`

function authority(name: string, commonName: string): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  openssl('req', '-x509', ...key, '-keyout', `${name}.key`, '-out', `${name}.pem`, '-days', '2', '-subj', commonName)
}

function certificate(
  name: string,
  signer: string,
  names: string,
  dates = ['20200101000000Z', '20491231235959Z'],
): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const subject = ['-subj', '/O=Data Platform/CN=service.test']
  openssl('req', '-new', ...key, '-keyout', `${name}.key`, '-out', `${name}.csr`, ...subject)
  writeFileSync(join(folder, 'names.cnf'), `subjectAltName=${names}`)
  const [from = '', to = ''] = dates
  const validity = ['-startdate', from, '-enddate', to]
  const by = ['-config', 'ca.cnf', '-extfile', 'names.cnf', '-cert', `${signer}.pem`, '-keyfile', `${signer}.key`]
  openssl('ca', '-batch', '-notext', ...by, ...validity, '-in', `${name}.csr`, '-out', `${name}.pem`)
}

beforeAll(() => {
  writeFileSync(join(folder, 'ca.cnf'), CONFIG)
  writeFileSync(join(folder, 'index.txt'), '')
  authority('ours', '/O=Test/CN=Our authority')
  authority('proxys', '/O=Test/CN=Company proxy')
  authority('nameless', '/')
  certificate('good', 'ours', 'IP:127.0.0.1,DNS:localhost')
  certificate('foreign', 'proxys', 'IP:127.0.0.1')
  certificate('elsewhere', 'ours', 'DNS:elsewhere.test')
  certificate('expired', 'ours', 'IP:127.0.0.1', ['20200101000000Z', '20210101000000Z'])
  certificate('early', 'ours', 'IP:127.0.0.1', ['20480101000000Z', '20491231235959Z'])
})

const undo: (() => void)[] = []
afterEach(() => {
  for (const stop of undo.splice(0)) stop()
})

const PASSWORD = 'correct horse battery'
const ACCESS = 'access.token.value'
const REFRESH = 'refresh-token-in-hand'

/** The service with a certificate, and all data that it received. */
async function tlsService(name: string) {
  const read: string[] = []
  const answer: RequestListener = (request, response) => {
    request.resume()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ token: ACCESS, refreshToken: REFRESH }))
  }
  const server = createServer({ key: file(`${name}.key`), cert: file(`${name}.pem`) }, answer)
  server.on('secureConnection', (socket) => socket.on('data', (data: Buffer) => read.push(data.toString())))
  const { port, stop } = await listening(server)
  undo.push(stop)
  return { port, read }
}

async function outcomes(port: number, options: Partial<HttpOptions> = { trusted: async () => [file('ours.pem')] }) {
  const { login, refresh, logout } = createAuthService({
    baseAddress: `https://127.0.0.1:${port}`,
    http: testClient(options),
  })
  const all = [
    await login({ username: 'ana', password: password(PASSWORD) }),
    await refresh(refreshToken(REFRESH)),
    await logout(accessToken(ACCESS), refreshToken(REFRESH)),
  ]
  expectWithout(all, [PASSWORD, ACCESS, REFRESH])
  return all
}

describe('a certificate', () => {
  it('of a trusted authority is accepted, and the request is sent', async () => {
    const { port, read } = await tlsService('good')
    for (const outcome of await outcomes(port)) expect(outcome).toMatchObject({ ok: true })
    expect(read.join('')).toMatch(new RegExp(`authorization: Bearer ${ACCESS}`, 'i'))
  })

  const subject = 'O=Data Platform, CN=service.test'
  const ours = 'O=Test, CN=Our authority'
  const dates = { validFrom: '2020-01-01T00:00:00.000Z', validTo: '2049-12-31T23:59:59.000Z' }
  const rows: [string, string, object, unknown][] = [
    ['an unknown authority', 'foreign', { subject, issuer: 'O=Test, CN=Company proxy', ...dates }, expect.any(String)],
    [
      'another host',
      'elsewhere',
      { subject, issuer: ours, ...dates },
      "ERR_TLS_CERT_ALTNAME_INVALID (IP: 127.0.0.1 is not in the cert's list: )",
    ],
    [
      'the past',
      'expired',
      { subject, issuer: ours, validFrom: dates.validFrom, validTo: '2021-01-01T00:00:00.000Z' },
      'CERT_HAS_EXPIRED',
    ],
    [
      'the future',
      'early',
      { subject, issuer: ours, validFrom: '2048-01-01T00:00:00.000Z', validTo: dates.validTo },
      'CERT_NOT_YET_VALID',
    ],
  ]
  it.each(rows)('of %s is reported, and nothing is sent', async (_name, name, certificate, cause) => {
    const { port, read } = await tlsService(name)
    for (const outcome of await outcomes(port)) {
      expect(outcome).toEqual({
        ok: false,
        failure: {
          code: 'untrustedCertificate',
          details: {
            operation: expect.any(String),
            host: `127.0.0.1:${port}`,
            at: '2026-03-01T12:00:00.000Z',
            cause,
            certificate,
          },
        },
      })
    }
    expect(read).toEqual([])
  })

  it('without a name is reported as such', async () => {
    const { port, read } = await tlsService('nameless')
    const [outcome] = await outcomes(port)
    expect(outcome).toMatchObject({
      ok: false,
      failure: { code: 'untrustedCertificate', details: { certificate: { subject: '', issuer: '' } } },
    })
    expect(read).toEqual([])
  })

  it('of a private authority is untrusted by default', async () => {
    const { port, read } = await tlsService('good')
    for (const outcome of await outcomes(port, {})) {
      expect(outcome).toMatchObject({ ok: false, failure: { code: 'untrustedCertificate' } })
    }
    expect(read).toEqual([])
  })

  it('is verified regardless of the environment', async () => {
    const { port, read } = await tlsService('foreign')
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    try {
      for (const outcome of await outcomes(port)) {
        expect(outcome).toMatchObject({ ok: false, failure: { code: 'untrustedCertificate' } })
      }
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    }
    expect(read).toEqual([])
  })
})

describe('a failed TLS handshake is unreachable', () => {
  it('version 1.1', async () => {
    // A ServerHello of TLS 1.1 (RFC 4346 section 7.4.1.3): today's libraries won't send one.
    const hello = Buffer.from(`160302002a020000260302${'00'.repeat(32)}00c01300`, 'hex')
    const { port, stop } = await tcpServer((socket) => socket.once('data', () => socket.write(hello)))
    undo.push(stop)
    for (const outcome of await outcomes(port)) {
      expect(outcome).toMatchObject({
        ok: false,
        failure: { code: 'unreachable', details: { cause: expect.stringMatching(/unsupported.protocol/i) } },
      })
    }
  })

  it('plain http behind an https address', async () => {
    const { port, stop } = await httpServer((_request, response) => response.end())
    undo.push(stop)
    for (const outcome of await outcomes(port)) {
      expect(outcome).toMatchObject({
        ok: false,
        failure: { code: 'unreachable', details: { cause: expect.stringMatching(/^(ERR_SSL_|EPROTO|ECONNRESET)/) } },
      })
    }
  })
})

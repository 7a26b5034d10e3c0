/** Real name resolution, TLS and proxies, all on this machine. */

import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { connect, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import type { TlsOptions } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Identity, selfSignedCertificate, signedCertificate } from '../../../demo/certificate.ts'
import { checkCertificate } from '../../../main/diagnostics/checks/certificate.ts'
import { checkName, resolveName } from '../../../main/diagnostics/checks/name.ts'
import { checkProxy } from '../../../main/diagnostics/checks/proxy.ts'
import type { DiagnosticsPorts, FoundProxy, KerberosProblem } from '../../../main/diagnostics/ports.ts'
import { tunnelAgent } from '../../../main/network/proxy-agents.ts'
import { wellPorts } from '../../support/healthy-desktop.ts'

const days = (count: number) => new Date(Date.now() + count * 86_400_000)
const authorities = { organization: 'Test', isAuthority: true, notAfter: days(400) }
const root = selfSignedCertificate({ ...authorities, commonName: 'Root' })

const identityOf = (host: string, { from = -1, to = 100, signer = root } = {}): Identity =>
  signedCertificate(signer, {
    ...{ host, commonName: 'service.test', organization: 'Data Platform' },
    ...{ notBefore: days(from), notAfter: days(to) },
  })

/** The certificate of a server at 127.0.0.1, with the certificate of an intermediate authority. */
function identityBelow(commonName: string): Identity {
  const signer = signedCertificate(root, { ...authorities, commonName })
  const identity = identityOf('127.0.0.1', { signer })
  return { ...identity, cert: identity.cert + signer.cert }
}

async function listen(server: Server): Promise<number> {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    for (const socket of open) socket.destroy()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

const signal = new AbortController().signal

/** Starts a service with this certificate, and records the requests that it gets. */
async function serve({ key, cert }: Identity, options: TlsOptions = {}) {
  const asked: string[] = []
  const answer: RequestListener = (request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? 'without credentials'}`)
    response.writeHead(401, { 'content-type': 'application/json' }).end('{}')
  }
  const server = createServer({ key, cert, ...options }, answer)
  const port = await listen(server)
  /** Resolves to all requests once every connection has closed. */
  const askedInAll = async () => {
    await new Promise((resolve) => server.close(resolve))
    return asked
  }
  return { port, asked, askedInAll, url: new URL(`https://127.0.0.1:${port}`) }
}

const trusting: DiagnosticsPorts = { ...wellPorts(), trusted: async () => [root.cert] }
const certificateOf = (url: URL, ports: Partial<DiagnosticsPorts> = {}) =>
  checkCertificate(url, { ...trusting, ...ports }, signal)

describe('a certificate', () => {
  test('that is trusted is shown with its chain and its remaining days, and no request is sent', async () => {
    const { url, askedInAll } = await serve(identityBelow('Between'))
    const finding = await certificateOf(url)
    expect(finding).toMatchObject({
      state: 'ok',
      sentence: expect.stringMatching(/is trusted \(until .*, 99 days left\)/),
    })
    expect(finding.details).toEqual([
      expect.stringMatching(/^0: O=Data Platform, CN=service\.test; issued by O=Test, CN=Between; valid from \d{4}-/),
      expect.stringMatching(/^1: O=Test, CN=Between; issued by O=Test, CN=Root/),
      expect.stringMatching(/^2: O=Test, CN=Root; issued by O=Test, CN=Root/),
      'TLSv1.3',
    ])
    expect(await askedInAll()).toEqual([])
  })

  test('causes a warning if it expires soon', async () => {
    const { url } = await serve(identityOf('127.0.0.1', { to: 5 }))
    expect(await certificateOf(url)).toMatchObject({ state: 'warning', sentence: expect.stringMatching(/4 days left/) })
  })

  test('is reported with its owner’s name if it has expired', async () => {
    const { url, askedInAll } = await serve(identityOf('127.0.0.1', { from: -9, to: -2 }))
    const finding = await certificateOf(url)
    expect(finding).toMatchObject({
      state: 'failed',
      sentence: expect.stringMatching(
        /has expired \(CERT_HAS_EXPIRED\)\. The affected certificate belongs to O=Data Platform, CN=service\.test/,
      ),
    })
    expect(finding.details?.[0]).toMatch(/expired on/)
    expect(await askedInAll()).toEqual([])
  })

  test('is reported with its authority’s name if the authority isn’t trusted', async () => {
    const { url } = await serve(identityBelow('Company proxy'))
    const { state, sentence } = await certificateOf(url, { trusted: async () => [] })
    expect(state).toBe('failed')
    expect(sentence).toMatch(/CN=Company proxy and was issued by O=Test, CN=Root/)
  })

  test('is received from a service that requires a client certificate, if the client has one', async () => {
    const asking = { requestCert: true, rejectUnauthorized: true, ca: root.cert, maxVersion: 'TLSv1.2' } as const
    const { url, askedInAll } = await serve(identityOf('127.0.0.1'), asking)
    const identityFor = async () => identityOf('desktop.test')
    expect((await certificateOf(url, { identityFor })).state).toBe('ok')
    expect(await askedInAll()).toEqual([])
  })
})

describe('a name', () => {
  const named = (url: string, proxies: readonly ('direct' | FoundProxy)[] = ['direct']) =>
    checkName(new URL(url), { ...trusting, resolve: resolveName, proxiesFor: async () => proxies })

  test('is ok if the system can resolve it', async () => {
    expect(await named('https://localhost')).toMatchObject({
      state: 'ok',
      sentence: expect.stringMatching(/localhost resolves to .*(127\.0\.0\.1|::1)/),
    })
  })

  test('is reported if it can’t be resolved (RFC 6761 section 6.4)', async () => {
    const { state, sentence, advice } = await named('https://data.invalid')
    expect(state).toBe('failed')
    expect(sentence).toMatch(/^The name data\.invalid can’t be resolved: .*(ENOTFOUND|EAI_AGAIN)/)
    expect(advice).toContain('VPN')
  })

  test('is resolved by the proxy if there is one; this computer resolves only the proxy’s own name', async () => {
    const proxy = { kind: 'http', host: 'localhost', port: 3128 } as const
    expect(await named('https://service.invalid', [proxy])).toMatchObject({
      state: 'ok',
      sentence: expect.stringMatching(/^localhost resolves to/),
      details: ['The proxy resolves service.invalid.'],
    })
    expect((await named('https://service.invalid', [{ ...proxy, host: 'proxy.invalid' }])).state).toBe('failed')
  })
})

describe('a proxy', () => {
  const through = (port: number) => {
    const { signal } = new AbortController()
    return tunnelAgent({ proxy: { kind: 'http', host: '127.0.0.1', port }, signal, onAnswered: () => {} })
  }

  /** Opens tunnels to this port for any name, or answers with this refusal. */
  async function startProxy(to: number, refusal?: { status: number; schemes?: string[] }) {
    const asked: { readonly target: string | undefined; readonly credentials: string | undefined }[] = []
    const server = createHttpServer()
    server.on('connect', ({ url, headers }, socket: Socket) => {
      asked.push({ target: url, credentials: headers['proxy-authorization'] })
      if (refusal !== undefined) {
        const wanted = (refusal.schemes ?? []).map((scheme) => `Proxy-Authenticate: ${scheme}\r\n`).join('')
        socket.end(`HTTP/1.1 ${refusal.status} No\r\n${wanted}Content-Length: 0\r\n\r\n`)
        return
      }
      const onward = connect(to, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
      onward.on('error', () => socket.destroy())
      socket.on('error', () => onward.destroy())
      onward.pipe(socket).pipe(onward)
    })
    const proxy: FoundProxy = { kind: 'http', host: '127.0.0.1', port: await listen(server) }
    return { proxy, asked }
  }

  const SERVICE = new URL('https://service.test')
  const proxied = (...proxies: readonly ('direct' | FoundProxy)[]) =>
    checkProxy(SERVICE, { ...trusting, proxiesFor: async () => proxies }, signal)

  test('leads to the service, whose certificate is checked', async () => {
    const { port } = await serve(identityOf('service.test'))
    const { proxy } = await startProxy(port)
    expect(await proxied(proxy)).toMatchObject({
      state: 'ok',
      sentence: expect.stringContaining(`through the proxy http://127.0.0.1:${proxy.port}`),
    })
    const agent = () => through(proxy.port)
    const finding = await certificateOf(SERVICE, { routeFor: async () => ({ agent: agent() }) })
    expect(finding).toMatchObject({ state: 'ok', sentence: expect.stringContaining('service.test:443 is trusted') })
  })

  test.each([
    ['127.0.0.1', 'ok'],
    ['service.test', 'failed'],
  ])('with TLS must have a certificate for its own name: %s', async (name, state) => {
    const server = createServer(identityOf(name))
    server.on('connect', (_, socket: Socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))
    expect(await proxied({ kind: 'https', host: '127.0.0.1', port: await listen(server) })).toMatchObject({ state })
  })

  test('that refuses the tunnel fails the checks of proxy and certificate', async () => {
    const { proxy } = await startProxy(1, { status: 403 })
    expect(await proxied(proxy)).toMatchObject({
      state: 'failed',
      sentence: expect.stringContaining('refused to connect to service.test:443 (HTTP 403)'),
    })
    const agent = through(proxy.port)
    expect(await certificateOf(SERVICE, { routeFor: async () => ({ agent }) })).toMatchObject({ state: 'failed' })
  })

  test('that refuses the tunnel fails no check if another route leads to the service', async () => {
    const { port } = await serve(identityOf('service.test'))
    const [refusing, open] = [await startProxy(1, { status: 403 }), await startProxy(port)]
    const otherwise = async () => ({ agent: through(open.proxy.port) })
    const routeFor = async () => ({ agent: through(refusing.proxy.port), otherwise })
    expect(await certificateOf(SERVICE, { routeFor })).toMatchObject({ state: 'ok' })
  })

  test.each<[KerberosProblem | undefined, string, string | undefined]>([
    ['unsupported', 'doesn’t support: NTLM, Negotiate', 'a password or with Kerberos'],
    ['no Kerberos ticket', 'you have no ticket for it', 'run kinit'],
    [undefined, 'You have a ticket for it', undefined],
  ])(
    'that requires Kerberos passes the check only if the user has a ticket (problem: %s)',
    async (problem, says, advises) => {
      const { proxy, asked } = await startProxy(1, { status: 407, schemes: ['Negotiate', 'NTLM'] })
      const ports = { ...trusting, proxiesFor: async () => [proxy], kerberosProblem: async () => problem }
      const { state, sentence, advice } = await checkProxy(SERVICE, ports, new AbortController().signal)
      expect([state, sentence]).toEqual([problem === undefined ? 'ok' : 'failed', expect.stringContaining(says)])
      expect(advice ?? '').toContain(advises ?? '')
      expect(asked).toEqual([{ target: 'service.test:443', credentials: undefined }])
    },
  )

  test('that can’t be reached fails the check, or causes a warning if there is another route', async () => {
    const gone: FoundProxy = { kind: 'http', host: '127.0.0.1', port: 1 }
    expect(await proxied(gone)).toMatchObject({ state: 'failed', sentence: expect.stringContaining('ECONNREFUSED') })
    expect(await proxied({ ...gone, variable: 'https_proxy' })).toMatchObject({
      sentence: expect.stringContaining('The proxy 127.0.0.1:1 (from https_proxy) doesn’t answer'),
    })
    expect(await proxied(gone, 'direct')).toMatchObject({
      state: 'warning',
      details: ['Tried in this order: http://127.0.0.1:1, DIRECT'],
    })
  })

  test('with SOCKS is named if it accepts connections, and otherwise fails the check', async () => {
    const port = await listen(createTcpServer((socket) => socket.destroy()))
    expect(await proxied({ kind: 'socks5', host: '127.0.0.1', port })).toMatchObject({
      state: 'ok',
      sentence: `Latchkey connects to service.test:443 through the proxy socks5://127.0.0.1:${port}.`,
    })
    expect((await proxied({ kind: 'socks5', host: '127.0.0.1', port: 1 })).state).toBe('failed')
  })
})

import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:https'
import { connect, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { type Identity, selfSignedCertificate, signedCertificate } from '../../../demo/certificate.ts'
import { checkCertificate } from '../../../main/diagnostics/checks/certificate.ts'
import { checkName, resolveName } from '../../../main/diagnostics/checks/name.ts'
import { checkProxy } from '../../../main/diagnostics/checks/proxy.ts'
import type { Finding, LineState } from '../../../main/diagnostics/line.ts'
import type { DiagnosticsPorts, FoundProxy, KerberosProblem } from '../../../main/diagnostics/ports.ts'
import { tunnelAgent } from '../../../main/network/proxy-agents.ts'
import { wellPorts } from '../../support/healthy-desktop.ts'
import { listening, tcpServer } from '../../support/local-servers.ts'
import { running } from '../../support/running.ts'

const days = (count: number) => new Date(Date.now() + count * 86_400_000)
const authorities = { organization: 'Test', isAuthority: true, notAfter: days(400) }
const root = selfSignedCertificate({ ...authorities, commonName: 'Root' })
const own = { commonName: 'service.test', organization: 'Data Platform' }
const identityOf = (host: string, from = -1, to = 100, signer = root): Identity =>
  signedCertificate(signer, { ...own, host, notBefore: days(from), notAfter: days(to) })

const { signal } = new AbortController()

/** Starts a service with this certificate. `askedInAll` resolves to all requests once every connection has closed. */
async function serve({ key, cert }: Identity) {
  const asked: unknown[] = []
  const { server, port } = await running(
    listening(
      createServer({ key, cert }, ({ url }, response) => {
        asked.push(url)
        response.end()
      }),
    ),
  )
  const askedInAll = () => new Promise((resolve) => server.close(() => resolve(asked)))
  return { port, askedInAll, url: new URL(`https://127.0.0.1:${port}`) }
}

const trusting: DiagnosticsPorts = { ...wellPorts(), trusted: async () => [root.cert] }
const certificateOf = (url: URL, ports: Partial<DiagnosticsPorts> = {}) =>
  checkCertificate(url, { ...trusting, ...ports }, signal)
const expectFinding = (found: Finding, state: LineState, sentence: RegExp) =>
  expect(found).toMatchObject({ state, sentence: expect.stringMatching(sentence) })

describe('a certificate', () => {
  test('is shown with its chain, or with the name of its authority if that isn’t trusted', async () => {
    const signer = signedCertificate(root, { ...authorities, commonName: 'Between' })
    const identity = identityOf('127.0.0.1', -1, 100, signer)
    const { url, askedInAll } = await serve({ ...identity, cert: identity.cert + signer.cert })
    const finding = await certificateOf(url)
    expectFinding(finding, 'ok', /is trusted \(until .*, 99 days left\)/)
    expect(finding.details).toEqual([
      expect.stringMatching(/^0: O=Data Platform, CN=service\.test; issued by O=Test, CN=Between; valid from \d{4}-/),
      expect.stringMatching(/^1: O=Test, CN=Between; issued by O=Test, CN=Root/),
      expect.stringMatching(/^2: O=Test, CN=Root; issued by O=Test, CN=Root/),
      'TLSv1.3',
    ])
    const distrusted = await certificateOf(url, { trusted: async () => [] })
    expectFinding(distrusted, 'failed', /CN=Between and was issued by O=Test, CN=Root/)
    expect(await askedInAll()).toEqual([])
  })

  test('is reported if it has expired or expires soon', async () => {
    const soon = await serve(identityOf('127.0.0.1', -1, 5))
    expectFinding(await certificateOf(soon.url), 'warning', /4 days left/)
    const expired = await serve(identityOf('127.0.0.1', -9, -2))
    const sentence =
      /expired \(CERT_HAS_EXPIRED\)\. The affected certificate belongs to O=Data Platform, CN=service\.test/
    expectFinding(await certificateOf(expired.url), 'failed', sentence)
  })
})

test('a name is resolved by this computer, or by the proxy if there is one', async () => {
  const named = (url: string, proxy: 'direct' | FoundProxy = 'direct') =>
    checkName(new URL(url), { ...trusting, resolve: resolveName, proxiesFor: async () => [proxy] })
  expectFinding(await named('https://localhost'), 'ok', /localhost resolves to .*(127\.0\.0\.1|::1)/)
  // No name server knows names in `invalid` (RFC 6761 section 6.4).
  expectFinding(await named('https://data.invalid'), 'failed', /data\.invalid can’t be resolved: .*(ENOTF|EAI_AGAIN)/)
  const proxy = { kind: 'http', host: 'localhost', port: 3128 } as const
  const found = await named('https://service.invalid', proxy)
  expect(found).toMatchObject({ state: 'ok', details: ['The proxy resolves service.invalid.'] })
  expect((await named('https://service.invalid', { ...proxy, host: 'proxy.invalid' })).state).toBe('failed')
})

describe('a proxy', () => {
  const through = ({ host, port }: FoundProxy) =>
    tunnelAgent({ proxy: { kind: 'http', host, port }, signal, onAnswered: () => {} })

  /** Opens tunnels to this port for any name, or sends this refusal. */
  async function startProxy(to: number, refusal?: string) {
    const asked: unknown[] = []
    const server = createHttpServer()
    server.on('connect', ({ url, headers }, socket: Socket) => {
      asked.push([url, headers['proxy-authorization']])
      if (refusal !== undefined) return socket.end(`HTTP/1.1 ${refusal}\r\nContent-Length: 0\r\n\r\n`)
      const onward = connect(to, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
      onward.on('error', () => socket.destroy())
      return onward.pipe(socket).pipe(onward)
    })
    const { port } = await running(listening(server))
    return { proxy: { kind: 'http', host: '127.0.0.1', port } satisfies FoundProxy, asked }
  }

  const SERVICE = new URL('https://service.test')
  const proxied = (proxies: readonly ('direct' | FoundProxy)[], problem?: KerberosProblem) =>
    checkProxy(SERVICE, { ...trusting, proxiesFor: async () => proxies, kerberosProblem: async () => problem }, signal)

  test('leads to the service, whose certificate is checked, even if an earlier route refuses', async () => {
    const { port } = await serve(identityOf('service.test'))
    const [{ proxy: refusing }, { proxy: open }] = [await startProxy(1, '403 No'), await startProxy(port)]
    expectFinding(await proxied([open]), 'ok', new RegExp(`through the proxy http://127.0.0.1:${open.port}`))
    expectFinding(await proxied([refusing]), 'failed', /refused to connect to service\.test:443 \(HTTP 403\)/)
    const agent = through(refusing)
    const otherwise = async () => ({ agent: through(open) })
    const found = await certificateOf(SERVICE, { routeFor: async () => ({ agent, otherwise }) })
    expectFinding(found, 'ok', /service\.test:443 is trusted/)
    expect((await certificateOf(SERVICE, { routeFor: async () => ({ agent }) })).state).toBe('failed')
  })

  test.each<[KerberosProblem | undefined, LineState, RegExp]>([
    ['unsupported', 'failed', /doesn’t support: NTLM, Negotiate/],
    ['no Kerberos ticket', 'failed', /you have no ticket for it/],
    [undefined, 'ok', /You have a ticket for it/],
  ])('that requires Kerberos passes only if the user has a ticket (problem: %s)', async (problem, state, says) => {
    const { proxy, asked } = await startProxy(1, '407 No\r\nProxy-Authenticate: Negotiate\r\nProxy-Authenticate: NTLM')
    expectFinding(await proxied([proxy], problem), state, says)
    expect(asked).toEqual([['service.test:443', undefined]])
  })

  test('that can’t be reached fails the check, or causes a warning if there is another route', async () => {
    const gone: FoundProxy = { kind: 'http', host: '127.0.0.1', port: 1, variable: 'https_proxy' }
    expectFinding(await proxied([gone]), 'failed', /127\.0\.0\.1:1 \(from https_proxy\) doesn’t answer.*ECONNREFUSED/)
    const details = ['Tried in this order: http://127.0.0.1:1, DIRECT']
    expect(await proxied([gone, 'direct'])).toMatchObject({ state: 'warning', details })
  })

  test('with SOCKS is named if it accepts connections, and otherwise fails the check', async () => {
    const { port } = await running(tcpServer((socket) => socket.destroy()))
    expectFinding(await proxied([{ kind: 'socks5', host: '127.0.0.1', port }]), 'ok', /the proxy socks5:\/\/127/)
    expect((await proxied([{ kind: 'socks5', host: '127.0.0.1', port: 1 }])).state).toBe('failed')
  })
})

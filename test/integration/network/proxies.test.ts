import { getEventListeners } from 'node:events'
import { connect } from 'node:net'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { selfSignedCertificate } from '../../../demo/certificate.ts'
import { type DemoService, startDemoService } from '../../../demo/service.ts'
import { ANA } from '../../../demo/users.ts'
import { DeadlineClock, systemTime } from '../../../main/base/clock.ts'
import { password, refreshToken, Secret } from '../../../main/base/secret.ts'
import { MemoryStore } from '../../../main/keychain/fallback-store.ts'
import type { Environment } from '../../../main/network/environment.ts'
import type { Negotiator } from '../../../main/network/negotiate.ts'
import { NegotiationError } from '../../../main/network/negotiation.ts'
import type { ProxyCredentials } from '../../../main/network/proxy.ts'
import { KeychainProxyCredentials } from '../../../main/network/proxy-credentials.ts'
import { createRouteFor, proxiesFor } from '../../../main/network/routes.ts'
import { createAuthService } from '../../../main/service/auth-service.ts'
import type { HttpOptions } from '../../../main/service/http-client.ts'
import { expectWithout, freePort, tcpServer, testClient } from '../../support/local-servers.ts'
import { ManualTime } from '../../support/manual-time.ts'
import { startHttpProxy } from '../../support/proxy/http-proxy.ts'
import { startSocksProxy } from '../../support/proxy/socks-proxy.ts'
import type { RunningProxy } from '../../support/proxy/tunnel.ts'
import { running } from '../../support/running.ts'

const identity = selfSignedCertificate({ host: 'service.test' })

let service: DemoService
let names: { [name: string]: number }
beforeEach(async () => {
  service = await running(startDemoService({ tls: identity }))
  names = { 'service.test': service.port }
})

const PROXY_LOGIN = { username: 'ana.proxy', password: 'pröxy:password' }

interface ClientOptions extends Partial<Pick<HttpOptions, 'connectTimeout' | 'clock'>> {
  /** The system's proxies for every address, in the format of a PAC script. */
  readonly pac?: string
  readonly env?: Environment
  readonly credentials?: ProxyCredentials
  readonly negotiator?: Negotiator
}

function clientOf(desk: ClientOptions) {
  const { pac = 'DIRECT', env = {}, credentials = { get: async () => undefined }, negotiator, ...options } = desk
  const { clock = new DeadlineClock(systemTime) } = options
  const asked: string[] = []
  const resolveProxy = async (url: string) => {
    asked.push(url)
    return pac
  }
  const routeFor = createRouteFor({ resolveProxy, env, credentials, clock, negotiator, userAgent: 'Latchkey/1.2.3' })
  const http = testClient({ clock, routeFor, trusted: async () => [identity.cert], ...options })
  return { ...createAuthService({ baseAddress: 'https://service.test', http }), asked }
}

const CREDENTIALS = { username: ANA.username, password: password(ANA.password) }

async function login(desk: ClientOptions) {
  const outcome = await clientOf(desk).login(CREDENTIALS)
  if (!outcome.ok) expectWithout(outcome, [ANA.password, PROXY_LOGIN.password])
  return outcome
}

/** SECURITY: a proxy may see only the service's host and port. */
function expectBlind({ heard }: Pick<RunningProxy, 'heard'>): void {
  const basic = Buffer.from(`${ANA.username}:${ANA.password}`).toString('base64')
  const all = heard.join('\n').toLowerCase()
  for (const secret of [ANA.password, basic, 'authorization: basic', '/auth/login']) {
    expect(all).not.toContain(secret.toLowerCase())
  }
}

const failure = (code: string, details: object) => ({ ok: false, failure: { code, details } })

describe('the route to the service', () => {
  it('leads through the system’s proxy, and the system is asked for it with the service’s host but without a path', async () => {
    const proxy = await running(startHttpProxy({ names }))
    const client = clientOf({ pac: `PROXY 127.0.0.1:${proxy.port}` })
    expect(await client.login(CREDENTIALS)).toMatchObject({ ok: true })
    expect(client.asked).toEqual(['https://service.test/'])
    expect(proxy.asked).toEqual(['service.test:443'])
    // Some proxies refuse a tunnel to a client that doesn't name itself.
    expect(proxy.heard[0]).toContain('User-Agent\r\nLatchkey/1.2.3')
    expectBlind(proxy)
  })

  it('leads through a SOCKS 4 proxy, which resolves the name', async () => {
    const proxy = await running(startSocksProxy({ names }))
    expect(await login({ pac: `SOCKS4 127.0.0.1:${proxy.port}` })).toMatchObject({ ok: true })
    expect(proxy.asked).toEqual(['service.test:443'])
    expectBlind(proxy)
  })

  it('is direct for addresses of this machine, whatever the settings say', async () => {
    const settings = { resolveProxy: async () => 'PROXY a:1', env: { HTTPS_PROXY: 'a:1' } }
    expect(await proxiesFor(new URL('https://127.0.0.1:4711/'), settings)).toEqual([{ proxy: 'direct' }])
  })
})

describe('a proxy that asks for credentials', () => {
  it('gets the environment’s credentials only if the environment names the same proxy', async () => {
    const [ours, other] = [
      await running(startHttpProxy({ names, login: PROXY_LOGIN })),
      await running(startHttpProxy({ names, login: PROXY_LOGIN })),
    ]
    const userinfo = `${PROXY_LOGIN.username}:${encodeURIComponent(PROXY_LOGIN.password)}`
    const env = { https_proxy: `http://${userinfo}@127.0.0.1:${ours.port}` }
    expect(await login({ env, pac: `PROXY 127.0.0.1:${ours.port}` })).toMatchObject({ ok: true })
    expect(await login({ env, pac: `PROXY 127.0.0.1:${other.port}` })).toMatchObject({ ok: false })
    expect(other.logins).toEqual([''])
  })

  it('SECURITY: nothing is sent in clear text to a proxy whose address in the environment begins with https:', async () => {
    const listener = await running(startHttpProxy({ names, login: PROXY_LOGIN }))
    const env = { HTTPS_PROXY: `https://ana:hush@127.0.0.1:${listener.port}` }
    expect(await login({ env, pac: `PROXY 127.0.0.1:${listener.port}` })).toMatchObject(failure('unreachable', {}))
    expect([listener.logins, listener.heard]).toEqual([[], []])
  })

  it.each(['PROXY', 'SOCKS5'])(
    'doesn’t get refused credentials again unless the user enters them again (%s)',
    async (kind) => {
      const [start, prefix, scheme] =
        kind === 'PROXY'
          ? ([startHttpProxy, 'http', 'http'] as const)
          : ([startSocksProxy, 'socks5', 'socks5h'] as const)
      const proxy = await running(start({ names, login: PROXY_LOGIN }))
      const name = `127.0.0.1:${proxy.port}`
      const credentials = new KeychainProxyCredentials(new MemoryStore())
      const client = clientOf({ env: { https_proxy: `${scheme}://ana:older@${name}` }, credentials })
      const details = { proxy: `${prefix}://${name}`, cause: 'proxy credentials refused' }
      for (const expected of [
        ['ana:older', 'ana:old'],
        ['ana:older', 'ana:old', 'ana:old'],
      ]) {
        const password = new Secret('proxy password', 'old')
        await credentials.set(`${prefix}://${name}`, { username: 'ana', password })
        for (let time = 0; time < 3; time++) {
          expect(await client.login(CREDENTIALS)).toMatchObject(failure('proxyAuthenticationRequired', details))
        }
        expect(proxy.logins.filter((login) => login !== '')).toEqual(expected)
      }
    },
  )
})

/** A proxy that decides about a connection after its second token, as NTLM does. It answers with its own page. */
async function startTwoStepProxy() {
  const heard: string[] = []
  const { port, stop } = await tcpServer((client) => {
    let tokens = 0
    client.on('data', function hear(bytes) {
      const [, token] = /Proxy-Authorization: NTLM (\S+)/.exec(String(bytes)) ?? []
      if (token !== undefined) tokens += 1
      heard.push(token ?? '')
      if (tokens < 2) {
        const challenge = token === undefined ? 'NTLM' : `NTLM ${Buffer.from('challenge').toString('base64')}`
        client.write(`HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: ${challenge}\r\n`)
        client.write('Content-Length: 20\r\n\r\n0123456789')
        setTimeout(() => client.write('0123456789'), 20)
        return
      }
      const far = connect(service.port, '127.0.0.1', () => client.write('HTTP/1.1 200 Connection established\r\n\r\n'))
      client.off('data', hear)
      far.on('error', () => {})
      far.pipe(client).pipe(far)
    })
  })
  return { heard, port, stop }
}

describe('a negotiation with a proxy', () => {
  const ended: string[] = []
  const negotiator: Negotiator = {
    schemes: ['Negotiate', 'NTLM'],
    begin: async (scheme, host) => ({
      next: async (challenge) => Buffer.from(challenge ? `answer to ${Buffer.from(challenge)}` : `${scheme} ${host}`),
      end: () => ended.push(host),
    }),
  }
  const base64 = (text: string) => Buffer.from(text).toString('base64')

  it('sends the second token on the connection of the first', async () => {
    const proxy = await running(startTwoStepProxy())
    expect(await login({ pac: `PROXY localhost:${proxy.port}`, negotiator })).toMatchObject({ ok: true })
    expect(proxy.heard).toEqual(['', base64('NTLM localhost'), base64('answer to challenge')])
    expect(ended).toEqual(['localhost'])
  })

  it.each([
    [['Negotiate', 'Basic realm="proxy"'], {}],
    [['Negotiate'], { cause: 'no Kerberos ticket' }],
    [['Digest realm="proxy"'], { cause: 'unsupported proxy authentication Digest' }],
  ])('that fails makes Latchkey ask for a password only if the proxy accepts one: %j', async (challenges, details) => {
    const proxy = await running(startHttpProxy({ names: {}, login: PROXY_LOGIN, challenges }))
    const begin = () => Promise.reject(new NegotiationError('no Kerberos ticket'))
    const outcome = await login({ pac: `PROXY 127.0.0.1:${proxy.port}`, negotiator: { ...negotiator, begin } })
    expect(outcome).toMatchObject({ failure: { code: 'proxyAuthenticationRequired', details } })
    expect('cause' in details || (!outcome.ok && outcome.failure.details?.cause === undefined)).toBe(true)
  })
})

it.each(['PROXY', 'SOCKS5'])(
  'a request that is over leaves no listener behind, whether the proxy (%s) asks for credentials, refuses, hangs or is dead',
  async (kind) => {
    const combine = vi.spyOn(AbortSignal, 'any')
    const startProxy = kind === 'PROXY' ? startHttpProxy : startSocksProxy
    const asks = await running(startProxy({ names, login: PROXY_LOGIN }))
    const refuses = await running(startProxy({ names: {} }))
    const hangs = await running(tcpServer((socket) => socket.resume()))
    const held = { ...PROXY_LOGIN, password: new Secret('proxy password', PROXY_LOGIN.password) }
    for (const { port } of [asks, refuses, hangs, { port: await freePort() }]) {
      await login({ pac: `${kind} 127.0.0.1:${port}`, credentials: { get: async () => held }, connectTimeout: 1_000 })
    }
    const signals = combine.mock.results.map(({ value }) => value)
    combine.mockRestore()
    expect(signals.length).toBeGreaterThanOrEqual(4)
    expect(signals.flatMap((signal) => getEventListeners(signal, 'abort'))).toEqual([])
  },
)

describe('if a proxy can’t be reached', () => {
  it('the next route is tried, in the system’s order', async () => {
    const [second, third] = [await running(startHttpProxy({ names })), await running(startHttpProxy({ names }))]
    const closed = await freePort()
    const pac = `PROXY 127.0.0.1:${closed}; SOCKS5 127.0.0.1:${closed}; PROXY 127.0.0.1:${second.port}; PROXY 127.0.0.1:${third.port}`
    expect(await login({ pac })).toMatchObject({ ok: true })
    expect([second.asked.length, third.asked.length, service.requests.length]).toEqual([1, 0, 1])
    const direct = await login({ pac: `PROXY 127.0.0.1:${closed}; DIRECT` })
    expect(direct).toMatchObject(failure('unreachable', { host: 'service.test:443' }))
    // Only a proxy can resolve the name. That the failure names no proxy shows that the direct route was tried.
    expect(!direct.ok && direct.failure.details).not.toHaveProperty('proxy')
  })

  it.each(['PROXY', 'SOCKS5'])('a proxy that hangs after the request is skipped (%s)', async (kind) => {
    let asked = 0
    const broken = await running(tcpServer((socket) => socket.on('data', () => asked++)))
    const good = await running(startHttpProxy({ names }))
    const time = new ManualTime()
    const pac = `${kind} 127.0.0.1:${broken.port}; PROXY 127.0.0.1:${good.port}`
    const outcome = login({ pac, clock: new DeadlineClock(time) })
    await expect.poll(() => asked).toBe(1)
    // Each of the two proxies has half of the ten seconds.
    time.pass(5_000)
    expect(await outcome).toMatchObject({ ok: true })
    expect(good.asked).toHaveLength(1)
  })
})

describe('once a proxy has answered, no other route is tried', () => {
  it('the failure is reported if the proxy can’t resolve the name', async () => {
    const good = await running(startHttpProxy({ names }))
    const ignorant = await running(startSocksProxy({ names: {} }))
    for (const kind of ['SOCKS5', 'SOCKS4']) {
      const pac = `${kind} 127.0.0.1:${ignorant.port}; PROXY 127.0.0.1:${good.port}`
      expect(await login({ pac })).toMatchObject(
        failure('unreachable', { cause: expect.stringMatching(/^proxy answered \w+/) }),
      )
    }
    expect(good.asked).toEqual([])
  })

  it('the failure is reported if the proxy sends nothing more once the tunnel is open', async () => {
    const heard: string[] = []
    const broken = await running(
      tcpServer((socket) => {
        socket.on('data', (data) => heard.push(data.toString('latin1')))
        socket.once('data', () => socket.write('HTTP/1.1 200 Connection established\r\n\r\n'))
      }),
    )
    const good = await running(startHttpProxy({ names }))
    const pac = `PROXY 127.0.0.1:${broken.port}; PROXY 127.0.0.1:${good.port}`
    const time = new ManualTime()
    const outcome = login({ pac, clock: new DeadlineClock(time) })
    await expect.poll(() => heard).toHaveLength(2)
    time.pass(10_000)
    expect(await outcome).toMatchObject(failure('unreachable', { proxy: `http://127.0.0.1:${broken.port}` }))
    expect(good.asked).toEqual([])
    expectBlind({ heard })
  })

  it('a token that was sent is never sent again over another route', async () => {
    service.inject('refresh', { kind: 'reset', work: 'done' })
    const proxies = [await running(startHttpProxy({ names })), await running(startHttpProxy({ names }))]
    const client = clientOf({ pac: proxies.map(({ port }) => `PROXY 127.0.0.1:${port}`).join(';') })
    const signedIn = await client.login(CREDENTIALS)
    if (!signedIn.ok) throw new Error('not signed in')
    const token = signedIn.value.refreshToken ?? refreshToken('')
    expect(await client.refresh(token)).toMatchObject(failure('unreachable', { cause: 'ECONNRESET' }))
    expect(service.requests.filter(({ operation }) => operation === 'refresh')).toHaveLength(1)
    expect(proxies.map(({ asked }) => asked.length)).toEqual([2, 0])
  })
})

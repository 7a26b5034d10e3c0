import path from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { selfSignedCertificate } from '../../demo/certificate.ts'
import { startDemoService } from '../../demo/service.ts'
import { ANA } from '../../demo/users.ts'
import { DeadlineClock, systemTime } from '../../main/base/clock.ts'
import { password, refreshToken } from '../../main/base/secret.ts'
import { createRouteFor } from '../../main/network/routes.ts'
import { createAuthService } from '../../main/service/auth-service.ts'
import { Driver, LANGUAGES, ROOT } from '../clients/languages.ts'
import { OtherServer } from '../clients/other-server.ts'
import { PATH, requireProgram, run } from '../integration/cli/programs.ts'
import { ToolDesktop } from '../integration/cli/tool-desktop.ts'
import { tcpServer, testClient } from '../support/local-servers.ts'
import { startHttpProxy } from '../support/proxy/http-proxy.ts'
import { startSocksProxy } from '../support/proxy/socks-proxy.ts'

/** The service at this address, to which the system's proxy settings name this way. */
function serviceBehind(proxies: string, baseAddress = 'https://service.test', authority?: string) {
  const routeFor = createRouteFor({
    resolveProxy: async () => proxies,
    env: {},
    credentials: { get: async () => undefined },
    clock: new DeadlineClock(systemTime),
  })
  const http = testClient({ routeFor, ...(authority && { trusted: async () => [authority] }) })
  return createAuthService({ baseAddress, http })
}

describe('A proxy of the app', () => {
  test.each([
    ['PROXY', startHttpProxy],
    ['SOCKS5', startSocksProxy],
  ] as const)(
    'SECURITY: a service named by an IP address needs a certificate for that address, even behind a proxy: %s',
    async (kind, start) => {
      const names: { [host: string]: number } = {}
      const proxy = await start({ names })
      onTestFinished(() => proxy.stop())
      // Only the first certificate is for the service. The other certificates have the proxy's address or name.
      for (const host of ['192.0.2.1', '127.0.0.1', 'localhost']) {
        const tls = selfSignedCertificate({ host })
        const there = await startDemoService({ tls })
        onTestFinished(() => there.stop())
        names['192.0.2.1'] = there.port
        for (const name of ['127.0.0.1', 'localhost']) {
          const auth = serviceBehind(`${kind} ${name}:${proxy.port}`, 'https://192.0.2.1', tls.cert)
          const outcome = await auth.login({ username: ANA.username, password: password(ANA.password) })
          const expected = host === '192.0.2.1' ? { ok: true } : { failure: { code: 'untrustedCertificate' } }
          expect({ host, name, ...outcome }).toMatchObject(expected)
        }
        expect(there.requests).toHaveLength(host === '192.0.2.1' ? 2 : 0)
      }
    },
  )

  test.each(['HTTP/1.1 200 OK\r\nA: ', ''])(
    'SECURITY: a request ends at once if a proxy’s response is endless: %j',
    async (begin) => {
      const { port, stop } = await tcpServer((socket) => {
        const send = () => {
          while (socket.write('a'.repeat(65_536)));
        }
        socket.once('data', send).on('drain', send)
        socket.write(begin)
      })
      onTestFinished(stop)
      await expect(serviceBehind(`PROXY 127.0.0.1:${port}`).refresh(refreshToken('any'))).resolves.toMatchObject({
        failure: { code: 'unreachable', details: { cause: expect.stringMatching(/^HPE_/) } },
      })
    },
  )

  test('SECURITY: at most 16 of the proxies that a PAC script names are tried', async () => {
    let tried = 0
    const { port, stop } = await tcpServer((socket) => {
      tried += 1
      socket.destroy()
    })
    onTestFinished(stop)
    const service = serviceBehind(`PROXY 127.0.0.1:${port};`.repeat(1_000))
    await expect(service.refresh(refreshToken('any'))).resolves.toMatchObject({ failure: { code: 'unreachable' } })
    expect(tried).toBe(16)
  })
})

describe('A proxy of a program', () => {
  let desktop: ToolDesktop
  let proxy: OtherServer
  beforeEach(async () => {
    desktop = await ToolDesktop.start()
    proxy = new OtherServer()
    await proxy.start()
  })
  afterEach(async () => {
    expect(proxy.shown).toEqual([])
    await proxy.stop()
    await desktop.stop()
  })

  test.each(LANGUAGES)(
    'SECURITY: without TLS, no request to this machine goes through the environment’s proxy: $name',
    async ({ ways, prepare }) => {
      const { words, env } = prepare()
      for (const variable of ['http_proxy', 'all_proxy']) {
        const given = { ...env, PATH, HOME: '/nowhere', NODE_USE_ENV_PROXY: '1', [variable]: proxy.url }
        const driver = new Driver(words, given)
        for (const via of ways) {
          const told = await driver.tell({ socket: desktop.socket, do: 'fetch', via, url: desktop.dataUrl })
          if (told.code === undefined) expect(told).toEqual({ value: 200 })
          else expect(told).toMatchObject({ code: 'unencrypted', message: expect.stringContaining('NO_PROXY') })
        }
        driver.end()
      }
    },
  )

  test('SECURITY: without TLS, no request to this machine goes through a proxy that the program names', async () => {
    const code = `
import os, httpx, requests
from latchkey_desktop import HttpxAuth, LatchkeyError, RequestsAuth
url, proxy = os.environ["DATA_URL"], os.environ["OTHER"]
session = requests.Session()
session.auth = RequestsAuth()
prepared = session.prepare_request(requests.Request("GET", url))
for call in [
    lambda: session.get(url, proxies={"all": proxy}),
    lambda: session.send(prepared, proxies={"http": proxy}),
    lambda: httpx.Client(auth=HttpxAuth(), mounts={"all://": httpx.HTTPTransport(proxy=httpx.Proxy(proxy))}).get(url),
    lambda: (session.proxies.update(http=proxy), session.get(url)),
]:
    try: print(call())
    except LatchkeyError as error: print(error.code)`
    const env = {
      PATH,
      HOME: desktop.folder,
      LATCHKEY_SOCKET: desktop.socket,
      DATA_URL: desktop.dataUrl,
      OTHER: proxy.url,
      PYTHONPATH: path.join(ROOT, 'clients/python'),
      PYTHONDONTWRITEBYTECODE: '1',
    }
    const { stdout } = await run([requireProgram('python3'), '-c', code], { env })
    expect(stdout).toBe('unencrypted\n'.repeat(4))
  })
})

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { selfSignedCertificate } from '../../demo/certificate.ts'
import { startDemoService } from '../../demo/service.ts'
import { ANA } from '../../demo/users.ts'
import { DeadlineClock, systemTime } from '../../main/base/clock.ts'
import { probeTls } from '../../main/diagnostics/checks/certificate.ts'
import { createHttpClient } from '../../main/service/http-client.ts'
import { ask, RawClient } from '../agent/client.ts'
import { startAgent } from '../agent/rig.ts'
import { startKeyring } from '../keyring/keyring.ts'
import { ROOT } from '../support/app.ts'
import { startSocksProxy } from '../support/proxy/socks-proxy.ts'
import { openTestDesktop } from '../support/test-desktop.ts'

describe('A hostile tool, environment or command line of the same user', () => {
  test.runIf(process.platform === 'linux')(
    'SECURITY: the variable DEBUG doesn’t make the app print its requests to a proxy, which have a password',
    async () => {
      const tls = selfSignedCertificate({ host: 'service.test' })
      const desk = await openTestDesktop({ service: { tls } })
      const login = { username: 'ana.proxy', password: 'noisy-harbour-lamp' }
      const proxy = await startSocksProxy({ names: { 'service.test': desk.service.port }, login })
      onTestFinished(() => proxy.stop())
      const certificates = path.join(desk.home, 'certificates.pem')
      writeFileSync(certificates, tls.cert)
      const env = {
        SSL_CERT_FILE: certificates,
        HTTPS_PROXY: `socks5h://${login.username}:${login.password}@127.0.0.1:${proxy.port}`,
        XDG_CURRENT_DESKTOP: '',
        DEBUG: '*',
        DEBUG_SHOW_HIDDEN: '1',
      }
      const app = await desk.start({ baseUrl: 'https://service.test', env })
      await (await app.open()).signIn(ANA)
      expect(proxy.logins).toContain(`${login.username}:${login.password}`)
      expect(app.printed()).not.toContain(login.password)
      expect(app.printed()).not.toContain('socks-proxy-agent')
    },
  )

  test('SECURITY: no request uses Node’s global agents, whose requests NODE_USE_ENV_PROXY sends to a proxy', async () => {
    const before = [http.globalAgent, https.globalAgent] as const
    onTestFinished(() => {
      ;[http.globalAgent, https.globalAgent] = before
    })
    const used: string[] = []
    const spy = {
      addRequest(request: http.ClientRequest) {
        used.push(request.path)
        request.destroy()
      },
    }
    http.globalAgent = Object.assign(new http.Agent(), spy)
    https.globalAgent = Object.assign(new https.Agent(), spy)
    const tls = selfSignedCertificate({ host: '127.0.0.1' })
    const clock = new DeadlineClock(systemTime)
    for (const options of [{}, { tls }]) {
      const service = await startDemoService(options)
      onTestFinished(() => service.stop())
      const trusted = async () => [tls.cert]
      const client = createHttpClient({ userAgent: 'Latchkey', clock, trusted })
      const url = new URL('/auth/login', service.address)
      expect(await client.send({ operation: 'login', method: 'GET', url })).toMatchObject({ ok: true })
      if (options.tls === undefined) continue
      const ports = { routeFor: async () => ({}), trusted, identityFor: async () => undefined, clock }
      const seen = await probeTls(url, ports, AbortSignal.timeout(10_000))
      expect(seen).toMatchObject({ kind: 'seen', error: undefined })
    }
    expect(used).toEqual([])
  })

  test('SECURITY: a tool that sends CONNECT and hangs up causes no unhandled error', async () => {
    const { socket } = await startAgent()
    const errors: unknown[] = []
    const note = (error: unknown) => void errors.push(error)
    process.on('uncaughtExceptionMonitor', note)
    onTestFinished(() => void process.off('uncaughtExceptionMonitor', note))
    for (let times = 0; times < 50; times++) {
      const client = await RawClient.open(socket)
      client.send('CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n')
      client.hangUp()
      await client.closed
    }
    expect((await ask(socket, '/v1/token')).status).toBe(200)
    expect(errors).toEqual([])
  })

  test.runIf(process.platform === 'linux')('the documented commands store a client secret and remove it', async () => {
    const keyring = await startKeyring()
    onTestFinished(() => keyring.stop())
    const env = { PATH: process.env['PATH'], ...keyring.env }
    const text = readFileSync(path.join(ROOT, 'docs/administrators/connections.md'), 'utf8')
    const [command = '', address = ''] = /^ *secret-tool store .*'(https:\S+) client secret'.*$/m.exec(text) ?? []
    execFileSync('sh', ['-c', command], { env, input: 'hush', stdio: ['pipe', 'ignore', 'inherit'] })
    expect(await keyring.lookup(`${address} client secret`)).toBe('hush')

    const removing = readFileSync(path.join(ROOT, 'docs/users/removing.md'), 'utf8')
    execFileSync('sh', ['-c', /^secret-tool clear .*$/m.exec(removing)?.[0] ?? ''], { env, stdio: 'inherit' })
    expect(await keyring.lookup(`${address} client secret`)).toBeUndefined()
  })
})

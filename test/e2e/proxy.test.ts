/** The app behind a company's proxy: the service's name is known to the proxy alone. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { selfSignedCertificate } from '../../demo/certificate.ts'
import { ANA } from '../../demo/users.ts'
import { tcpServer } from '../../main/service/testing.ts'
import { openDesk } from '../support/desk.ts'
import { type HttpProxyOptions, startHttpProxy } from '../support/proxy/http-proxy.ts'
import { startSocksProxy } from '../support/proxy/socks-proxy.ts'
import { sentences } from '../support/window.ts'

const texts = await sentences()
const ADDRESS = 'https://service.test'

/** A desk whose system trusts the service's certificate. */
async function companyDesk() {
  const tls = selfSignedCertificate({ host: 'service.test' })
  const desk = await openDesk({ service: { tls } })
  const certificates = path.join(desk.home, 'certificates.pem')
  writeFileSync(certificates, tls.cert)
  const names = { 'service.test': desk.service.port }
  const start = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const app = await desk.start({ baseUrl: ADDRESS, args, env: { SSL_CERT_FILE: certificates, ...env } })
    return app.open()
  }
  const proxy = async (options: Partial<HttpProxyOptions> = {}) => {
    const running = await startHttpProxy({ names, ...options })
    onTestFinished(() => running.stop())
    return running
  }
  return { desk, names, start, proxy }
}

/** A PAC script that knows the service, as an administrator writes it. */
const pac = (answer: string): string => {
  const script = `function FindProxyForURL(url, host) {
    if (dnsDomainIs(host, '.test') && url === '${ADDRESS}/') return '${answer}'
    return 'DIRECT'
  }`
  return `--proxy-pac-url=data:application/x-ns-proxy-autoconfig;base64,${Buffer.from(script).toString('base64')}`
}

async function closedPort(): Promise<number> {
  const { port, stop } = await tcpServer(() => {})
  stop()
  return port
}

it('the proxy of the system’s settings is used', async () => {
  const { desk, start, proxy } = await companyDesk()
  const { port, asked } = await proxy()
  const window = await start([`--proxy-server=127.0.0.1:${port}`])
  await window.signIn(ANA)
  expect(desk.count('login')).toBe(1)
  expect(asked).toEqual(['service.test:443'])
})

it('a PAC script is asked, and its list gone through in order', async () => {
  const { desk, names, start, proxy } = await companyDesk()
  const { port, asked } = await proxy()
  const socks = await startSocksProxy({ names })
  onTestFinished(() => socks.stop())
  const dead = await closedPort()
  const window = await start([pac(`PROXY 127.0.0.1:${dead}; SOCKS5 127.0.0.1:${socks.port}; PROXY 127.0.0.1:${port}`)])
  await window.signIn(ANA)
  expect(desk.count('login')).toBe(1)
  expect([socks.asked, asked]).toEqual([['service.test:443'], []])
})

it('the proxy of the environment is used where the system names none', async () => {
  const { start, proxy } = await companyDesk()
  const { port, asked } = await proxy()
  const window = await start([pac('DIRECT')], { HTTPS_PROXY: `http://127.0.0.1:${port}` })
  await window.signIn(ANA)
  expect(asked).toEqual(['service.test:443'])
})

it('a proxy that wants to know who is there is said to, and the service gets no request', async () => {
  const { desk, start, proxy } = await companyDesk()
  const { port } = await proxy({ login: { username: 'ana', password: 'proxy-password' } })
  const window = await start([pac(`PROXY 127.0.0.1:${port}`)])
  await window.trySignIn(ANA)
  const { title } = texts.failure({ code: 'proxyAuthenticationRequired' }, 'signIn', '')
  await expect(window.alert.textContent()).resolves.toContain(title)
  expect(desk.service.requests).toEqual([])
})

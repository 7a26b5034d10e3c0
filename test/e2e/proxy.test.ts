/** The app behind a company's proxy, which alone can resolve the service's name. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { selfSignedCertificate } from '../../demo/certificate.ts'
import { ANA } from '../../demo/users.ts'
import { call } from '../support/calls.ts'
import { filesUnder, findLeaks } from '../support/leaks.ts'
import { freePort } from '../support/local-servers.ts'
import { type HttpProxyOptions, startHttpProxy } from '../support/proxy/http-proxy.ts'
import { startSocksProxy } from '../support/proxy/socks-proxy.ts'
import { heapOf, storagesOf } from '../support/renderer.ts'
import { openTestDesktop } from '../support/test-desktop.ts'
import { type LatchkeyWindow, sentences } from '../support/window.ts'

const texts = await sentences()
const ADDRESS = 'https://service.test'

/** A test desktop behind a company's proxy. The desktop trusts the service's certificate. */
async function companyDesk() {
  const tls = selfSignedCertificate({ host: 'service.test' })
  const desk = await openTestDesktop({ service: { tls } })
  const certificates = path.join(desk.home, 'certificates.pem')
  writeFileSync(certificates, tls.cert)
  const names = { 'service.test': desk.service.port }
  const start = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const app = await desk.start({ baseUrl: ADDRESS, args, env: { SSL_CERT_FILE: certificates, ...env } })
    return Object.assign(await app.open(), { quit: () => app.quit() })
  }
  const proxy = async (options: Partial<HttpProxyOptions> = {}) => {
    const running = await startHttpProxy({ names, ...options })
    onTestFinished(() => running.stop())
    return running
  }
  return { desk, names, start, proxy }
}

/** Chromium's switch with a PAC script such as administrators write. */
const pac = (answer: string): string => {
  const script = `function FindProxyForURL(url, host) {
    if (dnsDomainIs(host, '.test') && url === '${ADDRESS}/') return '${answer}'
    return 'DIRECT'
  }`
  return `--proxy-pac-url=data:application/x-ns-proxy-autoconfig;base64,${Buffer.from(script).toString('base64')}`
}

it('the app tries the proxies of a PAC script in order', async () => {
  const { desk, names, start, proxy } = await companyDesk()
  const { port, asked } = await proxy()
  const socks = await startSocksProxy({ names })
  onTestFinished(() => socks.stop())
  const dead = await freePort()
  const window = await start([pac(`PROXY 127.0.0.1:${dead}; SOCKS5 127.0.0.1:${socks.port}; PROXY 127.0.0.1:${port}`)])
  await window.signIn(ANA)
  expect(desk.count('login')).toBe(1)
  expect([socks.asked, asked]).toEqual([['service.test:443'], []])
})

it('the app uses the environment’s SOCKS proxy, although Chromium takes it for an HTTP proxy', async () => {
  const { desk, names, start } = await companyDesk()
  const socks = await startSocksProxy({ names })
  onTestFinished(() => socks.stop())
  // Without a desktop, as over ssh, Chromium uses the environment's proxy, but ignores its scheme.
  const window = await start([], { HTTPS_PROXY: `socks5h://127.0.0.1:${socks.port}`, XDG_CURRENT_DESKTOP: '' })
  await window.signIn(ANA)
  expect(desk.count('login')).toBe(1)
  expect(socks.asked).toEqual(['service.test:443'])
})

const PROXY_LOGIN = { username: 'ana.proxy', password: 'noisy harbour lamp' }

/** A test desktop whose proxy asks for credentials. `form` is the window's form for them, and `answer` fills it in. */
async function askingDesk(challenges?: readonly string[]) {
  const company = await companyDesk()
  const login = { ...PROXY_LOGIN }
  const proxy = await company.proxy({ login, ...(challenges && { challenges }) })
  const name = `http://127.0.0.1:${proxy.port}`
  const start = () => company.start([pac(`PROXY 127.0.0.1:${proxy.port}`)])
  const form = (window: LatchkeyWindow) => window.page.getByRole('group', { name: texts.proxy.heading(name) })
  const answer = async (window: LatchkeyWindow, password: string) => {
    await window.page.getByLabel(texts.proxy.user).fill(PROXY_LOGIN.username)
    await window.page.getByLabel(texts.proxy.password).focus()
    await window.page.keyboard.type(password)
    await window.button(texts.proxy.signIn).click()
  }
  return { ...company, ...proxy, login, name, start, form, answer }
}

it('the sign-in continues by itself once the user has entered the proxy’s credentials', async () => {
  const { desk, start, form, answer, name, logins } = await askingDesk()
  const window = await start()
  await window.trySignIn(ANA)
  await form(window).waitFor()
  await expect(window.alert.textContent()).resolves.toContain(
    texts.failure({ code: 'proxyAuthenticationRequired' }, 'signIn', '').title.slice(0, -1),
  )
  expect(desk.service.requests).toEqual([])

  await answer(window, 'something else')
  await window.page.getByText(texts.proxy.refused).waitFor()
  expect(desk.service.requests).toEqual([])
  await answer(window, PROXY_LOGIN.password)
  await window.signedIn.waitFor()
  expect(desk.count('login')).toBe(1)
  expect(logins.at(-1)).toBe(`${PROXY_LOGIN.username}:${PROXY_LOGIN.password}`)
  await expect(desk.keyring.lookup(`proxy ${name}`)).resolves.toContain(PROXY_LOGIN.password)

  // Once the proxy's form has closed, the password is neither in the window nor in a file.
  const secret = [{ name: 'proxy password', value: PROXY_LOGIN.password }]
  const files = [...filesUnder(desk.dataFolder), ...filesUnder(desk.home)]
  expect(findLeaks(secret, [await heapOf(window.page), await storagesOf(window.page), ...files])).toEqual([])
})

it('SECURITY: the window can’t store a password for a proxy that doesn’t ask for one', async () => {
  const { desk, start, form, name } = await askingDesk()
  const window = await start()
  const stranger = { ok: false, failure: { code: 'invalidInput', details: { cause: 'stranger' } } }
  await expect(call(window.page, 'saveProxyCredentials', { proxy: name, ...PROXY_LOGIN })).resolves.toEqual(stranger)
  await window.trySignIn(ANA)
  await form(window).waitFor()
  const other = { proxy: 'http://proxy.evil.test:3128', ...PROXY_LOGIN }
  await expect(call(window.page, 'saveProxyCredentials', other)).resolves.toEqual(stranger)
  await expect(desk.keyring.lookup(`proxy ${other.proxy}`)).resolves.toBeUndefined()
})

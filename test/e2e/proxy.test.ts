import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { selfSignedCertificate } from '../../demo/certificate.ts'
import { ANA } from '../../demo/users.ts'
import { filesUnder, findLeaks } from '../support/leaks.ts'
import { freePort } from '../support/local-servers.ts'
import { startHttpProxy } from '../support/proxy/http-proxy.ts'
import { heapOf, storagesOf } from '../support/renderer.ts'
import { openTestDesktop } from '../support/test-desktop.ts'
import { sentences } from '../support/window.ts'

const texts = await sentences()
const ADDRESS = 'https://service.test'

const pac = (answer: string): string => {
  const script = `function FindProxyForURL(url, host) {
    if (dnsDomainIs(host, '.test') && url === '${ADDRESS}/') return '${answer}'
    return 'DIRECT'
  }`
  return `--proxy-pac-url=data:application/x-ns-proxy-autoconfig;base64,${Buffer.from(script).toString('base64')}`
}

it('the sign-in continues by itself once the user has entered the credentials of a proxy in the PAC script', async () => {
  const tls = selfSignedCertificate({ host: 'service.test' })
  const desk = await openTestDesktop({ service: { tls } })
  const certificates = path.join(desk.home, 'certificates.pem')
  writeFileSync(certificates, tls.cert)
  const login = { username: 'ana.proxy', password: 'noisy harbour lamp' }
  const { port, logins, stop } = await startHttpProxy({ names: { 'service.test': desk.service.port }, login })
  onTestFinished(stop)
  const name = `http://127.0.0.1:${port}`
  const args = [pac(`PROXY 127.0.0.1:${await freePort()}; PROXY 127.0.0.1:${port}`)]
  const app = await desk.start({ baseUrl: ADDRESS, args, env: { SSL_CERT_FILE: certificates } })
  const window = await app.open()
  const answer = async (password: string) => {
    await window.page.getByLabel(texts.proxy.user).fill(login.username)
    await window.page.getByLabel(texts.proxy.password).focus()
    await window.page.keyboard.type(password)
    await window.button(texts.proxy.signIn).click()
  }
  await window.trySignIn(ANA)
  await window.page.getByRole('group', { name: texts.proxy.heading(name) }).waitFor()
  await answer('something else')
  await window.page.getByText(texts.proxy.refused).waitFor()
  expect(desk.service.requests).toEqual([])
  await answer(login.password)
  await window.signedIn.waitFor()
  expect(desk.count('login')).toBe(1)
  expect(logins.at(-1)).toBe(`${login.username}:${login.password}`)
  await expect(desk.keyring.lookup(`proxy ${name}`)).resolves.toContain(login.password)

  const secret = [{ name: 'proxy password', value: login.password }]
  const files = [...filesUnder(desk.dataFolder), ...filesUnder(desk.home)]
  expect(findLeaks(secret, [await heapOf(window.page), await storagesOf(window.page), ...files])).toEqual([])
})

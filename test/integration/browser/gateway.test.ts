/** A hostile page in a real browser. It knows everything about the gateway, even its password. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type GatewayRig, startGateway } from '../../gateway/rig.ts'
import { type Chromium, startChromium } from '../../support/chromium.ts'
import { httpServer } from '../../support/local-servers.ts'

let chromium: Chromium
let rig: GatewayRig
let hostile: Awaited<ReturnType<typeof httpServer>>

beforeAll(async () => {
  // This rule acts as the attacker's name server, which leads the attacker's names to this computer.
  chromium = await startChromium('--host-resolver-rules=MAP *.example 127.0.0.1')
  rig = await startGateway({ config: { methods: 'all' } })
  hostile = await httpServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>hostile</title>')
  })
})
afterAll(async () => {
  await chromium?.stop()
  hostile?.stop()
  await rig?.end()
})

/** The page's attempts, and the code of each. `withPassword` is the address with the gateway's password in it. */
const ATTEMPTS: readonly [string, string][] = [
  ['an image', 'new Image().src = address'],
  ['a script', "document.head.append(Object.assign(document.createElement('script'), { src: address }))"],
  ['a frame', "document.body.append(Object.assign(document.createElement('iframe'), { src: address }))"],
  [
    'a style sheet',
    "document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: address }))",
  ],
  ['a request without CORS', "fetch(address, { mode: 'no-cors', credentials: 'include' }).catch(() => {})"],
  ['a request with the password', 'fetch(address, { headers: { authorization } }).catch(() => {})'],
  ['a beacon', 'navigator.sendBeacon(address, "x")'],
  ['an event source', 'new EventSource(address)'],
  ['a WebSocket', "new WebSocket(address.replace('http', 'ws'))"],
  [
    'a form',
    "const frame = document.body.appendChild(Object.assign(document.createElement('iframe'), { name: 'f' })); const form = document.body.appendChild(Object.assign(document.createElement('form'), { action: address, method: 'post', target: 'f' })); form.submit()",
  ],
  ['a navigation', 'window.open(address)'],
  ['a navigation with the password', 'window.open(withPassword)'],
]

it.each(['http://127.0.0.1', 'http://localhost', 'http://rebound.example'])(
  'SECURITY: a hostile page gets nothing from %s, whatever it tries',
  async (target) => {
    const page = await chromium.context.newPage()
    await page.goto(`http://evil.example:${hostile.port}/`)
    const address = `${target}:${rig.port}/tables`
    const withPassword = address.replace('//', `//latchkey:${rig.password.reveal()}@`)
    for (const [name, attempt] of ATTEMPTS) {
      const before = rig.arrived.count
      await page.evaluate(
        ([code = '', ...values]) => void new Function('address', 'withPassword', 'authorization', code)(...values),
        [attempt, address, withPassword, rig.authorization],
      )
      await expect.poll(() => rig.arrived.count, { interval: 20, message: name }).toBeGreaterThan(before)
    }
    await page.waitForTimeout(300)
    expect(rig.seen).toEqual([])
    for (const each of chromium.context.pages().slice(1)) await each.close()
  },
)

it('SECURITY: a page that has rebound its own name to this computer gets nothing, although a tool’s request succeeds', async () => {
  const page = await chromium.context.newPage()
  expect((await page.goto(`http://rebound.example:${rig.port}/tables`))?.status()).toBe(403)
  const statuses = await page.evaluate(
    async (authorization) =>
      Promise.all(
        ['GET', 'POST', 'PUT'].map(
          async (method) => (await fetch('/tables', { method, headers: { authorization } })).status,
        ),
      ),
    rig.authorization,
  )
  expect([statuses, rig.seen]).toEqual([[403, 403, 403], []])
  expect(await rig.ask('/tables')).toMatchObject({ status: 200 })
  expect(rig.seen).toHaveLength(1)
})

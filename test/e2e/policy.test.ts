import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { tcpServer } from '../support/local-servers.ts'
import { running } from '../support/running.ts'
import { sharePage } from '../support/share.ts'

const openPage = sharePage()

type Attempt = (address: string) => unknown
/** A script that the policy fails to stop sets `hasRun`. */
type Scope = typeof globalThis & { hasRun?: boolean }

const CODE: Readonly<Record<string, Attempt>> = {
  // biome-ignore lint/security/noGlobalEval: the test checks that this is refused
  eval: () => setTimeout(() => globalThis.eval('globalThis.hasRun = true')),
  'an inline script': () => {
    const script = document.createElement('script')
    script.textContent = 'globalThis.hasRun = true'
    document.head.append(script)
  },
  'an inline event handler': () => {
    const button = document.createElement('button')
    button.setAttribute('onclick', 'globalThis.hasRun = true')
    document.body.append(button)
    button.click()
  },
  'HTML made of a string': () => {
    document.body.innerHTML = '<b>stolen</b>'
  },
  'a Trusted Types policy, which could allow such HTML': () => {
    const { trustedTypes } = globalThis as unknown as { trustedTypes: { createPolicy(name: string): unknown } }
    trustedTypes.createPolicy('stolen')
  },
  'a script from elsewhere': (address) => {
    const script = document.createElement('script')
    script.src = address
    document.head.append(script)
  },
  'a worker made of a string': () => new Worker(URL.createObjectURL(new Blob(['0']))),
  'a service worker': () => navigator.serviceWorker.register('/assets/worker.js'),
}

const TRAFFIC: Readonly<Record<string, Attempt>> = {
  fetch: (address) => fetch(address, { method: 'POST', body: 'stolen' }),
  'a WebSocket': (address) => new WebSocket(address.replace('http:', 'ws:')),
  'a beacon': (address) => navigator.sendBeacon(address, 'stolen'),
  'an image': (address) => {
    new Image().src = address
  },
  'a style sheet': (address) => {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: address }))
  },
  'a frame': (address) => {
    document.body.append(Object.assign(document.createElement('iframe'), { src: address }))
  },
  'a form': (address) => {
    const form = Object.assign(document.createElement('form'), { action: address, method: 'post' })
    document.body.append(form)
    form.submit()
  },
  'another base for all addresses': (address) => {
    document.head.append(Object.assign(document.createElement('base'), { href: address }))
  },
}

async function isRefused(page: Page, attempt: Attempt, address: string): Promise<boolean> {
  // Loads the page anew, so that no earlier refusal is taken for the refusal of this attempt.
  await page.reload()
  const refused = page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        document.addEventListener('securitypolicyviolation', () => resolve(true), { once: true })
        setTimeout(() => resolve(false), 60_000)
      }),
  )
  await page.evaluate(attempt, address).catch(() => {})
  return refused
}

it('SECURITY: the content security policy is in a header, and the page repeats it', async () => {
  const { page } = await openPage()
  const header = (await page.reload())?.headers()['content-security-policy'] ?? ''
  const inPage = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content')
  expect(header).toContain("default-src 'none'")
  // A `<meta>` can't contain the directives `frame-ancestors` and `sandbox`.
  const isInPage = (each: string) => !/^(?:frame-ancestors|sandbox) /.test(each)
  expect(inPage?.split('; ').sort()).toEqual(header.split('; ').filter(isInPage).sort())
})

it.each([
  ['runs nothing but our own files', CODE],
  ['sends nothing out and loads nothing', TRAFFIC],
])('SECURITY: the page %s', async (_, attempts) => {
  const { desk, page } = await openPage()
  for (const [name, attempt] of Object.entries(attempts)) {
    const refused = await isRefused(page, attempt, `${desk.service.address}/stolen`)
    const ran = await page.evaluate(() => (globalThis as Scope).hasRun === true)
    expect({ name, refused, ran }).toEqual({ name, refused: true, ran: false })
  }
  expect(desk.service.requests).toEqual([])
})

it('SECURITY: WebRTC reaches no server, although no policy covers it', async () => {
  const { page } = await openPage()
  let reached = 0
  const note = () => {
    reached += 1
  }
  const { port } = await running(tcpServer(note))
  const udp = createSocket('udp4', note).bind(port, '127.0.0.1')
  await once(udp, 'listening')
  onTestFinished(() => void udp.close())

  await page.evaluate(async (host) => {
    const way = { username: 'ana', credential: 'stolen' }
    const connection = new RTCPeerConnection({
      iceServers: [{ urls: `stun:${host}` }, { urls: [`turn:${host}`, `turn:${host}?transport=tcp`], ...way }],
    })
    connection.createDataChannel('stolen')
    await connection.setLocalDescription(await connection.createOffer())
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    connection.close()
  }, `127.0.0.1:${port}`)
  expect(reached).toBe(0)
})

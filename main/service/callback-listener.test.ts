import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { freePort, tcpServer } from '../../test/support/local-servers.ts'
import type { CallbackListener, SignInResult } from '../session/ports.ts'
import { callbackPath, listenForCallback } from './callback-listener.ts'

const issuer = 'https://login.example.com'
const page = {
  language: 'de',
  texts: {
    signedIn: { title: 'Zurück <b>', body: 'Fertig & gut' },
    declined: { title: 'Abgelehnt', body: '' },
    failed: { title: 'Fehlgeschlagen', body: '' },
  },
}
const compared: (string | null)[] = []
const isOurs = (parameters: URLSearchParams) => {
  compared.push(parameters.get('code'))
  return parameters.get('state') === 'right'
}

const open: CallbackListener[] = []
afterEach(() => {
  for (const each of open.splice(0)) each.close()
  compared.length = 0
})

async function start(port = 0, shown: SignInResult | 'nothing' = 'signedIn'): Promise<CallbackListener> {
  const outcome = await listenForCallback({ port, issuer, isOurs, page })
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.failure))
  open.push(outcome.value)
  if (shown !== 'nothing') void outcome.value.received.then(() => outcome.value.show(shown))
  return outcome.value
}
/** Sends valid callbacks with this Host on one connection. Resolves to everything received. */
const answerTo = ({ redirectUri }: CallbackListener, host: string, ...codes: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(redirectUri).port), '127.0.0.1')
    let text = ''
    socket.on('data', (data) => {
      text += data
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
    socket.end(
      codes
        .map((code) => `GET ${callbackPath(issuer)}?code=${code}&state=right HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
        .join(''),
    )
  })
const isOpen = async ({ received }: CallbackListener) =>
  Promise.race([received.then(() => false), new Promise((resolve) => setTimeout(() => resolve(true), 20))])

it('the listener accepts one callback, shows a page without scripts, and closes', async () => {
  const listener = await start()
  expect(listener.redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback\/login\.example\.com$/)
  // SECURITY: no other address of this computer is open to callbacks, such as one that the network can reach.
  const elsewhere = listener.redirectUri.replace('127.0.0.1', '127.0.0.2')
  await expect(fetch(elsewhere, { signal: AbortSignal.timeout(1_000) })).rejects.toThrow()
  const response = await fetch(`${listener.redirectUri}?code=c&state=right`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  )
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  expect(response.headers.get('cache-control')).toBe('no-store')
  const text = await response.text()
  expect(text).toContain('<html lang="de">')
  expect(text).toContain('<h1>Zurück &#60;b&#62;</h1><p>Fertig &#38; gut</p>')
  expect(text).not.toMatch(/script|https?:|url\(|@import/)
  expect(Object.fromEntries((await listener.received) ?? [])).toEqual({ code: 'c', state: 'right' })
  await expect(fetch(`${listener.redirectUri}?code=c&state=right`)).rejects.toThrow()
})

it('a browser that still waits when the listener closes is told that the sign-in failed', async () => {
  const listener = await start(0, 'nothing')
  const page = fetch(`${listener.redirectUri}?code=c&state=right`)
  await listener.received
  listener.close()
  expect(await (await page).text()).toContain('<h1>Fehlgeschlagen')
})

describe('SECURITY: the listener accepts one valid callback, and is not affected by', () => {
  it.each<[string, string, RequestInit]>([
    ['another state', '/callback/login.example.com?code=c&state=wrong', {}],
    ['a slash after its path', '/callback/login.example.com/?code=c&state=right', {}],
    ['another provider in its path', '/callback/login.example.org?code=c&state=right', {}],
    ['the method POST', '/callback/login.example.com?code=c&state=right', { method: 'POST' }],
  ])('a request with %s', async (_, address, options) => {
    const listener = await start()
    const response = await fetch(new URL(address, listener.redirectUri), options)
    expect(response.status).toBe(404)
    expect(await response.text()).toBe('')
    expect(await isOpen(listener)).toBe(true)
    expect((await fetch(`${listener.redirectUri}?code=c&state=right`)).status).toBe(200)
  })

  it.each(['evil.example', '127.0.0.1'])('a request with another Host: %s', async (host) => {
    const listener = await start()
    expect(await answerTo(listener, host, 'c')).toMatch(/^HTTP\/1\.1 404 /)
    expect(await isOpen(listener)).toBe(true)
  })

  it('a second callback on the same connection', async () => {
    const listener = await start()
    const { host } = new URL(listener.redirectUri)
    const answer = await answerTo(listener, host, 'first', 'second')
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200'])
    expect((await listener.received)?.get('code')).toBe('first')
    expect(compared).toEqual(['first'])
  })

  it('200 silent connections, of which only the newest 64 stay open until the callback', async () => {
    const listener = await start()
    const { port } = new URL(listener.redirectUri)
    const sockets: Socket[] = []
    const closed: Promise<unknown>[] = []
    for (let count = 0; count < 200; count++) {
      const socket = connect(Number(port), '127.0.0.1')
      socket.on('error', () => {})
      closed.push(new Promise((resolve) => socket.once('close', resolve)))
      await new Promise((resolve) => socket.once('connect', resolve))
      sockets.push(socket)
    }
    await Promise.all(closed.slice(0, -64))
    expect(sockets.slice(-64).filter((socket) => socket.destroyed)).toEqual([])
    expect((await fetch(`${listener.redirectUri}?code=c&state=right`)).status).toBe(200)
    expect(await listener.received).toBeDefined()
    await Promise.all(closed)
  })
})

it('the listener uses the port from the settings, and fails if another program has it', async () => {
  const { port, stop } = await tcpServer(() => {}, await freePort())
  expect(await listenForCallback({ port, issuer, isOurs, page })).toMatchObject({
    ok: false,
    failure: { problem: 'portTaken', details: { cause: 'EADDRINUSE' } },
  })
  stop()
  const listener = await start(port)
  expect(listener.redirectUri).toBe(`http://127.0.0.1:${port}/callback/login.example.com`)
  listener.close()
  expect(await listener.received).toBeUndefined()
})

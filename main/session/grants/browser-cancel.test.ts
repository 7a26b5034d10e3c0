/** Browser sign-ins that end before the provider's page has opened. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { OK, type Outcome } from '../../../contract/failures.ts'
import { settle } from '../../../test/support/manual-time.ts'
import { browserPorts } from '../../../test/support/session/browser-ports.ts'
import { signInPorts } from '../../../test/support/session/sign-in-ports.ts'
import { listenForCallback } from '../../service/callback-listener.ts'
import type { AuthorizationRequest, CallbackListener } from '../ports.ts'
import { SignIn } from '../sign-in.ts'
import type { PublishedState } from '../state.ts'
import { type BrowserPorts, browserGrant } from './browser.ts'
import { grantsByName, SUPERSEDED } from './grant.ts'

const NO_TEXT = { title: '', body: '' }
const PAGE = { language: 'en', texts: { signedIn: NO_TEXT, declined: NO_TEXT, failed: NO_TEXT } }

let state: PublishedState
let closing: AbortController
let signIn: SignIn
let fakes: ReturnType<typeof browserPorts>
/** Each of these functions responds to one pending request for discovery. */
let discoveries: ((authorization: Outcome<AuthorizationRequest>) => void)[]
/** Every sign-in listens on this port. */
let port: number
let listeners: CallbackListener[]

const listen = (isOurs: Parameters<BrowserPorts['listen']>[0]) =>
  listenForCallback({ port, issuer: 'https://login.example.com', isOurs, page: PAGE })
const discovered = (index: number) => {
  discoveries[index]?.({ ok: true, value: fakes.authorization })
  return settle()
}
const begin = async () => {
  const count = discoveries.length
  const outcome = signIn.begin('browser', {})
  await vi.waitFor(() => expect(discoveries).toHaveLength(count + 1))
  return { outcome }
}
const isFree = async () => {
  const tried = await listen(() => false)
  if (tried.ok) tried.value.close()
  return tried.ok
}

beforeEach(async () => {
  port = 0
  const free = await listen(() => false)
  if (!free.ok) throw new Error(JSON.stringify(free.failure))
  port = Number(new URL(free.value.redirectUri).port)
  free.value.close()
  fakes = browserPorts()
  discoveries = []
  listeners = []
  fakes.server.authorize.mockImplementation(() => new Promise((resolve) => discoveries.push(resolve)))
  fakes.ports.listen.mockImplementation(async (isOurs) => {
    const outcome = await listen(isOurs)
    if (outcome.ok) listeners.push(outcome.value)
    return outcome
  })
  const ports = signInPorts([])
  state = ports.state
  closing = new AbortController()
  signIn = new SignIn({
    grants: grantsByName([browserGrant(fakes.server, fakes.ports)]),
    ...ports,
    signal: closing.signal,
  })
})
afterEach(() => {
  signIn.abandon()
  for (const each of listeners) each.close()
})

test.each([
  ['cancelled', () => signIn.cancel()],
  ['abandoned', () => signIn.abandon()],
  ['closed', () => closing.abort()],
])('a sign-in that is %s during discovery frees its port at once and opens no page', async (_, end) => {
  const { outcome } = await begin()
  expect(await isFree()).toBe(false)
  end()
  expect(await isFree()).toBe(true)
  await expect(outcome).resolves.toEqual(SUPERSEDED)
  await discovered(0)
  expect(fakes.ports.open).not.toHaveBeenCalled()
  expect(fakes.time.pending()).toBe(0)
})

test('a cancelled sign-in frees its port and opens no page when discovery ends late', async () => {
  await begin()
  signIn.cancel()
  const { outcome } = await begin()
  await discovered(0)
  expect(fakes.ports.open).not.toHaveBeenCalled()
  await discovered(1)
  await expect(outcome).resolves.toEqual(OK)
  expect(fakes.ports.open).toHaveBeenCalledExactlyOnceWith(fakes.authorization.address)
  expect(state.now).toMatchObject({ kind: 'signingIn', challenge: { kind: 'browser' } })
})

test('a sign-in that is cancelled while its listener starts sends no request to the provider', async () => {
  const outcome = signIn.begin('browser', {})
  signIn.cancel()
  await expect(outcome).resolves.toEqual(SUPERSEDED)
  expect(await isFree()).toBe(true)
  expect(fakes.server.authorize).not.toHaveBeenCalled()
})

import { act, screen } from '@testing-library/preact'
import { expect, test } from 'vitest'
import type { Failure, Outcome } from '../../contract/failures.ts'
import { callsOf, field, ok, openWindow, press, sessions, type, viewOf } from '../testing.tsx'

const PROXY = 'proxy.example.com:3128'
const asks = (details: Failure['details'] = {}): Failure => ({
  code: 'proxyAuthenticationRequired',
  details: { proxy: PROXY, ...details },
})
const failed = (failure: Failure): Outcome => ({ ok: false, failure })
const heading = `Sign in to the proxy ${PROXY}`
const group = () => screen.findByRole('group', { name: heading })
const login = { grant: 'password', username: 'ana', password: 'correct horse' }

async function meetProxy(failure = asks()) {
  const window = await openWindow(viewOf(sessions.signedOut))
  await type('Username', login.username)
  await type('Password', login.password)
  await press('Sign in')
  await window.asked[0]?.answer(failed(failure))
  return window
}

test('the proxy’s fields appear below the form, and the sign-in goes on with the typed values', async () => {
  const { asked } = await meetProxy()
  await group()
  expect(document.activeElement).toBe(field('Proxy username'))
  await type('Proxy username', 'ana.proxy')
  await type('Proxy password', 'hush')
  await press('Sign in to the proxy')
  await asked[1]?.answer(ok)
  expect(callsOf(asked)).toEqual([
    ['signIn', login],
    ['saveProxyCredentials', { proxy: PROXY, username: 'ana.proxy', password: 'hush' }],
    ['signIn', login],
  ])
  expect(screen.queryByRole('group', { name: heading })).toBeNull()
})

test('Enter in a field for the proxy doesn’t submit the form around it', async () => {
  const { asked } = await meetProxy()
  await group()
  await type('Proxy username', 'ana.proxy')
  await type('Proxy password', 'hush')
  const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })
  await act(async () => void field('Proxy password').dispatchEvent(enter))
  expect(enter.defaultPrevented).toBe(true)
  expect(callsOf(asked).map(([name]) => name)).toEqual(['signIn', 'saveProxyCredentials'])
})

test('if the proxy refuses the credentials, the window says so and asks again', async () => {
  await meetProxy(asks({ cause: 'proxy credentials refused' }))
  await group()
  expect(screen.getByText(/The proxy refused this username and password/)).toBeTruthy()
})

test.each([
  ['unsupported proxy authentication Digest', 'with a password or with Kerberos'],
  ['no Kerberos ticket', 'or run kinit, then try again'],
])('for a proxy that takes no password, the window says what to do instead (%s)', async (cause, says) => {
  await meetProxy(asks({ cause }))
  expect(screen.getByRole('alert').textContent).toContain(says)
  expect(screen.queryByRole('group', { name: heading })).toBeNull()
})

test('a session that waits for a proxy asks for the proxy’s password without taking the focus', async () => {
  const { asked, show } = await openWindow(viewOf({ ...sessions.unreachable, failure: asks() }))
  await group()
  expect(document.activeElement).not.toBe(field('Proxy username'))
  await type('Proxy username', 'ana')
  await type('Proxy password', 'hush')
  await press('Sign in to the proxy')
  await asked[0]?.answer(ok)
  expect(callsOf(asked).map(([name]) => name)).toEqual(['saveProxyCredentials'])
  expect(field('Proxy password').value).toBe('')
  await show(viewOf(sessions.active))
  expect(screen.queryByRole('group', { name: heading })).toBeNull()
})

test('SECURITY: text typed for a proxy is removed when its view closes', async () => {
  const { show } = await openWindow(viewOf({ ...sessions.unreachable, failure: asks() }))
  await group()
  await type('Proxy password', 'hush')
  const left = field('Proxy password')
  await show(viewOf(sessions.active))
  expect(left.isConnected).toBe(false)
  expect(left.value).toBe('')
})

test('SECURITY: opening the check of this computer deletes a typed proxy password', async () => {
  await meetProxy()
  await group()
  await type('Proxy username', 'ana.proxy')
  await type('Proxy password', 'hush')
  await press('Check this computer')
  expect(field('Proxy password').value).toBe('')
  await press('Back')
  expect(field('Proxy username').value).toBe('ana.proxy')
})

import { act, screen } from '@testing-library/preact'
import { expect, test } from 'vitest'
import type { Failure } from '../../contract/failures.ts'
import { callsOf, failed, field, ok, openWindow, press, sessions, type, viewOf } from '../testing.tsx'

const PROXY = 'proxy.example.com:3128'
const asks = (details: Failure['details'] = {}): Failure => ({
  code: 'proxyAuthenticationRequired',
  details: { proxy: PROXY, ...details },
})
const name = `Sign in to the proxy ${PROXY}`
const login = { grant: 'password', username: 'ana', password: 'correct horse' }

async function meetProxy(details?: Failure['details']) {
  const window = await openWindow(viewOf(sessions.signedOut))
  await type('Username', login.username)
  await type('Password', login.password)
  await press('Sign in')
  await window.asked[0]?.answer(failed(asks(details)))
  return window
}
async function fillIn() {
  await screen.findByRole('group', { name })
  await type('Proxy username', 'ana.proxy')
  await type('Proxy password', 'hush')
}

test('the proxy’s fields are in the form, but Enter in them sends only them; then the sign-in goes on', async () => {
  const { asked } = await meetProxy()
  expect(document.activeElement).toBe(field('Proxy username'))
  await fillIn()
  const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })
  await act(async () => void field('Proxy password').dispatchEvent(enter))
  expect(enter.defaultPrevented).toBe(true)
  await asked[1]?.answer(ok)
  expect(callsOf(asked)).toEqual([
    ['signIn', login],
    ['saveProxyCredentials', { proxy: PROXY, username: 'ana.proxy', password: 'hush' }],
    ['signIn', login],
  ])
  expect(screen.queryByRole('group', { name })).toBeNull()
})

test('a session that waits for a proxy asks for the proxy’s password without taking the focus', async () => {
  const { asked, show } = await openWindow(viewOf({ ...sessions.unreachable, failure: asks() }))
  expect(document.activeElement).not.toBe(field('Proxy username'))
  await fillIn()
  await press('Sign in to the proxy')
  await asked[0]?.answer(ok)
  expect([asked.length, field('Proxy password').value]).toEqual([1, ''])
  await type('Proxy password', 'hush')
  const left = field('Proxy password')
  await show(viewOf(sessions.active))
  // SECURITY: the text is deleted when the view closes.
  expect([left.isConnected, left.value]).toEqual([false, ''])
})

test('SECURITY: opening the check of this computer deletes a typed proxy password', async () => {
  await meetProxy()
  await fillIn()
  await press('Check this computer')
  expect(field('Proxy password').value).toBe('')
  await press('Back')
  expect(field('Proxy username').value).toBe('ana.proxy')
})

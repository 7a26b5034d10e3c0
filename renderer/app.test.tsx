import { screen } from '@testing-library/preact'
import { describe, expect, test, vi } from 'vitest'
import { GRANTS } from '../contract/grants.ts'
import {
  button,
  callsOf,
  choose,
  connection,
  failed,
  field,
  openConnection,
  openMenu,
  openWindow,
  pass,
  press,
  pressEscape,
  sessions,
  title,
  type,
  viewOf,
} from './testing.tsx'

describe('the focus', () => {
  test.each([
    ['signedOut', () => field('Username')],
    ['expired', () => field('Password')],
    ['active', () => screen.getByRole('heading', { level: 1 })],
  ] as const)('is on the first empty field, or else on the heading, of the view that opens: %s', async (kind, of) => {
    await openWindow(viewOf(sessions[kind]))
    expect(document.activeElement).toBe(of())
  })

  test('stays where it is when a refresh starts or fails, and moves to the heading if its button disappears', async () => {
    const { show } = await openWindow(viewOf(sessions.active))
    button(/: menu$/).focus()
    await show(viewOf({ ...sessions.active, refresh: 'running' }))
    await show(viewOf(sessions.unreachable))
    expect(document.activeElement).toBe(button(/: menu$/))
    await press('Try again now')
    await show(viewOf(sessions.active))
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Ready for your tools' }))
  })

  test.each([
    ['Python notebook or script', sessions.active],
    ['Sign in', sessions.ending],
    ['Check this computer', sessions.unreachable],
  ] as const)('returns to the control that opened a view: %s', async (opener, session) => {
    await openWindow(viewOf(session))
    await press(opener)
    await press('Back')
    expect(document.activeElement).toBe(button(opener))
    await choose('Settings')
    await press('Back')
    expect(document.activeElement).toBe(button(/: menu$/))
  })
})

test('if the keychain has no session, the user can have it read again, or sign in as the last time', async () => {
  const missing = { kind: 'sessionUnread', why: 'missing' } as const
  const both = { ...connection, grants: [GRANTS.password, GRANTS.passwordRealm] }
  const lastSignIn = { username: 'ana', grant: 'passwordRealm' } as const
  const { asked } = await openWindow(viewOf(missing, { connection: both, lastSignIn }))
  await press('Check again')
  expect(callsOf(asked)).toEqual([['lookAgain', undefined]])
  await asked[0]?.answer(failed({ code: 'keychainUnavailable' }))
  expect(screen.getByText('Your session still isn’t in your keyring.').getAttribute('role')).toBe('status')
  await press('Sign in')
  expect(screen.getByRole('radio', { name: 'Single sign-on', checked: true })).toBeTruthy()
  expect(field('Username').value).toBe('ana')
  await pressEscape()
  expect(title()).toBe('Your session isn’t in your keyring')
})

test('screen readers hear a change of state, but no refresh, no brief state, and no old news after a failed sign-in', async () => {
  vi.useFakeTimers()
  const announced = async () => {
    await pass(150)
    return screen.getAllByRole('status')[0]?.textContent
  }
  const { show } = await openWindow(viewOf(sessions.active))
  const before = await announced()
  await show(viewOf({ ...sessions.active, refresh: 'running' }))
  expect(await announced()).toBe(before)
  await show(viewOf({ kind: 'signedOut', revocation: 'pending' }))
  await pass(20)
  expect(screen.getAllByRole('status')[0]?.textContent).toBe(before)
  const signedOut = viewOf({ kind: 'signedOut', revocation: 'done' })
  await show(signedOut)
  expect(await announced()).toBe('You’re signed out, here and at data.example.com.')
  await show(viewOf(sessions.signingIn))
  expect(await announced()).toBe('Signing in')
  await show(signedOut)
  expect(await announced()).toBe('')
  expect(screen.queryByText(/signed out, here and at/)).toBeNull()
  await show(viewOf({ kind: 'signedOut', revocation: 'pending' }))
  expect(screen.getByText(/keeps trying to end the session/, { selector: 'main p' })).toBeTruthy()
})

test('a form that the user opened keeps the typed text when the state of the session changes', async () => {
  const { show } = await openWindow(viewOf(sessions.ending))
  await press('Sign in')
  await type('Username', 'ana.f')
  await show(viewOf(sessions.signingIn))
  await show(viewOf(sessions.ending))
  expect(field('Username').value).toBe('ana.f')
  await press('Back')
  await choose('Settings')
  await press(/^data\.example\.com/)
  await type('Service address', 'https://half')
  await show(viewOf(sessions.expired))
  expect(field('Service address').value).toBe('https://half')
})

describe('a screen requested from outside the window', () => {
  const request = (screen: 'settings' | 'signIn', number: number) => ({ navigation: { screen, number } })

  test('opens with a new window, and again at each later request', async () => {
    const { show } = await openWindow(viewOf(sessions.active, request('settings', 1)))
    expect(title()).toBe('Settings')
    await press('Back')
    await show(viewOf(sessions.unreachable, request('settings', 1)))
    expect(title()).toBe('Can’t reach data.example.com')
    await show(viewOf(sessions.unreachable, request('settings', 2)))
    expect(title()).toBe('Settings')
  })

  test('opens only after the window has asked about values typed in the settings', async () => {
    const { show } = await openConnection(viewOf(sessions.ending))
    await type('Service address', 'https://half')
    await show(viewOf(sessions.ending, request('signIn', 1)))
    await press('Keep editing')
    expect(field('Service address').value).toBe('https://half')
    await show(viewOf(sessions.ending, request('signIn', 2)))
    await press('Discard')
    expect(document.activeElement).toBe(field('Password'))
  })
})

test('SECURITY: the second click of a double click does nothing in a view that has just appeared', async () => {
  const click = (name: string, detail: number) =>
    button(name).dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail }))
  const { show } = await openWindow(viewOf(sessions.signedOut))
  click('Sign in', 1)
  await show(viewOf(sessions.active))
  click('R httr2', 2)
  expect(title()).toBe('Ready for your tools')
  await press('R httr2')
  expect(title()).toBe('Use in your tools')
  await press('Back')
  await openMenu()
  click('ana: menu', 2)
  expect(screen.getByRole('menu')).toBeTruthy()
})

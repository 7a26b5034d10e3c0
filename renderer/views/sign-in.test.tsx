import { act, fireEvent, screen } from '@testing-library/preact'
import { describe, expect, test, vi } from 'vitest'
import {
  alerted,
  button,
  callsOf,
  connection,
  failed,
  field,
  NOW,
  ok,
  openWindow,
  pass,
  press,
  pressEscape,
  refused,
  sessions,
  type,
  viewOf,
} from '../testing.tsx'

const fillIn = async (username = 'ana', password = 'longenough') => {
  await type('Username', username)
  await type('Password', password)
}

const submitted = async () => {
  const window = await openWindow(viewOf(sessions.signedOut))
  await fillIn()
  await press('Sign in')
  return window
}

test('Sign in sends the values exactly as typed, once, however often the user presses it', async () => {
  const { asked, show } = await openWindow(viewOf(sessions.signedOut))
  // Password managers look for these names and types.
  expect([field('Username').autocomplete, button('Sign in').type]).toEqual(['username', 'submit'])
  expect([field('Password').autocomplete, field('Password').type]).toEqual(['current-password', 'password'])
  await fillIn('ana', ' spaces stay ')
  await press('Sign in')
  const form = field('Username').form as HTMLFormElement
  await fireEvent.submit(form)
  await show(viewOf(sessions.signingIn))
  await fireEvent.submit(form)
  expect(callsOf(asked)).toEqual([['signIn', { grant: 'password', username: 'ana', password: ' spaces stay ' }]])
  expect(form.getAttribute('aria-busy')).toBe('true')
  expect(button('Signing in…').getAttribute('aria-disabled')).toBe('true')
})

test('after a sign-out, the form names the service, too', async () => {
  await openWindow(viewOf({ kind: 'signedOut', revocation: 'done' }))
  expect(screen.getByText('data.example.com', { selector: 'main .hint' })).toBeTruthy()
})

describe('waiting for the answer', () => {
  test('Cancel appears so late that a double click can’t hit it, and then the form names the silent host', async () => {
    vi.useFakeTimers({ now: NOW })
    const { asked } = await submitted()
    const slow = () => screen.queryByText('Still waiting for data.example.com…')
    await pass(699)
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull()
    await pass(1)
    expect(button('Cancel')).toBeTruthy()
    await pass(4_299)
    expect(slow()).toBeNull()
    await pass(1)
    expect(slow()?.getAttribute('role')).toBe('status')
    await asked[0]?.answer(refused)
    expect(slow()).toBeNull()
  })

  test('Escape ends it: the typed text stays, and a late answer changes nothing', async () => {
    vi.useFakeTimers({ now: NOW })
    const { asked, show } = await submitted()
    await show(viewOf(sessions.signingIn))
    await pressEscape()
    await show(viewOf(sessions.signedOut))
    expect(callsOf(asked)[1]).toEqual(['cancelSignIn', undefined])
    await pass(0)
    expect(screen.getByText('Sign-in cancelled.').getAttribute('role')).toBe('status')
    await asked[0]?.answer(refused)
    expect([alerted(), field('Password').value]).toEqual([null, 'longenough'])
    expect(document.activeElement).toBe(button('Sign in'))
  })
})

describe('a failed sign-in', () => {
  test('a refusal is shown in the form, clears and focuses the password, and keeps the username', async () => {
    const { asked } = await submitted()
    await asked[0]?.answer(refused)
    expect(alerted()).toContain('That username and password don’t match')
    expect(screen.getByText(connection.host)).toBeTruthy()
    expect([field('Username').value, field('Password').value]).toEqual(['ana', ''])
    expect(document.activeElement).toBe(field('Password'))
  })

  test('a call that crashes is reported, keeps the password, and the user can sign in again', async () => {
    const { asked } = await submitted()
    await asked[0]?.crash()
    expect(alerted()).toContain('Something went wrong')
    expect(field('Password').value).toBe('longenough')
    expect(button('Sign in').getAttribute('aria-disabled')).toBe('false')
  })

  test('if the service asks the user to wait, Sign in is disabled, and the countdown is announced once', async () => {
    vi.useFakeTimers({ now: NOW })
    const { asked } = await submitted()
    await asked[0]?.answer(failed({ code: 'rateLimited', retryAfter: 30 }))
    await pass(12_000)
    expect(screen.getByText('Wait 18 seconds, then try again.').getAttribute('aria-hidden')).toBe('true')
    const heard = screen.getByRole('alert').querySelector('.unseen')?.textContent
    expect(heard).toBe('Wait 30 seconds, then try again.')
    await press('Sign in')
    expect(asked).toHaveLength(1)
    await pass(18_000)
    expect(alerted()).toContain('You can try again now.')
    await press('Sign in')
    expect(asked).toHaveLength(2)
  })

  test('SECURITY: the server’s text is quoted, never used as markup', async () => {
    const { asked } = await submitted()
    const serverText = '<img src=x onerror=alert(1)> <b>call 555</b>'
    await asked[0]?.answer(failed({ code: 'interactionRequired', serverText }))
    const alert = screen.getByRole('alert')
    expect([alert.querySelector('q')?.textContent, alert.querySelector('img, b')]).toEqual([serverText, null])
  })
})

test('SECURITY: the check of this computer, opened from a connection error, deletes the password and masks its field', async () => {
  const { asked } = await submitted()
  await press('Show password')
  await asked[0]?.answer(failed({ code: 'unreachable' }))
  await press('Check this computer')
  expect([field('Password').value, field('Password').type]).toEqual(['', 'password'])
  await press('Back')
  expect(alerted()).toContain('Can’t reach data.example.com')
  expect([field('Username').value, document.activeElement]).toEqual(['ana', button('Check this computer')])
})

describe('SECURITY: nothing keeps the password', () => {
  test('the field is emptied after a success, and when the view closes before the answer arrives', async () => {
    const { asked, show } = await submitted()
    await asked[0]?.answer(ok)
    expect(field('Password').value).toBe('')
    await type('Password', 'longenough')
    const input = field('Password')
    await show(viewOf(sessions.active))
    expect([input.isConnected, input.value]).toEqual([false, ''])
  })

  test('no regular expression reads it, because V8 would keep the matched text, and it isn’t in the HTML', async () => {
    const { asked } = await openWindow(viewOf(sessions.signedOut))
    await fillIn('ana', 'c0rrect-h0rse')
    const exec = vi.spyOn(RegExp.prototype, 'exec')
    await press('Sign in')
    expect(document.documentElement.outerHTML).not.toContain('c0rrect-h0rse')
    await asked[0]?.answer(refused)
    const seen = exec.mock.calls.flat()
    exec.mockRestore()
    expect(asked).toHaveLength(1)
    expect(seen).not.toContain('c0rrect-h0rse')
  })
})

test('the form names the tools that need a sign-in above it, and screen readers announce them by themselves', async () => {
  vi.useFakeTimers()
  const waiting = [{ name: 'Jupyter' }, { name: '\u05d0b', host: 'cluster' }]
  const need = { connection: 'default', waiting, first: { name: 'Jupyter' } }
  const lead = () => document.querySelector('.lead')?.textContent
  const { show } = await openWindow(viewOf(sessions.signedOut))
  await pass(150)
  await show(viewOf(sessions.signedOut, { needs: [need] }))
  await pass(150)
  expect(screen.getAllByRole('status')[0]?.textContent).toMatch(/^Waiting for you to sign in: Jupyter and cluster: /)
  await show(viewOf(sessions.signingIn, { needs: [need] }))
  expect(lead()).toContain('Waiting for you to sign in: Jupyter and cluster: \u2068\u05d0b\u2069.')
  await show(viewOf(sessions.expired, { needs: [{ ...need, waiting: [] }] }))
  expect(lead()).toContain('Jupyter needs you to sign in.')
  await show(viewOf(sessions.expired, { needs: [{ ...need, connection: 'staging' }] }))
  expect(lead()).not.toContain('Jupyter')
})

test('the first form has a ticked checkbox for starting at login, whose state is sent after the sign-in', async () => {
  const offered = { offersStartAtLogin: true }
  const { asked, show } = await openWindow(viewOf(sessions.signedOut, offered))
  const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Start Latchkey at login' })
  expect(box.checked).toBe(true)
  await fillIn()
  await act(async () => box.click())
  await press('Sign in')
  expect(asked).toHaveLength(1)
  // The new view arrives before the call's answer.
  await show(viewOf(sessions.active, offered))
  await asked[0]?.answer(ok)
  expect(callsOf(asked)[1]).toEqual(['setSwitch', { name: 'startAtLogin', enabled: false }])
})

import { act, fireEvent, screen } from '@testing-library/preact'
import { describe, expect, test, vi } from 'vitest'
import { FAILURE_CODES } from '../../contract/failures.ts'
import { GRANTS } from '../../contract/grants.ts'
import type { Revocation } from '../../contract/views.ts'
import {
  button,
  callsOf,
  connection,
  field,
  MINUTE,
  NOW,
  ok,
  openWindow,
  pass,
  press,
  refused,
  sessions,
  settings,
  type,
  viewOf,
} from '../testing.tsx'

const both = { connection: { ...connection, grants: [GRANTS.password, GRANTS.passwordRealm] } } as const

const fillIn = async (username = 'ana', password = 'longenough') => {
  await type('Username', username)
  await type('Password', password)
}

/** Opens the form, fills it in and presses Sign in. */
const submitted = async () => {
  const window = await openWindow(viewOf(sessions.signedOut))
  await fillIn()
  await press('Sign in')
  return window
}

test('the fields and the button have the names and types that a password manager needs', async () => {
  await openWindow(viewOf(sessions.signedOut))
  expect(field('Username').autocomplete).toBe('username')
  expect(field('Password').autocomplete).toBe('current-password')
  expect(field('Password').type).toBe('password')
  expect(button('Sign in').type).toBe('submit')
})

describe('signing in', () => {
  test('Sign in sends the values exactly as typed', async () => {
    const { asked } = await openWindow(viewOf(sessions.signedOut))
    await fillIn('ana', ' spaces stay ')
    await press('Sign in')
    expect(asked.map(({ name, input }) => [name, input])).toEqual([
      ['signIn', { grant: 'password', username: 'ana', password: ' spaces stay ' }],
    ])
  })

  test('Sign in makes one call, however often the user presses it', async () => {
    const { asked, show } = await submitted()
    const form = field('Username').form
    if (form !== null) await fireEvent.submit(form)
    await show(viewOf(sessions.signingIn))
    if (form !== null) await fireEvent.submit(form)
    expect(asked).toHaveLength(1)
    expect(form?.getAttribute('aria-busy')).toBe('true')
    expect(button('Signing in…').getAttribute('aria-disabled')).toBe('true')
  })

  test.each([
    ['', 'longenough', 'Enter your username.', 'Username'],
    ['ana:b', 'longenough', 'A username can’t contain a colon.', 'Username'],
    ['ana', '', 'Enter your password.', 'Password'],
  ])('incomplete or invalid values aren’t sent: %j, %j', async (username, password, sentence, focused) => {
    const { asked } = await openWindow(viewOf(sessions.signedOut))
    await fillIn(username, password)
    await press('Sign in')
    expect(asked).toEqual([])
    expect(screen.getByRole('alert').textContent).toBe(sentence)
    expect(document.activeElement).toBe(field(focused))
    expect(field(focused).getAttribute('aria-invalid')).toBe('true')
    await type(focused, 'x')
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

describe('waiting for the answer', () => {
  test('Cancel appears so late that a double click on Sign in can’t hit it', async () => {
    vi.useFakeTimers({ now: NOW })
    await submitted()
    await pass(699)
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull()
    await pass(1)
    expect(button('Cancel')).toBeTruthy()
  })

  const slow = () => screen.queryByText('Still waiting for data.example.com…')

  test('after five seconds, the form names the host that has not answered', async () => {
    vi.useFakeTimers({ now: NOW })
    const { asked } = await submitted()
    await pass(4_999)
    expect(slow()).toBeNull()
    await pass(1)
    expect(slow()?.getAttribute('role')).toBe('status')
    await asked[0]?.answer(refused)
    expect(slow()).toBeNull()
  })

  test.each(['Cancel', 'Escape'])(
    '%s ends the wait: the typed text stays, and a late answer changes nothing',
    async (how) => {
      vi.useFakeTimers({ now: NOW })
      const { asked, show } = await submitted()
      await show(viewOf(sessions.signingIn))
      await pass(700)
      if (how === 'Cancel') await press('Cancel')
      else await fireEvent.keyDown(document.body, { key: 'Escape' })
      await show(viewOf(sessions.signedOut))
      expect(callsOf(asked).at(-1)).toEqual(['cancelSignIn', undefined])
      expect(button('Sign in').getAttribute('aria-disabled')).toBe('false')
      expect(document.activeElement).toBe(button('Sign in'))
      await pass(0)
      expect(screen.getByText('Sign-in cancelled.').getAttribute('role')).toBe('status')
      await asked[0]?.answer(refused)
      expect(screen.queryByRole('alert')).toBeNull()
      expect(field('Password').value).toBe('longenough')
      await press('Sign in')
      expect(callsOf(asked).at(-1)?.[0]).toBe('signIn')
    },
  )
})

const limited = { ok: false, failure: { code: 'rateLimited', retryAfter: 30 } } as const

test('a service that asks the user to wait: Sign in is disabled for that time, and the countdown is announced once', async () => {
  vi.useFakeTimers({ now: NOW })
  const { asked } = await submitted()
  await asked[0]?.answer(limited)
  const heard = () => screen.getByRole('alert').querySelector('.unseen')?.textContent
  expect(heard()).toBe('Wait 30 seconds, then try again.')
  await pass(12_000)
  expect(screen.getByText('Wait 18 seconds, then try again.').getAttribute('aria-hidden')).toBe('true')
  expect(heard()).toBe('Wait 30 seconds, then try again.')
  await press('Sign in')
  expect(asked).toHaveLength(1)
  expect(button('Sign in').getAttribute('aria-disabled')).toBe('true')
  await pass(18_000)
  expect(screen.getByRole('alert').textContent).toContain('You can try again now.')
  await press('Sign in')
  expect(asked).toHaveLength(2)
})

describe('a failed sign-in', () => {
  test('a refusal is shown in the form, clears and focuses the password, and keeps the username', async () => {
    const { asked } = await submitted()
    button('Signing in…').focus()
    await asked[0]?.answer(refused)
    expect(screen.getByRole('alert').textContent).toContain('That username and password don’t match')
    expect(screen.getByText(connection.host)).toBeTruthy()
    expect(field('Username').value).toBe('ana')
    expect(field('Password').value).toBe('')
    expect(document.activeElement).toBe(field('Password'))
  })

  test.each(FAILURE_CODES.filter((code) => code !== 'rejected'))(
    'any other failure keeps the password and the focus: %s',
    async (code) => {
      const { asked } = await submitted()
      button('Signing in…').focus()
      await asked[0]?.answer({ ok: false, failure: { code } })
      expect(field('Password').value).toBe('longenough')
      expect(document.activeElement).toBe(button('Sign in'))
    },
  )

  test('a crashed call is reported, and the form can be used again', async () => {
    const { asked } = await submitted()
    await asked[0]?.crash()
    expect(screen.getByRole('alert').textContent).toContain('Something went wrong')
    expect(button('Sign in').getAttribute('aria-disabled')).toBe('false')
  })

  test('SECURITY: the server’s text is quoted, never used as markup', async () => {
    const { asked } = await submitted()
    const serverText = '<img src=x onerror=alert(1)> <b>call 555</b>'
    await asked[0]?.answer({ ok: false, failure: { code: 'interactionRequired', serverText } })
    const alert = screen.getByRole('alert')
    expect(alert.querySelector('q')?.textContent).toBe(serverText)
    expect(alert.querySelector('img, b')).toBeNull()
  })
})

describe('the check of this computer, opened from a connection error', () => {
  async function openCheck() {
    const window = await openWindow(viewOf(sessions.signedOut))
    await fillIn('ana.f')
    await press('Sign in')
    await window.asked[0]?.answer({ ok: false, failure: { code: 'unreachable' } })
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Can’t reach data.example.com')
    await press('Check this computer')
    expect(callsOf(window.asked).at(-1)).toEqual(['checkComputer', { tried: false }])
    return window
  }

  test('keeps the error and the username, and Back returns the focus to its button', async () => {
    await openCheck()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Check this computer')
    await press('Back')
    expect(screen.getByRole('alert').textContent).toContain('Can’t reach data.example.com')
    expect(field('Username').value).toBe('ana.f')
    expect(document.activeElement).toBe(button('Check this computer'))
  })

  test('SECURITY: deletes the typed password, and masks the field again if its text was shown', async () => {
    await openCheck()
    expect(field('Password').value).toBe('')
    await press('Back')
    await type('Password', 'longenough')
    await press('Show password')
    await press('Check this computer')
    await press('Back')
    expect(field('Password').value).toBe('')
    expect(field('Password').type).toBe('password')
  })

  test('closes on Escape, which doesn’t cancel a sign-in that began elsewhere', async () => {
    const { asked, show } = await openCheck()
    await show(viewOf({ kind: 'signingIn' }))
    await act(async () => void fireEvent.keyDown(document.body, { key: 'Escape' }))
    expect(screen.queryByRole('heading', { name: 'Check this computer' })).toBeNull()
    expect(asked.map(({ name }) => name)).not.toContain('cancelSignIn')
  })
})

describe('single sign-on', () => {
  test('if the administrator left out values, the window names them and shows no form for single sign-on', async () => {
    const managed = (value: string) => ({ value, source: 'policy' }) as const
    const incomplete = { ...settings, authUrl: managed('https://login.example.com'), flow: managed('browser') }
    await openWindow(viewOf(sessions.signedOut, { settings: incomplete }))
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Single sign-on isn’t fully set up')
    expect(screen.getByText('Missing: scope, clientId. Show this to your administrator.')).toBeTruthy()
    expect(screen.queryByLabelText('Username')).toBeNull()
    await press('Sign in with a password')
    expect(document.activeElement).toBe(field('Username'))
  })

  test('is chosen if the last sign-in used it, and the username is filled in', async () => {
    const lastSignIn = { username: 'ana@example.com', grant: 'passwordRealm' }
    await openWindow(viewOf(sessions.signedOut, { ...both, lastSignIn }))
    expect(screen.getByRole('radio', { name: 'Single sign-on', checked: true })).toBeTruthy()
    expect(field('Username').value).toBe('ana@example.com')
    expect(document.activeElement).toBe(field('Password'))
  })
})

describe('SECURITY: nothing keeps the password', () => {
  test('the field is emptied when the view closes before the answer arrives', async () => {
    const { show } = await submitted()
    const input = field('Password')
    await show(viewOf(sessions.active))
    expect(input.isConnected).toBe(false)
    expect(input.value).toBe('')
  })

  test('the field is emptied after the answer, even after a success', async () => {
    const { asked } = await submitted()
    await asked[0]?.answer(ok)
    expect(field('Password').value).toBe('')
  })

  test('the field is emptied when the user goes back', async () => {
    await openWindow(viewOf(sessions.ending))
    await press('Sign in')
    await type('Password', 'longenough')
    const input = field('Password')
    await press('Back')
    expect(input.value).toBe('')
  })

  test('no regular expression reads the password, because V8 would keep the matched text', async () => {
    const { asked } = await openWindow(viewOf(sessions.signedOut))
    await fillIn('ana', 'c0rrect-h0rse')
    const exec = vi.spyOn(RegExp.prototype, 'exec')
    await press('Sign in')
    await asked[0]?.answer(refused)
    const seen = exec.mock.calls.flat()
    exec.mockRestore()
    expect(asked).toHaveLength(1)
    expect(seen).not.toContain('c0rrect-h0rse')
  })

  test('no attribute or text of the page contains the password', async () => {
    await openWindow(viewOf(sessions.signedOut))
    await fillIn('ana', 'c0rrect-h0rse')
    await press('Sign in')
    expect(document.documentElement.outerHTML).not.toContain('c0rrect-h0rse')
  })
})

test('the form warns of Caps Lock while the password is typed', async () => {
  await openWindow(viewOf(sessions.signedOut))
  const event = (pressed: boolean) => {
    const key = new KeyboardEvent('keydown', { key: 'a', bubbles: true })
    Object.defineProperty(key, 'getModifierState', { value: (name: string) => pressed && name === 'CapsLock' })
    return act(async () => {
      field('Password').dispatchEvent(key)
    })
  }
  const warning = () => screen.getAllByRole('status').some(({ textContent }) => textContent === 'Caps Lock is on.')
  await event(true)
  expect(warning()).toBe(true)
  await event(false)
  expect(warning()).toBe(false)
})

describe('the lines above the form', () => {
  test.each<[Revocation, RegExp]>([
    ['done', /signed out, here and at data\.example\.com/],
    ['refused', /but data\.example\.com refused to end the session there/],
    ['pending', /Latchkey keeps trying to end the session at data\.example\.com/],
    ['notPossible', /so Latchkey has deleted it here; it expires by itself/],
  ])('say what happened to the refresh token: %s', async (revocation, sentence) => {
    await openWindow(viewOf({ kind: 'signedOut', revocation }))
    expect(screen.getByText(sentence, { selector: 'main p' })).toBeTruthy()
  })

  test('no longer show the result of a sign-out once the next sign-in has started', async () => {
    const session = { kind: 'signedOut', revocation: 'notPossible' } as const
    const { show } = await openWindow(viewOf(session))
    await show(viewOf(sessions.signingIn))
    await show(viewOf(session))
    expect(screen.queryByText(/has deleted it here/, { selector: 'main p' })).toBeNull()
  })

  test('say until when tools can use their tokens, and disappear then', async () => {
    vi.useFakeTimers({ now: NOW })
    await openWindow(viewOf({ kind: 'signedOut', revocation: 'none', handedOutUntil: NOW + 2 * MINUTE }))
    const line = () => screen.queryByText(/^Tools that already have .* until 14:02\.$/, { selector: 'main p' })
    expect(line()).toBeTruthy()
    await pass(2 * MINUTE)
    expect(line()).toBeNull()
  })
})

describe('tools that need a sign-in', () => {
  const waiting = [{ name: 'Jupyter' }, { name: '\u05d0b', host: 'cluster' }]
  const needs = [{ connection: 'default', waiting, first: { name: 'Jupyter' } }]
  const named = 'Waiting for you to sign in: Jupyter and cluster: \u2068\u05d0b\u2069.'

  test.each(['signedOut', 'expired'] as const)(
    'are named in the status (%s), and announced by screen readers',
    async (state) => {
      vi.useFakeTimers()
      const { show } = await openWindow(viewOf(sessions[state], { needs }))
      await pass(150)
      expect(document.querySelector('.lead')?.textContent).toContain(named)
      expect(screen.getAllByRole('status')[0]?.textContent).toMatch(
        /Waiting for you to sign in: Jupyter and cluster: .*\.$/,
      )
      await show(viewOf({ kind: 'signingIn' }, { needs }))
      expect(document.querySelector('.lead')?.textContent).toContain(named)
    },
  )

  test('if a tool asks after the state was announced, only the tool is announced', async () => {
    vi.useFakeTimers()
    const { show } = await openWindow(viewOf({ kind: 'signedOut', revocation: 'done' }))
    await pass(150)
    expect(screen.getAllByRole('status')[0]?.textContent).toMatch(/^You’re signed out/)
    await show(viewOf({ kind: 'signedOut', revocation: 'done' }, { needs }))
    await pass(150)
    expect(screen.getAllByRole('status')[0]?.textContent).toMatch(/^Waiting for you/)
  })

  test('are named even if they don’t wait, unless they use another connection', async () => {
    const [need] = needs
    const { show } = await openWindow(viewOf(sessions.signedOut, { needs: [{ ...need, waiting: [] }] as never }))
    expect(document.querySelector('.lead')?.textContent).toContain('Jupyter needs you to sign in.')
    await show(viewOf(sessions.signedOut, { needs: [{ ...need, connection: 'staging' }] as never }))
    expect(document.querySelector('.lead')?.textContent).not.toContain('sign in')
  })
})

describe('the form to sign in again', () => {
  test('has the username filled in, and quotes the service’s own text', async () => {
    await openWindow(viewOf(sessions.expired))
    expect(field('Username').value).toBe('ana')
    expect(screen.getByText('this token was used before').tagName).toBe('Q')
  })

  test.each([
    ['Your session has ended', sessions.expired],
    ['Your session has ended', { ...sessions.signedOut, failure: sessions.expired.failure }],
    ['Sign in', { ...sessions.signedOut, revocation: 'notPossible' }],
    ['Sign in', sessions.ending],
  ] as const)(
    'has the heading “%s”, and says above the fields which host gets the password: %o',
    async (title, session) => {
      await openWindow(viewOf(session))
      if (session.kind === 'ending') await press('Sign in')
      expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title)
      expect(screen.getByText('data.example.com', { selector: 'form *' })).toBeTruthy()
    },
  )
})

const offered = { offersStartAtLogin: true }
const box = () => screen.getByRole<HTMLInputElement>('checkbox', { name: 'Start Latchkey at login' })

test.each([true, false])(
  'the first sign-in form has a ticked checkbox for starting at login, and its state is sent after the sign-in: %s',
  async (enabled) => {
    const { asked, show } = await openWindow(viewOf(sessions.signedOut, offered))
    expect(box().checked).toBe(true)
    await fillIn()
    if (!enabled) await act(async () => box().click())
    await press('Sign in')
    expect(asked.map(({ name }) => name)).toEqual(['signIn'])
    // The new view arrives before the call's answer.
    await show(viewOf(sessions.active, offered))
    await asked[0]?.answer(ok)
    expect(asked.slice(1).map(({ name, input }) => [name, input])).toEqual([
      ['setSwitch', { name: 'startAtLogin', enabled }],
    ])
  },
)

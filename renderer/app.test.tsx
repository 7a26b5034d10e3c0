import { fireEvent, screen } from '@testing-library/preact'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { SessionView } from '../contract/views.ts'
import {
  button,
  callsOf,
  choose,
  field,
  NOW,
  ok,
  openConnection,
  openMenu,
  openWindow,
  pass,
  press,
  sessions,
  type,
  viewOf,
} from './testing.tsx'

const headings: Record<SessionView['kind'], string> = {
  notConfigured: 'Connect to your data platform',
  restoring: 'One moment',
  sessionUnread: 'Your keyring is locked',
  unknownVersion: 'Saved by another version of Latchkey',
  signedOut: 'Sign in',
  signingIn: 'Sign in',
  active: 'Ready for your tools',
  unreachable: 'Can’t reach data.example.com',
  ending: 'Your session can’t be renewed',
  expired: 'Your session has ended',
}

test.each(Object.entries(headings))('each state of the session has a heading: %s', async (kind, heading) => {
  await openWindow(viewOf(sessions[kind as SessionView['kind']]))
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(heading)
})

describe('the focus', () => {
  const focused: Partial<Record<SessionView['kind'], () => Element>> = {
    notConfigured: () => field('Service address'),
    sessionUnread: () => screen.getByRole('heading'),
    signedOut: () => field('Username'),
    active: () => screen.getByRole('heading', { level: 1 }),
    expired: () => field('Password'),
  }
  test.each(Object.entries(focused))(
    'is on the first empty field, or else on the heading, of the view that opens: %s',
    async (kind, element) => {
      await openWindow(viewOf(sessions[kind as SessionView['kind']]))
      expect(document.activeElement).toBe(element())
    },
  )

  test('stays where it is when Latchkey starts a refresh, and when the refresh fails', async () => {
    const { show } = await openWindow(viewOf(sessions.active))
    button(/: menu$/).focus()
    await show(viewOf({ ...sessions.active, refresh: 'running' }))
    await show(viewOf(sessions.unreachable))
    await show(viewOf(sessions.ending))
    expect(document.activeElement).toBe(button(/: menu$/))
  })

  test('moves to the heading if the focused button disappears', async () => {
    const { show } = await openWindow(viewOf(sessions.unreachable))
    await press('Try again now')
    await show(viewOf(sessions.active))
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Ready for your tools' }))
  })
})

const missing = { kind: 'sessionUnread', why: 'missing' } as const

test('when the session can’t be read from the keychain: Check again reads the keychain, and Sign in shows the last username', async () => {
  const { asked } = await openWindow(viewOf(missing, { lastSignIn: { username: 'ana', grant: 'password' } }))
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Your session isn’t in your keyring')
  await press('Check again')
  expect(callsOf(asked)).toEqual([['lookAgain', undefined]])
  await asked[0]?.answer({ ok: false, failure: { code: 'keychainUnavailable' } })
  expect(screen.getByText('Your session still isn’t in your keyring.').getAttribute('role')).toBe('status')
  await press('Sign in')
  expect(field('Username').value).toBe('ana')
  expect(document.activeElement).toBe(field('Password'))
})

describe('the view while a session is restored', () => {
  test.each([
    ['the keychain or the service', undefined, 'This is taking longer than usual.'],
    ['the service', 'service', 'Still waiting for data.example.com… Check your network or VPN.'],
    ['the provider', 'identityProvider', 'Still waiting for your identity provider… Check your network or VPN.'],
  ] as const)('after five seconds, the window mentions the wait for %s', async (_, issuer, sentence) => {
    vi.useFakeTimers()
    await openWindow(viewOf({ kind: 'restoring', ...(issuer && { issuer }) }))
    await pass(4_999)
    expect(screen.queryByText(sentence)).toBeNull()
    await pass(1)
    expect(screen.getByText(sentence)).toBeTruthy()
  })

  test.each(['Cancel', 'Escape'])('%s opens the sign-in form, and Back closes the form', async (how) => {
    const { asked, show } = await openWindow(viewOf(sessions.restoring))
    if (how === 'Cancel') await press('Cancel')
    else await fireEvent.keyDown(document.body, { key: 'Escape' })
    expect(document.activeElement).toBe(field('Username'))
    await press('Back')
    await press('Cancel')
    await show(viewOf(sessions.active))
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Ready for your tools')
    expect(asked).toEqual([])
  })
})

describe('screen readers announce the state politely', () => {
  const announced = async () => {
    await pass(150)
    return screen.getAllByRole('status')[0]?.textContent
  }
  beforeEach(() => void vi.useFakeTimers())

  test('a change of state is announced, but a refresh is not', async () => {
    const { show } = await openWindow(viewOf(sessions.active))
    const before = await announced()
    await show(viewOf({ ...sessions.active, refresh: 'running' }))
    expect(await announced()).toBe(before)
    await show(viewOf(sessions.unreachable))
    expect(await announced()).toBe('Can’t reach data.example.com, session kept')
    await show(viewOf({ ...sessions.active, kept: 'unsaved' }))
    expect(await announced()).toContain('Your session can’t be saved')
  })

  test('if the result of a sign-out changes within a moment, only the last result is announced', async () => {
    const { show } = await openWindow(viewOf(sessions.active))
    const before = await announced()
    await show(viewOf({ kind: 'signedOut', revocation: 'pending' }))
    await pass(20)
    expect(screen.getAllByRole('status')[0]?.textContent).toBe(before)
    await show(viewOf({ kind: 'signedOut', revocation: 'done' }))
    expect(await announced()).toBe('You’re signed out, here and at data.example.com.')
  })

  test.each<SessionView>([
    { kind: 'signedOut', revocation: 'notPossible' },
    sessions.signedOut,
    sessions.expired,
    sessions.ending,
    sessions.active,
  ])('a failed sign-in announces nothing that was known before: $kind', async (session) => {
    const { show } = await openWindow(viewOf(session))
    expect(await announced()).not.toBe('')
    for (const _ of [1, 2]) {
      await show(viewOf(sessions.signingIn))
      expect(await announced()).toBe('Signing in')
      await show(viewOf(session))
      expect(await announced()).toBe('')
    }
    await show(viewOf(sessions.signingIn))
    await announced()
    await show(viewOf({ ...sessions.active, token: { ...sessions.active.token, receivedAt: NOW } }))
    expect(await announced()).toBe('Signed in as ana · data.example.com')
  })

  test.each([
    ['staging', sessions.signedOut, 'staging: Signed out'],
    // The sentence contains the connection's name only as a part of the host, so the name is announced, too.
    ['data', sessions.active, 'data: Signed in as ana · data.example.com'],
    ['default', sessions.active, 'Signed in as ana · data.example.com'],
  ])('with several connections, the announcement names the shown one once: %s', async (shown, session, sentence) => {
    const { connections } = viewOf(session)
    const others = ['staging', 'data'].map((name) => ({ name, isOwn: true, session }))
    await openWindow(viewOf(session, { shown, connections: [...connections, ...others] }))
    expect(await announced()).toBe(sentence)
  })
})

describe('leaving a view returns the focus to the control that opened it', () => {
  test.each([
    ['Settings', sessions.signedOut],
    ['Python notebook or script', sessions.active],
    ['Sign in', sessions.ending],
    ['Sign in', sessions.sessionUnread],
    ['Check this computer', sessions.unreachable],
  ] as const)('opened by %s: %o', async (opener, session) => {
    await openWindow(viewOf(session))
    await press(opener)
    await press('Back')
    expect(document.activeElement).toBe(button(opener))
  })

  test.each(['Settings', 'Change password', 'Help', 'Check this computer'])(
    'for %s in the menu, that control is the menu’s button',
    async (item) => {
      await openWindow(viewOf(sessions.active))
      await choose(item)
      await press('Back')
      expect(document.activeElement).toBe(button(/: menu$/))
    },
  )
})

test('notices about the settings are collapsed to one line in every state', async () => {
  const notices = ['The settings were damaged and set aside.', 'The value of SCOPE can’t be used.']
  for (const session of Object.values(sessions)) {
    const { unmount } = await openWindow(viewOf(session, { notices }))
    const fold = screen.getByText('2 notices').closest('details')
    expect(fold?.open).toBe(false)
    for (const notice of notices) expect(fold?.textContent).toContain(notice)
    expect(fold?.textContent).toContain('Show this to your administrator.')
    unmount()
  }
})

describe('a form that the user opened stays open', () => {
  test('while the keychain is locked, until Escape closes it', async () => {
    await openWindow(viewOf(sessions.sessionUnread))
    await press('Sign in')
    expect(field('Username')).toBe(document.activeElement)
    await fireEvent.keyDown(document.body, { key: 'Escape' })
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Your keyring is locked')
  })

  test('with the typed text if a sign-in fails while the session is ending', async () => {
    const { show } = await openWindow(viewOf(sessions.ending))
    await press('Sign in')
    expect(field('Username').value).toBe('ana')
    await type('Username', 'ana.f')
    await show(viewOf(sessions.signingIn))
    await show(viewOf(sessions.ending))
    expect(field('Username').value).toBe('ana.f')
    await press('Back')
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Your session can’t be renewed')
  })
})

describe('the settings', () => {
  const title = () => screen.getByRole('heading', { level: 1 }).textContent

  test('the settings stay open with the typed values when the state of the session changes', async () => {
    const { show } = await openConnection(viewOf(sessions.active))
    await type('Service address', 'https://half')
    await show(viewOf(sessions.unreachable))
    await show(viewOf(sessions.expired))
    expect(field('Service address').value).toBe('https://half')
  })

  test('after saving, the list of connections is shown, with a message until another view opens', async () => {
    const { asked } = await openConnection(viewOf(sessions.signedOut))
    await type('Service address', 'https://other.example.com')
    await press('Save')
    await asked[0]?.answer(ok)
    expect(callsOf(asked)).toEqual([['saveSettings', { baseAddress: 'https://other.example.com', tryAddress: true }]])
    expect(title()).toBe('Settings')
    expect(screen.getByText('Settings saved.').closest('[role=status]')).toBeTruthy()
    await press('Help and about')
    expect(screen.queryByText('Settings saved.')).toBeNull()
  })
})

describe('a screen requested from outside the window', () => {
  const request = (screen: 'settings' | 'signIn', number: number) => ({ navigation: { screen, number } })
  const settingsHeading = () => screen.findByRole('heading', { name: 'Settings' })

  test('a requested screen opens with a new window, and again at each later request', async () => {
    const { show } = await openWindow(viewOf(sessions.active, request('settings', 1)))
    await settingsHeading()
    await press('Back')
    await show(viewOf(sessions.unreachable, request('settings', 1)))
    expect(screen.queryByRole('heading', { name: 'Settings' })).toBeNull()
    await show(viewOf(sessions.unreachable, request('settings', 2)))
    await settingsHeading()
  })

  test('before a requested screen opens, the window asks about values typed in the settings', async () => {
    const { show } = await openConnection(viewOf(sessions.ending))
    await type('Service address', 'https://half')
    await show(viewOf(sessions.ending, request('signIn', 1)))
    expect(screen.getByRole('alertdialog', { name: 'Save your changes?' })).toBeTruthy()
    await press('Keep editing')
    expect(field('Service address').value).toBe('https://half')
    await show(viewOf(sessions.ending, request('signIn', 2)))
    await press('Discard')
    expect(document.activeElement).toBe(field('Password'))
  })
})

describe('SECURITY: the second click of a double click does nothing in a view that has just appeared', () => {
  const click = (name: string, detail: number) =>
    button(name).dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail }))

  test('after the sign-in', async () => {
    const { show } = await openWindow(viewOf(sessions.signedOut))
    click('Sign in', 1)
    await show(viewOf(sessions.active))
    click('R httr2', 2)
    expect(screen.queryByRole('heading', { name: 'Use in your tools', level: 1 })).toBeNull()
    await press('R httr2')
    expect(screen.getByRole('heading', { name: 'Use in your tools', level: 1 })).toBeTruthy()
  })

  test('on the user’s name, where the menu stays open', async () => {
    await openWindow(viewOf(sessions.active))
    await openMenu()
    click('ana: menu', 2)
    expect(screen.getByRole('menu')).toBeTruthy()
  })
})

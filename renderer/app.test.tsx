import { cleanup, fireEvent, screen } from '@testing-library/preact'
import { afterEach, describe, expect, test } from 'vitest'
import type { SessionView } from '../preload/contract.ts'
import { button, connection, field, ok, openWindow, press, sessions, type, viewOf } from './testing.tsx'

afterEach(cleanup)

const headings: Record<SessionView['kind'], string> = {
  notConfigured: 'Where is your data?',
  restoring: 'One moment',
  keychainLocked: 'Your keychain is locked',
  signedOut: 'Sign in',
  signingIn: 'Sign in',
  active: 'Signed in as ana',
  unreachable: 'Signed in as ana',
  ending: 'Signed in as ana',
  expired: 'Sign in again',
}

describe('every state of the session has its view', () => {
  test.each(Object.entries(headings))('%s', async (kind, heading) => {
    await openWindow(viewOf(sessions[kind as SessionView['kind']]))
    expect(screen.getAllByRole('heading').map((element) => element.textContent)).toEqual([heading])
  })

  test('and before the first view is delivered there is nothing to press', async () => {
    await openWindow(undefined)
    expect(screen.queryAllByRole('button')).toEqual([])
  })
})

describe('the focus goes where the hands go next', () => {
  const focused: Partial<Record<SessionView['kind'], () => Element>> = {
    notConfigured: () => field('Service address'),
    keychainLocked: () => screen.getByRole('heading'),
    signedOut: () => field('Username'),
    active: () => screen.getByRole('heading'),
    expired: () => field('Password'),
  }
  test.each(Object.entries(focused))('%s', async (kind, element) => {
    await openWindow(viewOf(sessions[kind as SessionView['kind']]))
    expect(document.activeElement).toBe(element())
  })

  test('and stays when a renewal, or its failure, comes by itself', async () => {
    const { show } = await openWindow(viewOf(sessions.active))
    button('Sign out').focus()
    await show(viewOf({ ...sessions.active, renewal: 'running' }))
    await show(viewOf(sessions.unreachable))
    await show(viewOf(sessions.ending))
    expect(document.activeElement).toBe(button('Sign out'))
  })
})

test('a change of state is said politely, a renewal is not', async () => {
  const { show } = await openWindow(viewOf(sessions.active))
  const said = () => screen.getAllByRole('status')[0]?.textContent
  const before = said()
  await show(viewOf({ ...sessions.active, renewal: 'running' }))
  expect(said()).toBe(before)
  await show(viewOf(sessions.unreachable))
  expect(said()).toBe('Can’t reach data.example.com, session kept')
  await show(viewOf({ ...sessions.active, kept: 'unwritten' }))
  expect(said()).toContain('Your keychain can’t be written')
})

describe('notices about the settings are shown in every view, and interrupt nobody', () => {
  const notices = ['The settings were damaged and set aside.', 'The value of SCOPE can’t be used.']
  test.each(Object.keys(sessions))('%s', async (kind) => {
    await openWindow(viewOf(sessions[kind as SessionView['kind']], { notices }))
    for (const notice of notices) {
      expect(screen.getByText(notice).closest('[role=alert], [role=status], [aria-live]')).toBeNull()
    }
  })

  test('and in a form that the user opened', async () => {
    await openWindow(viewOf(sessions.active, { notices }))
    await press('Change password')
    expect(screen.getByText('The settings were damaged and set aside.')).toBeTruthy()
  })
})

describe('a form that the user opened', () => {
  test('while the keychain is locked, Sign in stays reachable, and Escape goes back', async () => {
    await openWindow(viewOf(sessions.keychainLocked))
    await press('Sign in')
    expect(field('Username')).toBe(document.activeElement)
    await fireEvent.keyDown(document.body, { key: 'Escape' })
    expect(screen.getByRole('heading').textContent).toBe('Your keychain is locked')
  })

  test('while the session is ending: it keeps what was typed through a sign-in that fails', async () => {
    const { show } = await openWindow(viewOf(sessions.ending))
    await press('Sign in again')
    expect(field('Username').value).toBe('ana')
    await type('Username', 'ana.f')
    await show(viewOf(sessions.signingIn))
    await show(viewOf(sessions.ending))
    expect(field('Username').value).toBe('ana.f')
    await press('Back')
    expect(screen.getByRole('heading').textContent).toBe('Signed in as ana')
  })

  test('closes with the sign-in: a later ending shows the session, not the form', async () => {
    const { show } = await openWindow(viewOf(sessions.ending))
    await press('Sign in again')
    await show(viewOf(sessions.active))
    await show(viewOf(sessions.ending))
    expect(screen.getByRole('heading').textContent).toBe('Signed in as ana')
  })

  test('the address can be changed while signed out', async () => {
    const { asked } = await openWindow(viewOf(sessions.signedOut))
    await press('Change')
    expect(field('Service address').value).toBe('https://data.example.com')
    await type('Service address', 'https://other.example.com')
    await press('Connect')
    expect(asked.map(({ name, input }) => [name, input])).toEqual([
      ['connect', { baseAddress: 'https://other.example.com' }],
    ])
    await asked[0]?.answer(ok)
    expect(screen.getByRole('heading').textContent).toBe('Sign in')
  })

  test.each([
    ['policy', /set by your administrator/],
    ['environment', /set by LATCHKEY_BASE_URL/],
  ] as const)('but not one that is managed (%s): it says by whom', async (source, sentence) => {
    await openWindow(viewOf(sessions.signedOut, { connection: { ...connection, source } }))
    expect(screen.queryByRole('button', { name: 'Change' })).toBeNull()
    expect(screen.getByText(sentence)).toBeTruthy()
  })

  test('while the session is ending: once it has ended there is nothing to go back to', async () => {
    const { show } = await openWindow(viewOf(sessions.ending))
    await press('Sign in again')
    await show(viewOf(sessions.expired))
    expect(screen.queryByRole('button', { name: 'Back' })).toBeNull()
  })
})

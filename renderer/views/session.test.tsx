import { cleanup, fireEvent, screen } from '@testing-library/preact'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { GRANTS } from '../../contract/grants.ts'
import { switchesOf } from '../../contract/testing.ts'
import type { AgentView, AppView, SessionView } from '../../contract/views.ts'
import { button, callsOf, MINUTE, NOW, ok, openWindow, pass, press, refused, sessions, viewOf } from '../testing.tsx'

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const { active, unreachable, ending } = sessions

const { refreshesAt: _, ...lastToken } = active.token
const sso = { ...active.account, grant: GRANTS.passwordRealm } as const
const once = { ...active, account: sso, token: lastToken, kept: 'memory' } as const
const { token: __, ...outOfTokens } = unreachable
const used = { agent: { uses: [{ name: 'curl', lastAt: NOW - 2 * MINUTE, count: 1 }] } }

/** The accessible texts of an element, in one line. */
const heard = (part: Element | null): string =>
  [...(part?.querySelectorAll('h2, h3, bdi, p, strong, span.hint, button') ?? [])]
    .map(({ textContent }) => textContent?.trim())
    .filter((text) => text !== '')
    .join(' ')
const card = () => heard(screen.getByRole('region', { name: 'Your tools' }))

describe('the tools’ card reads', () => {
  test.each<[string, SessionView, Partial<AppView>?]>([
    [
      'Your tools are connected. Recently used by curl 2 min ago Use in your tools Renews automatically at 14:30.',
      active,
      used,
    ],
    [
      'Ready for your tools. No tool has asked for an access token yet. Use in your tools Renews automatically at 14:30.',
      active,
    ],
    [
      'Tools can’t get access tokens. This is turned off in Settings → On this computer. Turn on Renews automatically at 14:30.',
      active,
      { switches: switchesOf({ agent: { enabled: false, source: 'user' } }) },
    ],
    [
      'Tools can’t get access tokens. Your administrator has turned this off. Renews automatically at 14:30.',
      active,
      { switches: switchesOf({ agent: { enabled: false, source: 'policy' } }) },
    ],
    [
      'Tools can’t get access tokens. Another Latchkey is in the way. Renews automatically at 14:30.',
      active,
      { agent: { problem: 'Another Latchkey is in the way.', uses: [] } },
    ],
    [
      'Your tools have access until 14:41. Use in your tools 41 mins left. After that, you’ll need to sign in again.',
      once,
      used,
    ],
    [
      'Your tools have access until 14:41. Use in your tools 41 mins left. Renews as soon as possible.',
      unreachable,
      used,
    ],
    ['Your tools can’t get a token right now. They get one as soon as the service is back.', outOfTokens, used],
    ['Your tools have access until 14:41. Use in your tools 41 mins left.', ending, used],
  ])('%s', async (text, session, over) => {
    await openWindow(viewOf(session, over))
    expect(card()).toBe(text)
  })
})

describe('the bar for the remaining lifetime', () => {
  const filled = () => document.querySelector('.life-left')?.getAttribute('width')

  test('the bar is only shown if the tools’ access will end', async () => {
    const { show } = await openWindow(viewOf(active))
    expect(filled()).toBeUndefined()
    await show(viewOf(ending))
    expect(filled()).toBe('68.3%')
  })
})

describe('during an outage', () => {
  test('the window says that the session is kept, and counts down the seconds to the next attempt', async () => {
    await openWindow(viewOf(unreachable))
    expect(screen.getByText('Latchkey can’t reach data.example.com.')).toBeTruthy()
    expect(screen.getByText('Trying again in 12 seconds.')).toBeTruthy()
    await pass(11_000)
    expect(screen.getByText('Trying again in 1 second.')).toBeTruthy()
    await pass(1_000)
    expect(screen.getByText('Trying again now.')).toBeTruthy()
  })

  test('the user can sign in again as soon as the tools get no token', async () => {
    const { show } = await openWindow(viewOf(unreachable))
    expect(screen.queryByRole('button', { name: 'Sign in' })).toBeNull()
    const { token: _, ...without } = unreachable
    await show(viewOf(without))
    await press('Sign in')
    expect(screen.getByRole('heading', { name: 'Sign in' })).toBeTruthy()
    await show(viewOf(active))
    expect(screen.getByRole('heading', { name: /Signed in as/ })).toBeTruthy()
  })
})

test('if the identity provider fails, the error names the provider or its host', async () => {
  const account = { ...active.account, grant: GRANTS.passwordRealm } as const
  const failure = {
    code: 'notConfigured',
    serverText: 'The client is unknown.',
    details: { host: 'login.example.com:443' },
  } as const
  const { show } = await openWindow(viewOf({ ...unreachable, account, failure }))
  expect(screen.getByText('Your identity provider doesn’t accept Latchkey’s settings.')).toBeTruthy()
  expect(screen.getByText(/Your identity provider says:/)).toBeTruthy()
  await show(viewOf({ ...unreachable, account, failure: { ...failure, code: 'unreachable' } }))
  expect(screen.getByText('Latchkey can’t reach login.example.com.')).toBeTruthy()
  expect(screen.getAllByRole('status')[0]?.textContent).toBe('Can’t reach login.example.com, session kept')
})

test('the password can be changed unless the session is ending', async () => {
  const { show } = await openWindow(viewOf(active))
  expect(button('Change password')).toBeTruthy()
  await show(viewOf(unreachable))
  expect(button('Change password')).toBeTruthy()
  await show(viewOf(ending))
  expect(screen.queryByRole('button', { name: 'Change password' })).toBeNull()
})

describe('the actions', () => {
  test('Renew now makes one request at a time, and shows its result', async () => {
    const { asked } = await openWindow(viewOf(active))
    const said = () => screen.getAllByRole('status').at(-1)?.textContent
    await press('Renew now')
    await press('Renewing…')
    expect(asked.map(({ name }) => name)).toEqual(['refreshNow'])
    await asked[0]?.answer(ok)
    expect(said()).toBe('Renewed.')
    await press('Renew now')
    await asked[1]?.answer(refused)
    expect(said()).toBe('Not renewed.')
  })

  test('Sign out makes one call, and shows its failure', async () => {
    const { asked } = await openWindow(viewOf(active))
    await press('Sign out')
    await press('Sign out')
    expect(asked.map(({ name }) => name)).toEqual(['signOut'])
    await asked[0]?.answer({ ok: false, failure: { code: 'keychainUnavailable' } })
    expect(screen.getByRole('alert').textContent).toContain('Your keyring isn’t responding.')
  })

  test('while a copied token is on the clipboard, a line says when it will be cleared', async () => {
    const { asked } = await openWindow(viewOf(active))
    const said = () => screen.queryByText('Copied. Cleared from the clipboard in 1 minute.')
    await press('More')
    await press('Copy access token')
    await asked[0]?.answer(ok)
    expect(callsOf(asked)).toEqual([['copyToken', undefined]])
    expect(said()?.getAttribute('role')).toBe('status')
    await pass(MINUTE - 1)
    expect(said()).toBeTruthy()
    await pass(1)
    expect(said()).toBeNull()
    expect(screen.getByText(/Saved in your keyring/)).toBeTruthy()
  })

  test.each(['Sign out', 'Copy access token'])(
    'SECURITY: the second click of a double click doesn’t press %s',
    async (name) => {
      const { asked } = await openWindow(viewOf(active))
      await press('More')
      button(name).dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }))
      expect(asked).toEqual([])
      button(name).dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }))
      expect(asked).toHaveLength(1)
    },
  )
})

describe('signing out while tools use the session', () => {
  const at = (minutes: number): AgentView => ({
    uses: [{ name: 'python-httpx', lastAt: NOW - minutes * MINUTE, count: 3 }],
  })

  test('Sign out asks for confirmation; the safe answer has the focus, and Escape chooses that answer', async () => {
    const { asked } = await openWindow(viewOf(active, { agent: at(2) }))
    await press('Sign out')
    const question = screen.getByRole('alertdialog', { name: 'Sign out?' })
    expect(heard(question)).toContain('It can’t get another token once you sign out.')
    expect(document.activeElement).toBe(button('Stay signed in'))
    await fireEvent.keyDown(button('Stay signed in'), { key: 'Escape' })
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(document.activeElement).toBe(button('Sign out'))
    expect(asked).toEqual([])
  })

  test('the user is signed out after confirming', async () => {
    const { asked } = await openWindow(viewOf(active, { agent: at(2) }))
    await press('Sign out')
    await press('Sign out anyway')
    expect(callsOf(asked)).toEqual([['signOut', undefined]])
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  test('Sign out needs no confirmation if no tool has asked for a token in the last ten minutes', async () => {
    const { asked } = await openWindow(viewOf(active, { agent: at(10) }))
    await press('Sign out')
    expect(callsOf(asked)).toEqual([['signOut', undefined]])
  })

  test('if the user signs out in the tray’s menu, the window asks for confirmation', async () => {
    const navigation = { screen: 'signOut', number: 1 } as const
    const { show } = await openWindow(viewOf(active, { agent: at(2), navigation }))
    expect(screen.getByRole('alertdialog', { name: 'Sign out?' })).toBeTruthy()
    await show(viewOf(sessions.signedOut, { navigation }))
    await show(viewOf(active, { navigation }))
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })
})

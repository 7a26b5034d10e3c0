import { fireEvent, screen } from '@testing-library/preact'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { GRANTS } from '../../contract/grants.ts'
import { switchesOf } from '../../contract/testing.ts'
import type { AgentView, AppView, SessionView } from '../../contract/views.ts'
import {
  button,
  callsOf,
  choose,
  MINUTE,
  NOW,
  ok,
  openWindow,
  pass,
  press,
  refused,
  sessions,
  viewOf,
} from '../testing.tsx'

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
})
const { active, unreachable, ending } = sessions
const DAY = 24 * 60 * MINUTE

const { refreshesAt: _, ...lastToken } = active.token
const sso = { ...active.account, grant: GRANTS.passwordRealm } as const
const once = { ...active, account: sso, token: lastToken, kept: 'memory' } as const
const { token: __, ...outOfTokens } = unreachable
const used = { agent: { uses: [{ name: 'curl', lastAt: NOW - 2 * MINUTE, count: 1 }] } }

/** Heading, text and buttons of the status. */
const status = (): string => {
  const box = screen.getByRole('heading', { level: 1 }).parentElement
  return [...(box?.querySelectorAll('h1, .lead > p, button') ?? [])].map(({ textContent }) => textContent).join(' | ')
}

test.each<[string, SessionView, Partial<AppView>?]>([
  [
    'Your tools are signed in | You stay signed in after a restart. Your service doesn’t say when your session ends.',
    active,
    used,
  ],
  [
    'Ready for your tools | You stay signed in after a restart. Your service doesn’t say when your session ends.',
    active,
  ],
  [
    'Ready for your tools | You stay signed in until about Fri 14:00, as your service says.',
    { ...active, end: { kind: 'expected', at: NOW + 4 * DAY, saidBy: 'provider', warnsAt: NOW + 3 * DAY } },
  ],
  [
    'Ready for your tools | You stay signed in until about Fri 14:00, as your last sessions did.',
    { ...active, end: { kind: 'expected', at: NOW + 4 * DAY, saidBy: 'earlierSessions' } },
  ],
  [
    'Ready for your tools | You stay signed in at least until Fri 14:00.',
    { ...active, end: { kind: 'notBefore', at: NOW + 4 * DAY } },
  ],
  [
    'Ready for your tools | You stay signed in after a restart.',
    { ...active, end: { kind: 'notBefore', at: NOW + 30 * MINUTE } },
  ],
  [
    'Ready for your tools | You stay signed in: your identity provider sets no limit.',
    { ...active, end: { kind: 'never' } },
  ],
  [
    'Ready for your tools | This desktop has no keyring: you stay signed in until you quit Latchkey. You stay signed in: your identity provider sets no limit.',
    { ...active, kept: 'memory', end: { kind: 'never' } },
  ],
  [
    'Your session ends at about 18:00 | Your identity provider says so. Sign in again before then, and your tools keep running. | Sign in',
    { ...active, account: sso, end: { kind: 'expected', at: NOW + DAY / 6, saidBy: 'provider', warnsAt: NOW } },
  ],
  [
    'Ready for your tools | This desktop has no keyring: you stay signed in until you quit Latchkey. Your service doesn’t say when your session ends.',
    { ...active, kept: 'memory' },
  ],
  [
    'Tools can’t get tokens | You’ve turned that off in Settings. | Signed in as ana · data.example.com | Turn on',
    active,
    { switches: switchesOf({ agent: { enabled: false, source: 'user' } }) },
  ],
  [
    'Tools can’t get tokens | Your administrator has turned off tokens for tools. | Signed in as ana · data.example.com',
    active,
    { switches: switchesOf({ agent: { enabled: false, source: 'policy' } }) },
  ],
  [
    'Tools can’t get tokens | Another Latchkey is in the way. | Check this computer',
    active,
    { agent: { problem: 'Another Latchkey is in the way.', uses: [] } },
  ],
  [
    'Your session can’t be saved | Saving it in your keyring failed: it may be locked or missing, or the disk may be full. You stay signed in, and Latchkey keeps trying. If you quit now, you may have to sign in again. | Check this computer',
    { ...active, kept: 'unsaved' },
  ],
  [
    'Your tools have access until 14:41 | 41 mins left. Then sign in again: your identity provider doesn’t let Latchkey renew the session.',
    once,
    used,
  ],
  [
    'Can’t reach data.example.com | You stay signed in. Your tools have a token until 14:41; trying again in 12 seconds. | Try again now | Check this computer',
    unreachable,
    used,
  ],
  [
    'Can’t reach data.example.com | You stay signed in. Your tools can’t get a token right now; trying again in 12 seconds. | Try again now | Sign in | Check this computer',
    outOfTokens,
  ],
  [
    'Your session can’t be renewed | Your tools have a token until 14:41. Sign in to avoid an interruption. | Sign in',
    ending,
    used,
  ],
])('the status and its buttons are: %s', async (text, session, over) => {
  await openWindow(viewOf(session, over))
  expect(status()).toBe(text)
})

test.each([
  ['forbidden', []],
  ['off', ['Excel, BI']],
] as const)('if tools can’t get tokens and the gateway is %s, the tiles are %j', async (kind, tiles) => {
  const switches = switchesOf({ agent: { enabled: false, source: 'policy' } })
  await openWindow(viewOf(active, { switches, gateway: { kind } }))
  expect([...document.querySelectorAll('.tile b')].map((each) => each.textContent)).toEqual(tiles)
})

describe('during an outage', () => {
  test('the window counts down the seconds to the next attempt', async () => {
    await openWindow(viewOf(unreachable))
    await pass(11_000)
    expect(screen.getByText(/; trying again in 1 second\./)).toBeTruthy()
    await pass(1_000)
    expect(screen.getByText(/; trying again now\./)).toBeTruthy()
  })

  test('Try again now sends one request for a new token at a time', async () => {
    const { asked } = await openWindow(viewOf(unreachable))
    await press('Try again now')
    await press('Try again now')
    expect(callsOf(asked)).toEqual([['refreshNow', undefined]])
  })

  test('the user can sign in again as soon as tools can’t get a token', async () => {
    const { show } = await openWindow(viewOf(outOfTokens))
    await choose('Sign in')
    expect(screen.getByRole('heading', { name: 'Sign in' })).toBeTruthy()
    await show(viewOf(active))
    expect(screen.getByRole('heading', { name: 'Ready for your tools' })).toBeTruthy()
  })
})

test('if the agent is turned off, Turn on turns it on without losing the focus', async () => {
  const off = switchesOf({ agent: { enabled: false, source: 'user' } })
  const { asked, show } = await openWindow(viewOf(active, { switches: off, ...used }))
  expect(screen.queryByRole('listitem')).toBeNull()
  await press('Turn on')
  expect(callsOf(asked)).toEqual([['setSwitch', { name: 'agent', enabled: true }]])
  await asked[0]?.answer(ok)
  await show(viewOf(active, used))
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Your tools are signed in' }))
})

test('if the identity provider fails, the error names it or its host', async () => {
  const account = { ...active.account, grant: GRANTS.passwordRealm } as const
  const failure = {
    code: 'notConfigured',
    serverText: 'The client is unknown.',
    details: { host: 'login.example.com:443' },
  } as const
  const { show } = await openWindow(viewOf({ ...unreachable, account, failure }))
  expect(screen.getByText('Your identity provider doesn’t accept Latchkey’s settings')).toBeTruthy()
  expect(screen.getByText(/Your identity provider says:/)).toBeTruthy()
  await show(viewOf({ ...unreachable, account, failure: { ...failure, code: 'unreachable' } }))
  expect(screen.getByText('Can’t reach login.example.com')).toBeTruthy()
  await pass(150)
  expect(screen.getAllByRole('status')[0]?.textContent).toBe('Can’t reach login.example.com, session kept')
})

describe('the actions', () => {
  const lastResult = () => screen.getAllByRole('status')[1]?.textContent

  test('Renew now sends one request at a time, and shows its result', async () => {
    const { asked } = await openWindow(viewOf(active))
    await choose('Renew now')
    expect(lastResult()).toBe('Renewing…')
    await choose('Renew now')
    expect(asked.map(({ name }) => name)).toEqual(['refreshNow'])
    await asked[0]?.answer(ok)
    expect(lastResult()).toBe('Renewed.')
    await choose('Renew now')
    await asked[1]?.answer(refused)
    expect(lastResult()).toBe('Couldn’t renew. Latchkey keeps trying.')
    await pass(10_000)
    expect(lastResult()).toBe('')
  })

  test('Sign out makes one call, and shows its failure', async () => {
    const { asked } = await openWindow(viewOf(active))
    await choose('Sign out')
    await choose('Sign out')
    expect(asked.map(({ name }) => name)).toEqual(['signOut'])
    await asked[0]?.answer({ ok: false, failure: { code: 'keychainUnavailable' } })
    expect(screen.getByRole('alert').textContent).toContain('Your keyring isn’t responding')
  })

  test('after a token is copied, a line says when the clipboard will be cleared', async () => {
    const { asked } = await openWindow(viewOf(active))
    await choose('Copy access token')
    await asked[0]?.answer(ok)
    expect(callsOf(asked)).toEqual([['copyToken', undefined]])
    await pass(MINUTE - 1)
    expect(lastResult()).toBe('Copied. Cleared from the clipboard in 1 minute.')
    await pass(1)
    expect(lastResult()).toBe('')
  })
})

describe('signing out while tools use the session', () => {
  const at = (minutes: number): AgentView => ({
    uses: [{ name: 'python-httpx', lastAt: NOW - minutes * MINUTE, count: 3 }],
  })

  test('Sign out asks first; the safe answer has the focus, and Escape chooses it', async () => {
    const { asked } = await openWindow(viewOf(active, { agent: at(2) }))
    await choose('Sign out')
    const question = screen.getByRole('alertdialog', { name: 'Sign out?' })
    expect(question.textContent).toContain('It can’t get another token once you sign out.')
    expect(document.activeElement).toBe(button('Stay signed in'))
    await fireEvent.keyDown(button('Stay signed in'), { key: 'Escape' })
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(document.activeElement).toBe(button('ana: menu'))
    expect(asked).toEqual([])
  })

  test('confirming the question signs out', async () => {
    const { asked } = await openWindow(viewOf(active, { agent: at(2) }))
    await choose('Sign out')
    await press('Sign out anyway')
    expect(callsOf(asked)).toEqual([['signOut', undefined]])
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  test('Sign out acts at once if no tool has got a token for ten minutes', async () => {
    const { asked } = await openWindow(viewOf(active, { agent: at(10) }))
    await choose('Sign out')
    expect(callsOf(asked)).toEqual([['signOut', undefined]])
  })

  test('Sign out asks for confirmation while a tool listens for tokens, even if the tool got none lately', async () => {
    const uses = at(40).uses.map((use) => ({ ...use, isListening: true as const }))
    await openWindow(viewOf(active, { agent: { uses } }))
    await choose('Sign out')
    expect(screen.getByRole('alertdialog', { name: 'Sign out?' }).textContent).toContain('A tool uses your session')
  })

  test('Sign out in the tray’s menu asks for confirmation in the window', async () => {
    const navigation = { screen: 'signOut', number: 1 } as const
    const { show } = await openWindow(viewOf(active, { agent: at(2), navigation }))
    expect(screen.getByRole('alertdialog', { name: 'Sign out?' })).toBeTruthy()
    await show(viewOf(sessions.signedOut, { navigation }))
    await show(viewOf(active, { navigation }))
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })
})

test('the user can sign in again before the session ends, and then sees the new session', async () => {
  const end = { kind: 'expected', at: NOW + DAY / 6, saidBy: 'provider', warnsAt: NOW } as const
  const { show } = await openWindow(viewOf({ ...active, end }))
  await press('Sign in')
  expect(screen.getByLabelText('Password')).toBeTruthy()
  // A refresh doesn't close the form.
  await show(viewOf({ ...active, end, refresh: 'running' }))
  expect(screen.getByLabelText('Password')).toBeTruthy()
  await show(viewOf({ kind: 'signingIn' }))
  await show(viewOf({ ...active, end: { kind: 'notBefore', at: NOW + DAY } }))
  expect(screen.queryByLabelText('Password')).toBeNull()
  expect(status()).toContain('Ready for your tools')
})

import { screen } from '@testing-library/preact'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { GRANTS } from '../../contract/grants.ts'
import type { AgentView, AppView, SessionView } from '../../contract/views.ts'
import {
  alerted,
  button,
  callsOf,
  choose,
  failed,
  MINUTE,
  NOW,
  openWindow,
  press,
  pressEscape,
  sessions,
  switchesOf,
  viewOf,
} from '../testing.tsx'

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
})
const { active, unreachable } = sessions

const { refreshesAt: _, ...lastToken } = active.token
const sso = { ...active.account, grant: GRANTS.passwordRealm } as const
const { token: __, ...outOfTokens } = unreachable
const at = (minutes: number): { readonly agent: AgentView } => ({
  agent: { uses: [{ name: 'curl', lastAt: NOW - minutes * MINUTE, count: 1 }] },
})
const used = at(2)
const off = { switches: switchesOf({ agent: { enabled: false, source: 'user' } }) }

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
    'Ready for your tools | This desktop has no keyring: you stay signed in until you quit Latchkey. You stay signed in: your identity provider sets no limit.',
    { ...active, kept: 'memory', end: { kind: 'never' } },
  ],
  [
    'Tools can’t get tokens | You’ve turned that off in Settings. | Signed in as ana · data.example.com | Turn on',
    active,
    off,
  ],
  [
    'Your session can’t be saved | Saving it in your keyring failed: it may be locked or missing, or the disk may be full. You stay signed in, and Latchkey keeps trying. If you quit now, you may have to sign in again. | Check this computer',
    { ...active, kept: 'unsaved' },
  ],
  [
    'Your tools have access until 14:41 | 41 mins left. Then sign in again: your identity provider doesn’t let Latchkey renew the session.',
    { ...active, account: sso, token: lastToken, kept: 'memory' },
  ],
  [
    'Can’t reach data.example.com | You stay signed in. Your tools can’t get a token right now; trying again in 12 seconds. | Try again now | Sign in | Check this computer',
    outOfTokens,
  ],
])('the status and its buttons are: %s', async (text, session, over) => {
  await openWindow(viewOf(session, over))
  expect(status()).toBe(text)
})

test('Try again now and Turn on send one request at a time', async () => {
  const { asked, show } = await openWindow(viewOf(unreachable))
  await press('Try again now')
  await press('Try again now')
  await show(viewOf(active, off))
  await press('Turn on')
  await press('Turn on')
  expect(callsOf(asked)).toEqual([
    ['refreshNow', undefined],
    ['setSwitch', { name: 'agent', enabled: true }],
  ])
})

describe('Sign out', () => {
  test('acts at once, and only once, if no tool has got a token for ten minutes; its failure is shown', async () => {
    const { asked } = await openWindow(viewOf(active, at(10)))
    await choose('Sign out')
    await choose('Sign out')
    expect(callsOf(asked)).toEqual([['signOut', undefined]])
    await asked[0]?.answer(failed({ code: 'keychainUnavailable' }))
    expect(alerted()).toContain('Your keyring isn’t responding')
  })

  test('asks first while tools use the session, from the tray only once; Escape chooses the focused safe answer', async () => {
    const { asked, show } = await openWindow(viewOf(active, used))
    await choose('Sign out')
    expect(document.activeElement).toBe(button('Stay signed in'))
    await pressEscape(button('Stay signed in'))
    expect([screen.queryByRole('alertdialog'), document.activeElement]).toEqual([null, button('ana: menu')])
    expect(asked).toEqual([])
    await choose('Sign out')
    await press('Sign out anyway')
    expect(callsOf(asked)).toEqual([['signOut', undefined]])
    const fromTray = { ...used, navigation: { screen: 'signOut', number: 1 } } as const
    for (const [session, questions] of [
      [active, 1],
      [sessions.signedOut, 0],
      [active, 0],
    ] as const) {
      await show(viewOf(session, fromTray))
      expect(screen.queryAllByRole('alertdialog')).toHaveLength(questions)
    }
  })
})

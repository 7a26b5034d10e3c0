import { act, fireEvent, screen } from '@testing-library/preact'
import { describe, expect, test } from 'vitest'
import { GRANTS } from '../../contract/grants.ts'
import type { AppView, SessionView } from '../../contract/views.ts'
import {
  button,
  connection,
  field,
  openMenu,
  openWindow,
  press,
  pressEscape,
  sessions,
  switchesOf,
  type,
  viewOf,
} from '../testing.tsx'

const labels = () => screen.queryAllByRole('menuitem').map(({ textContent }) => textContent)

describe('the user’s menu', () => {
  const { refreshesAt: _, ...lastToken } = sessions.active.token
  const sso = { ...sessions.active.account, grant: GRANTS.passwordRealm } as const
  const locked = { switches: switchesOf({ agent: { enabled: false, source: 'policy' } }) }
  const cases: readonly [string, SessionView, readonly string[], Partial<AppView>?][] = [
    ['active', sessions.active, ['Change password', 'Renew now', 'Copy access token']],
    ['no tokens for tools', sessions.active, ['Change password', 'Renew now'], locked],
    ['ending', sessions.ending, ['Sign in', 'Renew now', 'Copy access token']],
    ['single sign-on', { ...sessions.active, account: sso, token: lastToken }, ['Copy access token']],
  ]
  test.each(cases)('lists the actions that the session allows: %s', async (_, session, own, over) => {
    await openWindow(viewOf(session, over))
    await openMenu()
    expect(labels()).toEqual([...own, 'Settings', 'Check this computer', 'Help', 'Sign out'])
  })

  test('can be used with the keyboard, and closes when the focus leaves it', async () => {
    await openWindow(viewOf(sessions.active))
    const opener = button('ana: menu')
    opener.focus()
    const focusedAfter = async (key: string) => {
      await act(async () => void fireEvent.keyDown(document.activeElement ?? document.body, { key }))
      return document.activeElement?.textContent
    }
    expect(await focusedAfter('ArrowDown')).toBe('Change password')
    expect(await focusedAfter('ArrowUp')).toBe('Sign out')
    expect(await focusedAfter('ArrowDown')).toBe('Change password')
    expect(await focusedAfter('ArrowDown')).toBe('Renew now')
    expect(await focusedAfter('End')).toBe('Sign out')
    await pressEscape(document.activeElement ?? document.body)
    expect([labels(), document.activeElement]).toEqual([[], opener])
    await openMenu()
    await act(async () => button('Python notebook or script').focus())
    expect(labels()).toEqual([])
  })
})

test('SECURITY: text typed for one connection never appears in another’s form', async () => {
  const names = ['default', 'staging']
  const connections = names.map((name) => ({ name, isOwn: true, session: sessions.signedOut, connection }))
  const { show } = await openWindow(viewOf(sessions.signedOut, { connections, shown: 'staging' }))
  await type('Username', 'ana')
  await type('Password', 'hush')
  await press('Sign in')
  await show(viewOf(sessions.signedOut, { connections, shown: 'default' }))
  expect([field('Username').value, field('Password').value]).toEqual(['', ''])
})

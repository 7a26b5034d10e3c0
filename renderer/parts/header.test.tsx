import { act, fireEvent, screen } from '@testing-library/preact'
import { describe, expect, test } from 'vitest'
import { GRANTS } from '../../contract/grants.ts'
import type { AppView, ConnectionSessionView, SessionView } from '../../contract/views.ts'
import {
  button,
  callsOf,
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

const first: ConnectionSessionView = {
  name: 'default',
  isOwn: false,
  session: sessions.active,
  connection: { ...connection, displayName: 'Production' },
}
const staging: ConnectionSessionView = {
  name: 'staging',
  isOwn: true,
  session: sessions.signedOut,
  connection: { ...connection, baseAddress: 'https://staging.example.com', host: 'staging.example.com' },
}
const showing = ({ session, name, connection = {} as never }: ConnectionSessionView, of = [first, staging]): AppView =>
  viewOf(session, { connections: of, shown: name, connection })
const items = (role: 'menuitem' | 'menuitemradio' = 'menuitem') => screen.queryAllByRole(role)
const labels = () => items().map(({ textContent }) => textContent)
const pick = (item: HTMLElement | undefined) => act(async () => item?.click())

describe('the menu of services', () => {
  test('shows each connection’s state, marks the shown one, and can add another', async () => {
    const { asked } = await openWindow(showing(staging, [{ ...first, session: sessions.expired }, staging]))
    await press('staging, Signed out, 1 other needs attention')
    expect(items('menuitemradio').map((item) => [item.textContent, item.getAttribute('aria-checked')])).toEqual([
      ['Productiondata.example.comYour session has ended. Sign in again', 'false'],
      ['stagingstaging.example.comSigned out', 'true'],
    ])
    await pick(items('menuitemradio')[0])
    expect(callsOf(asked)).toEqual([['showConnection', { name: 'default' }]])
    await press(/^staging/)
    await pick(items()[0])
    expect(document.activeElement).toBe(field('Name for your tools'))
  })
})

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
    expect([items(), document.activeElement]).toEqual([[], opener])
    await openMenu()
    await act(async () => button('Python notebook or script').focus())
    expect(items()).toEqual([])
  })
})

test('SECURITY: text typed for one connection never appears in another’s form', async () => {
  const other = { ...first, session: sessions.signedOut }
  const { show } = await openWindow(showing(staging, [other, staging]))
  await type('Username', 'ana')
  await type('Password', 'hush')
  await press('Sign in')
  await show(showing(other, [other, staging]))
  expect([field('Username').value, field('Password').value]).toEqual(['', ''])
})

import { act, fireEvent, screen } from '@testing-library/preact'
import { describe, expect, test } from 'vitest'
import { GRANTS } from '../../contract/grants.ts'
import { switchesOf } from '../../contract/testing.ts'
import type { AppView, ConnectionSessionView, SessionView } from '../../contract/views.ts'
import { button, callsOf, choose, field, openMenu, openWindow, press, sessions, type, viewOf } from '../testing.tsx'

const connectionTo = (host: string) =>
  ({ baseAddress: `https://${host}`, host, source: 'user', grants: [GRANTS.password] }) as const
const first: ConnectionSessionView = {
  name: 'default',
  isOwn: false,
  session: sessions.active,
  connection: { ...connectionTo('data.example.com'), displayName: 'Production' },
}
const staging: ConnectionSessionView = {
  name: 'staging',
  isOwn: true,
  session: sessions.signedOut,
  connection: connectionTo('staging.example.com'),
}
const showing = (shown: ConnectionSessionView, over: Partial<AppView> = {}): AppView =>
  viewOf(shown.session, {
    connections: [first, staging],
    shown: shown.name,
    ...(shown.connection && { connection: shown.connection }),
    ...over,
  })
const items = (role: 'menuitem' | 'menuitemradio' = 'menuitem') => screen.queryAllByRole(role)
const labels = () => items().map(({ textContent }) => textContent)
const key = (name: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key: name })
const pick = (item: HTMLElement | undefined) => act(async () => item?.click())

describe('the menu of services', () => {
  test('shows each connection’s state, marks the shown one, and can add another', async () => {
    const { asked } = await openWindow(showing(staging))
    await press('staging, Signed out')
    expect(items('menuitemradio').map((item) => [item.textContent, item.getAttribute('aria-checked')])).toEqual([
      ['Productiondata.example.comSigned in as ana', 'false'],
      ['stagingstaging.example.comSigned out', 'true'],
    ])
    expect(labels()).toEqual(['Add a connection…'])
    await pick(items('menuitemradio')[0])
    expect(callsOf(asked)).toEqual([['showConnection', { name: 'default' }]])
    await press('staging, Signed out')
    await pick(items()[0])
    expect(document.activeElement).toBe(field('Name for your tools'))
  })

  test('has a button that says how many other connections need attention', async () => {
    await openWindow(showing(staging, { connections: [{ ...first, session: sessions.expired }, staging] }))
    expect(button('staging, Signed out, 1 other needs attention')).toBeTruthy()
  })

  test('is replaced by the product’s name while there is only one connection and nobody is signed in', async () => {
    await openWindow(viewOf(sessions.signedOut))
    expect(screen.getByText('Latchkey')).toBeTruthy()
    expect(button('Settings')).toBeTruthy()
    expect(screen.queryByRole('button', { expanded: false })).toBeNull()
  })
})

describe('the user’s menu', () => {
  const { token: _, ...outOfTokens } = sessions.unreachable
  const { refreshesAt: __, ...lastToken } = sessions.active.token
  const common = ['Settings', 'Check this computer', 'Help', 'Sign out']
  const sso = { ...sessions.active.account, grant: GRANTS.passwordRealm } as const
  const cases: readonly [string, SessionView, readonly string[]][] = [
    ['active', sessions.active, ['Change password', 'Renew now', 'Copy access token']],
    ['no token', outOfTokens, ['Sign in', 'Renew now']],
    ['ending', sessions.ending, ['Sign in', 'Renew now', 'Copy access token']],
    ['single sign-on', { ...sessions.active, account: sso, token: lastToken }, ['Copy access token']],
  ]
  test.each(cases)('lists the actions that the session allows: %s', async (_, session, own) => {
    await openWindow(viewOf(session))
    await openMenu()
    expect(labels()).toEqual([...own, ...common])
  })

  test.each([
    ['policy', false],
    ['user', true],
  ] as const)('with the agent turned off by the %s, a token can be copied: %s', async (source, isOffered) => {
    await openWindow(viewOf(sessions.active, { switches: switchesOf({ agent: { enabled: false, source } }) }))
    await openMenu()
    expect(labels().includes('Copy access token')).toBe(isOffered)
  })

  test('starts with the user’s name and the connection', async () => {
    await openWindow(showing(first))
    await openMenu()
    expect(document.querySelector('.menu-head')?.textContent).toBe('anaProduction')
  })

  test('can be used with the arrow keys, and Escape returns to its button', async () => {
    await openWindow(viewOf(sessions.active))
    const opener = button('ana: menu')
    opener.focus()
    key('ArrowDown')
    await act(async () => {})
    expect(opener.getAttribute('aria-expanded')).toBe('true')
    expect(document.activeElement?.textContent).toBe('Change password')
    key('ArrowUp')
    expect(document.activeElement?.textContent).toBe('Sign out')
    key('ArrowDown')
    key('ArrowDown')
    expect(document.activeElement?.textContent).toBe('Renew now')
    key('End')
    expect(document.activeElement?.textContent).toBe('Sign out')
    key('Escape')
    await act(async () => {})
    expect(items()).toEqual([])
    expect(document.activeElement).toBe(opener)
  })

  test('closes when the focus leaves it', async () => {
    await openWindow(viewOf(sessions.active))
    await openMenu()
    await act(async () => button('Python notebook or script').focus())
    expect(items()).toEqual([])
  })
})

test('SECURITY: text typed for one connection never appears in another’s form', async () => {
  const other = { ...first, session: sessions.signedOut }
  const view = (shown: ConnectionSessionView) => ({ ...showing(shown), connections: [other, staging] })
  const { show } = await openWindow(view(staging))
  await type('Username', 'ana')
  await type('Password', 'hush')
  await press('Sign in')
  await show(view(other))
  expect([field('Username').value, field('Password').value]).toEqual(['', ''])
})

test('an open form closes when the user shows another connection', async () => {
  const { show } = await openWindow(showing(first))
  await choose('Change password')
  await show(showing({ ...staging, session: sessions.active }))
  expect(screen.queryByLabelText('New password')).toBeNull()
})

import { act, cleanup, fireEvent, screen } from '@testing-library/preact'
import { afterEach, describe, expect, test } from 'vitest'
import { GRANTS } from '../../contract/grants.ts'
import type { AppView, ConnectionSessionView } from '../../contract/views.ts'
import { button, callsOf, field, openWindow, press, sessions, type, viewOf } from '../testing.tsx'

afterEach(cleanup)

const connectionTo = (host: string) =>
  ({ baseAddress: `https://${host}`, host, source: 'user', grants: [GRANTS.password] }) as const
const first: ConnectionSessionView = {
  name: 'default',
  isOwn: false,
  session: sessions.active,
  connection: connectionTo('data.example.com'),
}
const staging: ConnectionSessionView = {
  name: 'staging',
  isOwn: true,
  session: sessions.signedOut,
  connection: connectionTo('staging.example.com'),
}
const showing = (shown: ConnectionSessionView): AppView =>
  viewOf(shown.session, {
    connections: [first, staging],
    shown: shown.name,
    ...(shown.connection && { connection: shown.connection }),
  })

test('with several connections, each shows its state, and the shown one is marked', async () => {
  await openWindow(showing(staging))
  const buttons = screen.getByRole('navigation', { name: 'Connections' }).querySelectorAll('button')
  expect(
    [...buttons].map((button) => [button.getAttribute('aria-label'), button.getAttribute('aria-current')]),
  ).toEqual([
    ['data.example.com: Signed in as ana', 'false'],
    ['staging · staging.example.com: Signed out', 'true'],
  ])
})

describe('more than three connections are shown in a menu', () => {
  const trial = { ...staging, name: 'trial', connection: connectionTo('trial.example.com') }
  const old = { ...first, name: 'old', session: sessions.expired, connection: connectionTo('old.example.com') }
  const four = { ...showing(first), connections: [first, staging, trial, old] }
  const menu = () => screen.getByRole('navigation').querySelector('details') as HTMLDetailsElement
  const unfold = () => act(async () => (menu().querySelector('summary') as HTMLElement).click())

  test('the collapsed menu names the shown connection and how many others need attention', async () => {
    await openWindow(four)
    const summary = menu().querySelector('summary')
    expect(summary?.getAttribute('aria-label')).toBe('data.example.com, 1 other needs attention. Signed in as ana')
    expect(menu().open).toBe(false)
  })

  test('choosing a connection collapses the menu and requests that connection', async () => {
    const { asked } = await openWindow(four)
    await unfold()
    expect(menu().querySelectorAll('button')).toHaveLength(4)
    await press('trial · trial.example.com: Signed out')
    expect(callsOf(asked)).toEqual([['showConnection', { name: 'trial' }]])
    expect(menu().open).toBe(false)
  })

  test('Escape in the expanded menu collapses the menu, and the view stays open', async () => {
    await openWindow(four)
    await press('Change password')
    await unfold()
    fireEvent.keyDown(button('trial · trial.example.com: Signed out'), { key: 'Escape' })
    expect(menu().open).toBe(false)
    expect(document.activeElement).toBe(menu().querySelector('summary'))
    expect(field('New password')).toBeTruthy()
  })
})

test('SECURITY: text typed for one connection never appears in another’s form', async () => {
  const other = { ...first, session: sessions.signedOut }
  const view = (shown: ConnectionSessionView) => ({ ...showing(shown), connections: [other, staging] })
  const { show } = await openWindow(view(staging))
  await type('Username', 'ana')
  await type('Password', 'hush')
  await show(view(other))
  expect([field('Username').value, field('Password').value]).toEqual(['', ''])
})

test('an open form closes when another connection is shown', async () => {
  const { show } = await openWindow(showing(first))
  await press('Change password')
  await show(showing({ ...staging, session: sessions.active }))
  expect(screen.queryByLabelText('New password')).toBeNull()
})

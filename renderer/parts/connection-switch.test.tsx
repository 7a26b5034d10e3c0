import { cleanup, screen } from '@testing-library/preact'
import { afterEach, expect, test } from 'vitest'
import { GRANTS } from '../../contract/grants.ts'
import type { AppView, NamedConnectionView } from '../../contract/views.ts'
import { callsOf, field, openWindow, press, sessions, type, viewOf } from '../testing.tsx'

afterEach(cleanup)

const connectionTo = (host: string) =>
  ({ baseAddress: `https://${host}`, host, source: 'user', grants: [GRANTS.password] }) as const
const first: NamedConnectionView = {
  name: 'default',
  isOwn: false,
  session: sessions.active,
  connection: connectionTo('data.example.com'),
}
const staging: NamedConnectionView = {
  name: 'staging',
  isOwn: true,
  session: sessions.signedOut,
  connection: connectionTo('staging.example.com'),
}
const showing = (shown: NamedConnectionView): AppView =>
  viewOf(shown.session, {
    connections: [first, staging],
    shown: shown.name,
    ...(shown.connection && { connection: shown.connection }),
  })

test('one connection needs no switch', async () => {
  await openWindow(viewOf(sessions.active))
  expect(screen.queryByRole('navigation')).toBeNull()
})

test('of several, each tells its state, and which one is shown', async () => {
  await openWindow(showing(staging))
  const buttons = screen.getByRole('navigation', { name: 'Connections' }).querySelectorAll('button')
  expect(
    [...buttons].map((button) => [button.getAttribute('aria-label'), button.getAttribute('aria-current')]),
  ).toEqual([
    ['data.example.com: Signed in as ana · data.example.com', 'false'],
    ['staging.example.com: Signed out', 'true'],
  ])
})

test('another is asked for by its name', async () => {
  const { asked } = await openWindow(showing(first))
  await press('staging.example.com: Signed out')
  expect(callsOf(asked)).toEqual([['showConnection', { name: 'staging' }]])
})

test('SECURITY: what was typed for one connection does not stand in the form of another', async () => {
  const other = { ...first, session: sessions.signedOut }
  const view = (shown: NamedConnectionView) => ({ ...showing(shown), connections: [other, staging] })
  const { show } = await openWindow(view(staging))
  await type('Username', 'ana')
  await type('Password', 'hush')
  await show(view(other))
  expect([field('Username').value, field('Password').value]).toEqual(['', ''])
})

test('what was open is about the connection that was shown', async () => {
  const { show } = await openWindow(showing(first))
  await press('Change password')
  await show(showing({ ...staging, session: sessions.active }))
  expect(screen.queryByLabelText('New password')).toBeNull()
})

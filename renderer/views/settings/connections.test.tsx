import { cleanup, fireEvent, screen } from '@testing-library/preact'
import { afterEach, expect, test } from 'vitest'
import { GRANTS } from '../../../contract/grants.ts'
import type { ConnectionSessionView } from '../../../contract/views.ts'
import { button, callsOf, field, ok, openSettings, press, sessions, type, viewOf } from '../../testing.tsx'

afterEach(cleanup)

const staging: ConnectionSessionView = {
  name: 'staging',
  isOwn: true,
  session: sessions.active,
  connection: {
    baseAddress: 'https://staging.example.com',
    host: 'staging.example.com',
    source: 'user',
    grants: [GRANTS.password],
  },
}
const view = viewOf(sessions.active)
const two = { ...view, connections: [...view.connections, staging] }

test('Add connection sends the name and the address, and saves nothing else', async () => {
  const { asked } = await openSettings(view)
  await type('Name for your tools', 'staging')
  await type('Address of the service', 'staging.example.com')
  await press('Add connection')
  expect(callsOf(asked)).toEqual([
    ['addConnection', { name: 'staging', baseAddress: 'staging.example.com', tryAddress: true }],
  ])
})

test('Save saves the changed values first, then adds the connection that was filled in', async () => {
  const { asked } = await openSettings(view)
  await type('Service address', 'https://other.example.com')
  await type('Name for your tools', 'staging')
  await type('Address of the service', 'staging.example.com')
  await press('Save')
  await asked[0]?.answer(ok)
  expect(callsOf(asked)).toEqual([
    ['saveSettings', { baseAddress: 'https://other.example.com', tryAddress: true }],
    ['addConnection', { name: 'staging', baseAddress: 'staging.example.com', tryAddress: true }],
  ])
})

test('adding a connection saves the changed values first, because adding closes the view', async () => {
  const { asked } = await openSettings(view)
  await type('Service address', 'https://other.example.com')
  await type('Name for your tools', 'staging')
  await type('Address of the service', 'staging.example.com')
  await press('Add connection')
  await asked[0]?.answer({ ok: false, failure: { code: 'invalidInput', fields: { baseAddress: 'taken' } } })
  expect(callsOf(asked).map(([name]) => name)).toEqual(['saveSettings'])
  expect(field('Name for your tools').value).toBe('staging')
})

test.each([
  ['', 'Enter a name.'],
  ['Staging', 'Use up to 32 lowercase letters, digits, - and _. Start with a letter or a digit.'],
])('the name %j is refused without a call', async (name, sentence) => {
  const { asked } = await openSettings(view)
  await type('Name for your tools', name)
  await press('Add connection')
  expect(screen.getByText(sentence)).toBeTruthy()
  expect(asked).toEqual([])
})

test('if no server answers at the address, the error names its host, and the user can continue', async () => {
  const { asked } = await openSettings(view)
  await type('Name for your tools', 'staging')
  await type('Address of the service', 'stagign.example.com')
  await press('Add connection')
  await asked[0]?.answer({ ok: false, failure: { code: 'unreachable', details: { cause: 'ENOTFOUND' } } })
  expect(screen.getByRole('alert').textContent).toContain('Latchkey can’t find stagign.example.com.')
  await press('Continue anyway')
  const added = { name: 'staging', baseAddress: 'stagign.example.com' }
  expect(callsOf(asked)).toEqual([
    ['addConnection', { ...added, tryAddress: true }],
    ['addConnection', added],
  ])
  await asked[1]?.answer({ ok: false, failure: { code: 'unreachable' } })
  await press('Change address')
  expect(document.activeElement).toBe(field('Address of the service'))
  expect(screen.queryByRole('alert')).toBeNull()
})

test('users can remove only their own connections; if removing one fails, the error says why', async () => {
  const { asked } = await openSettings(two)
  expect(screen.queryByRole('button', { name: 'Remove default' })).toBeNull()
  await press('Remove staging')
  await press('Remove')
  expect(callsOf(asked)).toEqual([['removeConnection', { name: 'staging' }]])
  await asked[0]?.answer({ ok: false, failure: { code: 'unreachable' } })
  expect(screen.getByRole('alert').textContent).toContain(
    'You can remove the connection once the service has ended the session.',
  )
  await press('Remove staging')
  await press('Remove')
  await asked[1]?.answer(ok)
  expect(screen.queryByRole('alert')).toBeNull()
})

test('Remove asks for confirmation; the safe answer has the focus, and Escape closes the question', async () => {
  const { asked } = await openSettings(two)
  await press('Remove staging')
  expect(screen.getByRole('alertdialog', { name: 'Remove staging?' }).textContent).toContain(
    'You’ll be signed out of it',
  )
  expect(document.activeElement).toBe(button('Keep'))
  fireEvent.keyDown(button('Keep'), { key: 'Escape' })
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Settings')
  expect(document.activeElement).toBe(button('Remove staging'))
  expect(asked).toEqual([])
})

test('if only the administrator may add connections, there is no form for adding one', async () => {
  await openSettings({ ...two, mayAddConnections: false })
  expect(screen.getByText('Only your administrator can add connections.')).toBeTruthy()
  expect(screen.queryByLabelText('Name for your tools')).toBeNull()
})

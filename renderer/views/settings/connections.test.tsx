import { fireEvent, screen } from '@testing-library/preact'
import { expect, test } from 'vitest'
import { GRANTS } from '../../../contract/grants.ts'
import type { ConnectionSessionView } from '../../../contract/views.ts'
import {
  button,
  callsOf,
  field,
  ok,
  openConnection,
  openSettings,
  press,
  sessions,
  type,
  viewOf,
} from '../../testing.tsx'

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
const atStaging = {
  ...two,
  shown: 'staging',
  session: staging.session,
  ...(staging.connection && { connection: staging.connection }),
}
const openStaging = async () => {
  const window = await openSettings(atStaging)
  await press(/^staging/)
  return window
}

const openAddition = async () => {
  const window = await openSettings(view)
  await press('Add a connection…')
  return window
}

test('Add a connection sends the name and the address, and shows what is wrong with them', async () => {
  const { asked } = await openAddition()
  await type('Name for your tools', 'staging')
  await type('Address of the service', 'staging.example.com')
  await press('Add a connection')
  expect(callsOf(asked)).toEqual([
    ['addConnection', { name: 'staging', baseAddress: 'staging.example.com', tryAddress: true }],
  ])
  await asked[0]?.answer({ ok: false, failure: { code: 'invalidInput', fields: { baseAddress: 'taken' } } })
  expect(screen.getByText('Another connection already uses this.')).toBeTruthy()
  expect(document.activeElement).toBe(field('Address of the service'))
})

test('choosing another connection shows it and its settings', async () => {
  const { asked, show } = await openSettings(two)
  await press(/^staging/)
  expect(callsOf(asked)).toEqual([['showConnection', { name: 'staging' }]])
  await show(atStaging)
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('staging')
  await press('Back')
  expect(document.activeElement).toBe(button(/^staging/))
})

test.each([
  ['', 'Enter a name.'],
  ['Staging', 'Use up to 32 lowercase letters, digits, - and _. Start with a letter or a digit.'],
])('the name %j is refused without a call', async (name, sentence) => {
  const { asked } = await openAddition()
  await type('Name for your tools', name)
  await press('Add a connection')
  expect(screen.getByText(sentence)).toBeTruthy()
  expect(asked).toEqual([])
})

test('if no server answers, the error names the host, and the user can add the connection anyway', async () => {
  const { asked } = await openAddition()
  await type('Name for your tools', 'staging')
  await type('Address of the service', 'stagign.example.com')
  await press('Add a connection')
  await asked[0]?.answer({ ok: false, failure: { code: 'unreachable', details: { cause: 'ENOTFOUND' } } })
  expect(screen.getByRole('alert').textContent).toContain('Can’t find stagign.example.com')
  await press('Continue anyway')
  const added = { name: 'staging', baseAddress: 'stagign.example.com' }
  expect(callsOf(asked)).toEqual([
    ['addConnection', { ...added, tryAddress: true }],
    ['addConnection', added],
  ])
})

test('users can’t remove a connection that they didn’t add', async () => {
  await openConnection(two)
  expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull()
})

test('if removing a connection fails, the error says why; a success is announced', async () => {
  const { asked, show } = await openStaging()
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
  await show(view)
  expect(screen.getByText('staging removed.').closest('[role=status]')).toBeTruthy()
})

test('Remove asks first; the safe answer has the focus, and Escape chooses it', async () => {
  const { asked } = await openStaging()
  await press('Remove staging')
  expect(screen.getByRole('alertdialog', { name: 'Remove staging?' }).textContent).toContain(
    'You’ll be signed out of it',
  )
  expect(document.activeElement).toBe(button('Keep'))
  fireEvent.keyDown(button('Keep'), { key: 'Escape' })
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(document.activeElement).toBe(button('Remove staging'))
  expect(asked).toEqual([])
})

test('if only the administrator may add connections, the settings don’t offer to add one', async () => {
  await openSettings({ ...two, mayAddConnections: false })
  expect(screen.getByText('Only your administrator can add connections.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Add/ })).toBeNull()
})

import { screen } from '@testing-library/preact'
import { expect, test } from 'vitest'
import {
  alerted,
  button,
  callsOf,
  connection,
  failed,
  field,
  ok,
  openSettings,
  press,
  pressEscape,
  sessions,
  type,
  viewOf,
} from '../../testing.tsx'

const stagingConnection = { ...connection, baseAddress: 'https://staging.example.com', host: 'staging.example.com' }
const view = viewOf(sessions.active)
const staging = { name: 'staging', isOwn: true, session: sessions.active, connection: stagingConnection }
const two = { ...view, connections: [...view.connections, staging] }
const atStaging = { ...two, shown: 'staging', connection: stagingConnection }

test('Add a connection sends the name and the address, and shows what is wrong with them', async () => {
  const { asked } = await openSettings(view)
  await press('Add a connection…')
  await type('Name for your tools', 'staging')
  await type('Address of the service', 'stagign.example.com')
  await press('Add a connection')
  const added = { name: 'staging', baseAddress: 'stagign.example.com', tryAddress: true }
  expect(callsOf(asked)).toEqual([['addConnection', added]])
  await asked[0]?.answer(failed({ code: 'invalidInput', fields: { baseAddress: 'taken' } }))
  expect(screen.getByText('Another connection already uses this.')).toBeTruthy()
  expect(document.activeElement).toBe(field('Address of the service'))
})

test('Remove asks first; a failure says why, and a success is announced', async () => {
  const { asked, show } = await openSettings(atStaging)
  await press(/^staging/)
  await press('Remove staging')
  expect(document.activeElement).toBe(button('Keep'))
  await pressEscape(button('Keep'))
  expect([document.activeElement, asked]).toEqual([button('Remove staging'), []])
  await press('Remove staging')
  await press('Remove')
  expect(callsOf(asked)).toEqual([['removeConnection', { name: 'staging' }]])
  await asked[0]?.answer(failed({ code: 'unreachable' }))
  expect(alerted()).toContain('You can remove the connection once the service has ended the session.')
  await press('Remove staging')
  await press('Remove')
  await asked[1]?.answer(ok)
  expect(alerted()).toBeNull()
  await show(view)
  expect(screen.getByText('staging removed.').closest('[role=status]')).toBeTruthy()
})

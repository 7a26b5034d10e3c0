import { screen } from '@testing-library/preact'
import { expect, test } from 'vitest'
import type { Failure } from '../../contract/failures.ts'
import { alerted, callsOf, failed, field, openWindow, press, sessions, type, viewOf } from '../testing.tsx'

async function connectTo(address: string, failure: Failure) {
  const { asked } = await openWindow(viewOf(sessions.notConfigured))
  await type('Service address', address)
  await press('Connect')
  await asked[0]?.answer(failed(failure))
  return asked
}

test('a refused address stays in its field, which shows the error', async () => {
  const asked = await connectTo(' Data.example.com/ ', { code: 'invalidInput', fields: { baseAddress: 'notHttps' } })
  // The main process normalises the address.
  expect(callsOf(asked)).toEqual([['connect', { baseAddress: 'Data.example.com/', anyway: false }]])
  expect(alerted()).toBe('This address isn’t secure. Use the one that starts with https://.')
  expect(field('Service address').getAttribute('aria-invalid')).toBe('true')
  expect(field('Service address').value).toBe(' Data.example.com/ ')
  expect(document.activeElement).toBe(field('Service address'))
  await type('Service address', 'https://data.example.com')
  expect(alerted()).toBeNull()
})

test('the window offers to continue anyway, but only if the network is the problem', async () => {
  const asked = await connectTo('data.exmaple.com', { code: 'unreachable', details: { cause: 'ENOTFOUND' } })
  expect(alerted()).toContain('Can’t find data.exmaple.com')
  await press('Continue anyway')
  expect(callsOf(asked)[1]).toEqual(['connect', { baseAddress: 'data.exmaple.com', anyway: true }])
  await asked[1]?.answer(failed({ code: 'keychainUnavailable' }))
  expect(screen.queryByRole('button', { name: 'Continue anyway' })).toBeNull()
})

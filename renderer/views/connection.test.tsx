import { screen } from '@testing-library/preact'
import { describe, expect, test } from 'vitest'
import type { Failure } from '../../contract/failures.ts'
import { callsOf, field, openWindow, press, sessions, type, viewOf } from '../testing.tsx'

test('the address is sent as typed: the main process normalises it', async () => {
  const { asked } = await openWindow(viewOf(sessions.notConfigured))
  await type('Service address', ' Data.example.com/ ')
  await press('Connect')
  expect(asked.map(({ name, input }) => [name, input])).toEqual([
    ['connect', { baseAddress: 'Data.example.com/', anyway: false }],
  ])
})

test('a refused address stays in its field, which shows the error', async () => {
  const { asked } = await openWindow(viewOf(sessions.notConfigured))
  await type('Service address', 'http://data.example.com')
  await press('Connect')
  await asked[0]?.answer({ ok: false, failure: { code: 'invalidInput', fields: { baseAddress: 'notHttps' } } })
  expect(screen.getByRole('alert').textContent).toBe(
    'This address isn’t secure. Use the one that starts with https://.',
  )
  expect(field('Service address').getAttribute('aria-invalid')).toBe('true')
  expect(field('Service address').value).toBe('http://data.example.com')
  expect(document.activeElement).toBe(field('Service address'))
  await type('Service address', 'https://data.example.com')
  expect(screen.queryByRole('alert')).toBeNull()
})

describe('an address at which no server answers', () => {
  const connectTo = async (failure: Failure) => {
    const window = await openWindow(viewOf(sessions.notConfigured))
    await type('Service address', 'data.exmaple.com')
    await press('Connect')
    await window.asked[0]?.answer({ ok: false, failure })
    return window
  }
  const noSuchHost: Failure = { code: 'unreachable', details: { cause: 'ENOTFOUND' } }

  test.each([
    ['a host that the network does not know', noSuchHost, 'Can’t find data.exmaple.com'],
    ['a host that can’t be reached now', { code: 'unreachable' }, 'Can’t reach data.exmaple.com'],
    [
      'a host that speaks plain HTTP',
      { code: 'unreachable', details: { cause: 'EPROTO (WRONG_VERSION_NUMBER)' } },
      'data.exmaple.com answered without encryption',
    ],
    [
      'a host whose certificate isn’t trusted',
      { code: 'untrustedCertificate' },
      'Latchkey doesn’t trust the certificate',
    ],
  ] as const)('Continue anyway is offered for %s, and sends the address again', async (_, failure, title) => {
    const { asked } = await connectTo(failure)
    expect(screen.getByRole('alert').textContent).toContain(title)
    await press('Continue anyway')
    expect(callsOf(asked)[1]).toEqual(['connect', { baseAddress: 'data.exmaple.com', anyway: true }])
  })

  test.each([{ code: 'keychainUnavailable' }, { code: 'notConfirmed' }] as const)(
    'Continue anyway is missing if the network is not the problem: $code',
    async (failure) => {
      await connectTo(failure)
      expect(screen.queryByRole('button', { name: 'Continue anyway' })).toBeNull()
    },
  )
})

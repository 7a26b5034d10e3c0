import { cleanup, screen } from '@testing-library/preact'
import { afterEach, expect, test } from 'vitest'
import { button, field, ok, openWindow, press, sessions, type, viewOf } from '../testing.tsx'

afterEach(cleanup)

test('sends the address as it was typed: the main process normalises it', async () => {
  const { asked } = await openWindow(viewOf(sessions.notConfigured))
  await type('Service address', ' Data.example.com/ ')
  await press('Connect')
  expect(asked.map(({ name, input }) => [name, input])).toEqual([
    ['saveSettings', { baseAddress: 'Data.example.com/' }],
  ])
})

test('asks for an address where there is none, and sends nothing', async () => {
  const { asked } = await openWindow(viewOf(sessions.notConfigured))
  await press('Connect')
  expect(asked).toEqual([])
  expect(screen.getByRole('alert').textContent).toBe('Enter the address of your service.')
  expect(document.activeElement).toBe(field('Service address'))
})

test('what the main process refuses is said beside the field alone, and the address stays', async () => {
  const { asked } = await openWindow(viewOf(sessions.notConfigured))
  await type('Service address', 'http://data.example.com')
  await press('Connect')
  await asked[0]?.answer({ ok: false, failure: { code: 'invalidInput', fields: { baseAddress: 'notHttps' } } })
  expect(screen.getByRole('alert').textContent).toBe('This address isn’t safe. Use the one that starts with https://.')
  expect(field('Service address').getAttribute('aria-invalid')).toBe('true')
  expect(field('Service address').value).toBe('http://data.example.com')
  expect(document.activeElement).toBe(field('Service address'))
  await type('Service address', 'https://data.example.com')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('what is wrong with more than the address is said too', async () => {
  const { asked } = await openWindow(viewOf(sessions.notConfigured))
  await type('Service address', 'data.example.com')
  await press('Connect')
  await asked[0]?.answer({ ok: false, failure: { code: 'invalidInput', details: { cause: 'tooLong' } } })
  expect(screen.getByRole('alert').textContent).toContain('Something here is too long.')
})

test('a failure names the host that was asked', async () => {
  const { asked } = await openWindow(viewOf(sessions.notConfigured))
  await type('Service address', 'dota.example.com')
  await press('Connect')
  await asked[0]?.answer({ ok: false, failure: { code: 'unreachable' } })
  expect(screen.getByRole('alert').textContent).toContain('Latchkey can’t reach dota.example.com.')
})

test('connects once, however often it is pressed', async () => {
  const { asked } = await openWindow(viewOf(sessions.notConfigured))
  await type('Service address', 'data.example.com')
  await press('Connect')
  await press('Connecting…')
  expect(asked).toHaveLength(1)
  await asked[0]?.answer(ok)
  expect(button('Connect').getAttribute('aria-disabled')).toBe('false')
})

import { screen } from '@testing-library/preact'
import { expect, test } from 'vitest'
import { openWindow, press, sessions, viewOf, watchClipboard } from '../testing.tsx'

test('Copy puts the details on the clipboard, one per line, or selects them if the clipboard is denied', async () => {
  const details = { operation: 'refresh', host: 'data.example.com:443', status: 503, cause: 'ENOTFOUND' } as const
  const copied = watchClipboard()
  await openWindow(viewOf({ ...sessions.unreachable, failure: { code: 'unreachable', details } }))
  await press('Copy')
  expect(copied[0]).toMatch(/^During: renewing\nServer: data\.example\.com:443\n/)
  watchClipboard(false)
  await press('Copy')
  expect(screen.getByText(/Copy it with the keyboard/)).toBeTruthy()
  expect(getSelection()?.toString()).toContain('data.example.com:443')
})

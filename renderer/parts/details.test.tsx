import { screen } from '@testing-library/preact'
import { describe, expect, test } from 'vitest'
import type { FailureDetails } from '../../contract/failures.ts'
import { openWindow, press, sessions, viewOf, watchClipboard } from '../testing.tsx'

const details: FailureDetails = {
  operation: 'refresh',
  host: 'data.example.com:443',
  status: 503,
  proxy: 'proxy.example.com:3128',
  certificate: {
    subject: 'CN=data.example.com',
    issuer: 'CN=Example Root',
    validFrom: '2025-01-01T00:00:00Z',
    validTo: '2026-01-01T00:00:00Z',
  },
  cause: 'ENOTFOUND',
  at: '2025-01-06T14:00:00Z',
}

const open = () => openWindow(viewOf({ ...sessions.unreachable, failure: { code: 'unreachable', details } }))

describe('Copy', () => {
  test('puts the details on the clipboard, one per line', async () => {
    const copied = watchClipboard()
    await open()
    await press('Copy')
    expect(copied[0]).toMatch(/^During: renewing\nServer: data\.example\.com:443\n/)
    expect(screen.getByText('Copied.')).toBeTruthy()
  })

  test('selects the details if the clipboard is denied', async () => {
    watchClipboard(false)
    await open()
    await press('Copy')
    expect(screen.getByText(/Copy it with the keyboard/)).toBeTruthy()
    expect(getSelection()?.toString()).toContain('data.example.com:443')
  })
})

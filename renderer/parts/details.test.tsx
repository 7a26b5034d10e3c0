import { cleanup, screen } from '@testing-library/preact'
import { afterEach, describe, expect, test } from 'vitest'
import type { FailureDetails } from '../../contract/failures.ts'
import { openWindow, press, replaceExecCommand, sessions, viewOf } from '../testing.tsx'

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

afterEach(cleanup)

const open = () => openWindow(viewOf({ ...sessions.unreachable, failure: { code: 'unreachable', details } }))

describe('Copy', () => {
  /** The system's clipboard, which accepts or refuses the data of the page's `copy` event. */
  const clipboard = (allowed: boolean) => {
    let taken = ''
    const data = { setData: (_: string, text: string) => (taken = text) }
    replaceExecCommand(() => {
      if (!allowed) return false
      document.dispatchEvent(Object.assign(new Event('copy', { cancelable: true }), { clipboardData: data }))
      return true
    })
    return () => taken
  }

  test('puts the details on the clipboard, one per line', async () => {
    const taken = clipboard(true)
    await open()
    await press('Copy')
    expect(taken()).toMatch(/^During: renewing\nServer: data\.example\.com:443\n/)
    expect(screen.getByText('Copied.')).toBeTruthy()
  })

  test('selects the details if the clipboard is denied', async () => {
    clipboard(false)
    await open()
    await press('Copy')
    expect(screen.getByText(/Copy it with the keyboard/)).toBeTruthy()
    expect(getSelection()?.toString()).toContain('data.example.com:443')
  })
})

import { act, screen } from '@testing-library/preact'
import { beforeEach, expect, test, vi } from 'vitest'
import type { GatewayView } from '../../../contract/views.ts'
import { callsOf, NOW, ok, openWindow, press, sessions, viewOf, watchClipboard } from '../../testing.tsx'

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
})
const openWith = (name: string) =>
  openWindow(viewOf(sessions.active, { agent: { uses: [{ name, lastAt: NOW, count: 1 }] } }))
const code = () => [...document.querySelectorAll('code')].map(({ textContent }) => textContent)

test('SECURITY: a tool’s name can’t reorder the text around it, and the tooltip has the full name', async () => {
  const name = '<img src=x onerror=alert(1)>'
  await openWith(name)
  expect(document.querySelector('.uses img')).toBeNull()
  expect(document.querySelector('.uses bdi')?.textContent).toBe(name)
  expect(screen.getByTitle(name)).toBeTruthy()
})

test('each copy of a snippet is announced, which takes a new element', async () => {
  const copied = watchClipboard()
  await openWith('curl')
  await press('Use in another tool')
  const copy = async () => {
    await act(async () => screen.getAllByRole('button', { name: 'Copy' })[0]?.click())
    return screen.getByText('Copied.')
  }
  expect(await copy()).not.toBe(await copy())
  expect(copied).toEqual([code()[0], code()[0]])
})

const listening = { kind: 'listening', address: 'http://127.0.0.1:27483/base', hasPassword: true } as const

async function openGateway(gateway: GatewayView) {
  const view = viewOf(sessions.active, { gateway })
  const window = await openWindow(view)
  await press('Excel, BI address and password')
  return { ...window, view }
}

test('the gateway’s switch turns it on, and the view then shows what to enter', async () => {
  const { asked, show, view } = await openGateway({ kind: 'off' })
  expect(code()).toEqual([])
  await act(() => screen.getByRole('switch', { name: 'Gateway for Excel and BI' }).click())
  expect(callsOf(asked)).toEqual([['saveSettings', { gateway: 'true' }]])
  await show({ ...view, gateway: listening })
  expect(code()).toEqual(['http://127.0.0.1:27483/base', 'latchkey'])
})

test('SECURITY: the page never gets the gateway’s password, which the main process copies; replacing one asks first', async () => {
  const { asked, show, view } = await openGateway({ ...listening, hasPassword: false })
  await press('Copy password')
  expect(callsOf(asked)).toEqual([['newGatewayPassword', undefined]])
  await asked[0]?.answer(ok)
  expect(screen.getByText('Copied. Paste it within five minutes.').closest('[role=status]')).toBeTruthy()
  await show({ ...view, gateway: listening })
  await press('New password')
  await press('Keep the old one')
  expect(asked).toHaveLength(1)
  await press('New password')
  await press('Make and copy')
  expect(callsOf(asked)[1]).toEqual(['newGatewayPassword', undefined])
})

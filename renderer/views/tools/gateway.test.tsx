import { act, screen } from '@testing-library/preact'
import { beforeEach, expect, test, vi } from 'vitest'
import type { AppView, GatewayView } from '../../../contract/views.ts'
import { callsOf, NOW, ok, openWindow, press, sessions, viewOf } from '../../testing.tsx'

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, shouldAdvanceTime: true })
})
const on = { kind: 'listening', address: 'http://127.0.0.1:27483/base', hasPassword: true } as const

async function openGateway(gateway: GatewayView, over: Partial<AppView> = {}) {
  const view = viewOf(sessions.active, { gateway, ...over })
  const window = await openWindow(view)
  await press('Excel, BI address and password')
  return { ...window, view }
}
const theSwitch = () => screen.getByRole('switch', { name: 'Gateway for Excel and BI' })
const flip = () => act(() => theSwitch().click())
const shown = () => [...document.querySelectorAll('code')].map(({ textContent }) => textContent)

test('the switch turns the gateway on, and the view then shows what to enter', async () => {
  const { asked, show, view } = await openGateway({ kind: 'off' })
  expect(shown()).toEqual([])
  await flip()
  await asked[0]?.answer(ok)
  await show({ ...view, gateway: on })
  expect(shown()).toEqual(['http://127.0.0.1:27483/base', 'latchkey'])
  await flip()
  expect(callsOf(asked)).toEqual([
    ['saveSettings', { gateway: 'true' }],
    ['saveSettings', { gateway: 'false' }],
  ])
})

test('SECURITY: the page never gets the password, which the main process copies; replacing one asks first', async () => {
  const { asked, show, view } = await openGateway({ ...on, hasPassword: false })
  await press('Copy password')
  expect(callsOf(asked)).toEqual([['newGatewayPassword', undefined]])
  await asked[0]?.answer(ok)
  expect(screen.getByText('Copied. Paste it within five minutes.').closest('[role=status]')).toBeTruthy()
  await show({ ...view, gateway: on })
  await press('New password')
  await press('Keep the old one')
  expect(document.activeElement?.textContent).toBe('New password')
  expect(asked).toHaveLength(1)
  await press('New password')
  await press('Make and copy')
  expect(callsOf(asked)[1]).toEqual(['newGatewayPassword', undefined])
})

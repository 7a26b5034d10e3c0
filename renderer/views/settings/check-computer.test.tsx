import { expect, test, vi } from 'vitest'
import type { CheckLine } from '../../../contract/views.ts'
import { choose, ok, openWindow, pass, sessions, viewOf } from '../../testing.tsx'

const LINES: readonly CheckLine[] = [
  { name: 'versions', state: 'ok', sentence: 'Latchkey 1.2.3', details: ['Node 24.0.0'] },
  { name: 'clock', state: 'warning', sentence: 'It is 3 minutes ahead.', advice: 'Set it.' },
  { name: 'keychain', state: 'failed', sentence: 'It is gone.' },
]
const checked = (count: number, running: boolean) =>
  viewOf(sessions.active, { check: { running, total: 14, lines: LINES.slice(0, count) } })

const openCheck = async (view = viewOf(sessions.active)) => {
  const window = await openWindow(view)
  await choose('Check this computer')
  return window
}

test('screen readers announce the progress, then which checks failed, but no earlier result and no warning', async () => {
  vi.useFakeTimers()
  const { asked, show } = await openCheck(checked(3, false))
  const heard = () => document.querySelector('.lead [role=status]')?.textContent
  await show(checked(2, true))
  expect(heard()).toBe('Checking…')
  await pass(10_000)
  expect(heard()).toBe('Checking… 2 of 14')
  await show(checked(3, false))
  await asked[0]?.answer(ok)
  expect(heard()).toBe('Result: one check failed, one warning. keychain: It is gone.')
})

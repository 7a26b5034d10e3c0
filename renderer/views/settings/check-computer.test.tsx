import { cleanup, screen, within } from '@testing-library/preact'
import { afterEach, expect, test } from 'vitest'
import type { CheckLine } from '../../../contract/views.ts'
import { callsOf, ok, openSettings, press, sessions, viewOf } from '../../testing.tsx'

afterEach(cleanup)

const LINES: readonly CheckLine[] = [
  { name: 'versions', state: 'ok', sentence: 'Latchkey 1.2.3', details: ['Node 24.0.0'] },
  { name: 'clock', state: 'warning', sentence: 'It is 3 minutes ahead.', advice: 'Set it.' },
  { name: 'keychain', state: 'failed', sentence: 'It is gone.' },
]
const checked = (count: number, running: boolean) =>
  viewOf(sessions.active, { check: { running, lines: LINES.slice(0, count) } })

const openAbout = async () => {
  const window = await openSettings(viewOf(sessions.active))
  await press('About Latchkey')
  return window
}
const items = () => within(screen.getByRole('button', { name: /Check/ }).closest('section') as HTMLElement)

test('each check appears as soon as it is done, with its state in words, its result and advice', async () => {
  const { asked, show } = await openAbout()
  await press('Check this computer')
  expect(callsOf(asked)).toEqual([['checkComputer', undefined]])
  await press('Checking…')
  expect(asked).toHaveLength(1)

  await show(checked(1, true))
  expect(items().getByText('OK')).toBeTruthy()
  expect(items().getByText('Node 24.0.0')).toBeTruthy()
  expect(items().queryByText('Failed')).toBeNull()

  await show(checked(3, false))
  await asked[0]?.answer(ok)
  for (const text of ['Warning', 'Set it.', 'Failed', 'keychain: It is gone.'])
    expect(items().getByText(text)).toBeTruthy()
  expect(items().getByRole('status').textContent).toBe('Result: one check failed, one warning.')
})

test('if there are no problems, the window says so, and the check can be repeated', async () => {
  const { show } = await openAbout()
  await show(checked(1, false))
  expect(items().getByRole('status').textContent).toBe('No problems found.')
  expect(screen.getByRole('button', { name: 'Check this computer' })).toBeTruthy()
})

import { screen } from '@testing-library/preact'
import { beforeEach, expect, test, vi } from 'vitest'
import type { AppView } from '../../../contract/views.ts'
import { connection, NOW, openWindow, pass, press, sessions, viewOf, watchClipboard } from '../../testing.tsx'

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, shouldAdvanceTime: true })
})

async function openTools(agent?: AppView['agent']) {
  const window = await openWindow(viewOf(sessions.active, { ...(agent && { agent }) }))
  await press(agent ? 'Use in another tool' : 'Python notebook or script')
  return window
}
const click = async (element: HTMLElement | undefined) => {
  element?.click()
  await pass(0)
}
const radio = (name: string) => screen.getByRole('radio', { name })
const shown = () => screen.getAllByRole('region').flatMap((each) => each.querySelector('code')?.textContent ?? [])

test('Copy copies the snippet next to it, and the view says whether that worked', async () => {
  const copied = watchClipboard()
  await openTools()
  const copy = () => click(screen.getAllByRole('button', { name: 'Copy' })[0])
  await copy()
  expect(copied).toEqual([shown()[0]])
  const said = screen.getByText('Copied.')
  expect(said.closest('[role=status]')).toBeTruthy()
  await copy()
  // Screen readers announce a new element, but not the same one again.
  expect(screen.getByText('Copied.')).not.toBe(said)
  await click(radio('R'))
  expect(screen.queryByText('Copied.')).toBeNull()
  watchClipboard(false)
  await copy()
  expect(screen.getByText('Couldn’t copy. Select the text and copy it.')).toBeTruthy()
})

test('in a checkout, the commands name its latchkey, for the service’s address', async () => {
  await openTools({ command: 'cli/latchkey', uses: [{ name: 'curl', lastAt: NOW, count: 1 }] })
  expect(shown().join()).toContain('"$(cli/latchkey clients python)"')
  expect(shown().join()).toContain(`url = "${connection.baseAddress}/v1/tables"`)
})

import { screen } from '@testing-library/preact'
import { beforeEach, expect, test, vi } from 'vitest'
import type { AppView } from '../../../contract/views.ts'
import {
  connection,
  NOW,
  openWindow,
  pass,
  press,
  sessions,
  switchesOf,
  viewOf,
  watchClipboard,
} from '../../testing.tsx'

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

test('each language has its snippets, with the service’s address', async () => {
  await openTools()
  expect(shown().at(-1)).toContain(`url = "${connection.baseAddress}/v1/tables"`)
  for (const [name, words] of [
    ['R', 'library(latchkeydesktop)'],
    ['Node', 'latchkeyFetch'],
    ['Shell', 'latchkey header | curl'],
    ['AI clients', 'latchkey mcp'],
    ['Other', 'latchkey exec'],
  ] as const) {
    await click(radio(name))
    expect(shown().join()).toContain(words)
  }
})

test('if the agent is turned off while the view is open, the view shows what works without the agent', async () => {
  const { show } = await openTools()
  await show(viewOf(sessions.active, { switches: switchesOf({ agent: { enabled: false } }) }))
  expect(screen.getAllByRole('radio').map(({ textContent }) => textContent)).toEqual(['Excel, BI', 'AI clients'])
  expect(screen.getByRole('switch', { name: 'Gateway for Excel and BI' })).toBeTruthy()
})

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

test('in a checkout, the commands name its latchkey; SECURITY: a tool’s name is shown as text', async () => {
  await openTools({ command: 'cli/latchkey', uses: [{ name: '<img src=x>', lastAt: NOW, count: 1 }] })
  expect(shown().join()).toContain('"$(cli/latchkey clients python)"')
  expect(document.querySelector('.last-use img')).toBeNull()
  expect(document.querySelector('.last-use bdi')?.textContent).toBe('<img src=x>')
})

import { screen, within } from '@testing-library/preact'
import { beforeEach, expect, test, vi } from 'vitest'
import { switchesOf } from '../../../contract/testing.ts'
import type { AgentView, AppView } from '../../../contract/views.ts'
import { connection, NOW, openWindow, pass, press, sessions, viewOf, watchClipboard } from '../../testing.tsx'
import { snippetsFor } from './snippets.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, shouldAdvanceTime: true })
})

const agentWith = (agent: Partial<AgentView>): AgentView => ({ uses: [], ...agent })

async function openTools(over: Partial<AppView> = {}) {
  const window = await openWindow(viewOf(sessions.active, over))
  await press(over.agent ? 'Use in another tool' : 'Python notebook or script')
  await screen.findByRole('heading', { name: 'Use in your tools' })
  return window
}
const choose = async (name: string) => {
  screen.getByRole('radio', { name }).click()
  await pass(0)
}
const shown = () => screen.getAllByRole('region').flatMap((each) => each.querySelector('code')?.textContent ?? [])

test('each language has its snippets, with the service’s address', async () => {
  await openTools()
  const expected = snippetsFor({
    address: connection.baseAddress,
    isPowerShell: false,
    replace: 'replace the path with the one of your data',
  })
  expect(screen.getByRole('radio', { checked: true }).textContent).toBe('Python')
  for (const [name, tool] of [
    ['Python', 'python'],
    ['R', 'r'],
    ['Node', 'node'],
    ['Shell', 'shell'],
    ['AI clients', 'ai'],
    ['Other', 'other'],
  ] as const) {
    await choose(name)
    const { install, installInNotebook, use } = expected[tool]
    expect(new Set(shown())).toEqual(new Set([install, installInNotebook, use].filter((code) => code !== undefined)))
  }
  expect(screen.getByText(/ACCESS_TOKEN/)).toBeTruthy()
})

test('if the agent is turned off while the view is open, the view shows what works without the agent', async () => {
  const { show } = await openTools()
  await show(viewOf(sessions.active, { switches: switchesOf({ agent: { enabled: false } }) }))
  expect(screen.getAllByRole('radio').map(({ textContent }) => textContent)).toEqual(['Excel, BI', 'AI clients'])
  expect(screen.getByRole('radio', { checked: true }).textContent).toBe('Excel, BI')
  expect(screen.getByRole('switch', { name: 'Gateway for Excel and BI' })).toBeTruthy()
})

test('Copy copies the snippet next to it, and the view says whether that worked', async () => {
  const copied = watchClipboard()
  await openTools()
  const snippet = screen.getByRole('heading', { name: 'Install once, in a terminal' }).closest<HTMLElement>('.snippet')
  const copy = async () => {
    within(snippet ?? document.body)
      .getByRole('button', { name: 'Copy' })
      .click()
    await pass(0)
  }
  await copy()
  expect(copied).toEqual([
    'python3 -m venv --system-site-packages .venv && .venv/bin/pip install requests "$(latchkey clients python)"',
  ])
  const said = screen.getByText('Copied.')
  expect(said.closest('[role=status]')).toBeTruthy()
  await copy()
  // Screen readers announce a new element, but not the same one again.
  expect(screen.getByText('Copied.')).not.toBe(said)
  await choose('R')
  expect(screen.queryByText('Copied.')).toBeNull()
  watchClipboard(false)
  screen.getAllByRole('button', { name: 'Copy' })[0]?.click()
  await pass(0)
  expect(screen.getByText('Couldn’t copy. Select the text and copy it.')).toBeTruthy()
})

test('in a checkout, the commands name the latchkey of that checkout', async () => {
  await openTools({ agent: agentWith({ command: 'cli/latchkey', uses: [{ name: 'curl', lastAt: NOW, count: 1 }] }) })
  expect(shown()[0]).toContain('"$(cli/latchkey clients python)"')
  await choose('Shell')
  expect(shown()[0]).toContain('cli/latchkey header | curl')
})

test('SECURITY: a tool’s name is shown as text', async () => {
  await openTools({ agent: agentWith({ uses: [{ name: '<img src=x>', lastAt: NOW, count: 1 }] }) })
  expect(document.querySelector('.last-use img')).toBeNull()
  expect(document.querySelector('.last-use bdi')?.textContent).toBe('<img src=x>')
})

import { cleanup, screen } from '@testing-library/preact'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AgentView, ToolUse } from '../../contract/views.ts'
import { MINUTE, NOW, openWindow, pass, sessions, viewOf } from '../testing.tsx'

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const use = (name: string, minutes = 0, count = 1): ToolUse => ({ name, lastAt: NOW - minutes * MINUTE, count })
const open = (agent: Partial<AgentView>) =>
  openWindow(viewOf(sessions.active, { agent: { enabled: true, uses: [], ...agent } }))
const items = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent)

test('tells each tool’s name, when it was last served and how often; once goes without saying', async () => {
  await open({ uses: [use('python-httpx', 2, 14), use('latchkey token', 61)] })
  expect(screen.getByRole('heading', { name: 'Recently used by' })).toBeTruthy()
  expect(items()).toEqual(['python-httpx2 min ago · 14 times', 'latchkey token1 hr ago'])
  await pass(MINUTE)
  expect(items()[0]).toContain('3 min ago')
})

test('names five, and counts the rest', async () => {
  await open({ uses: ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => use(name)) })
  expect(items()).toHaveLength(6)
  expect(items().at(-1)).toBe('and 2 more')
})

test('SECURITY: a name is text, kept apart from ours, and can be read whole', async () => {
  const name = '<img src=x onerror=alert(1)>'
  await open({ uses: [use(name)] })
  expect(document.querySelector('.uses img')).toBeNull()
  expect(document.querySelector('.uses bdi')?.textContent).toBe(name)
  expect(screen.getByTitle(name)).toBeTruthy()
})

test('one calm line while nobody has asked yet', async () => {
  await open({})
  expect(screen.getByText('No tool has asked for an access token yet.')).toBeTruthy()
  expect(screen.queryByRole('list')).toBeNull()
})

test('one quiet line where tools can’t ask', async () => {
  await open({ enabled: false, uses: [use('curl')] })
  expect(screen.getByText(/that is turned off in the settings/)).toBeTruthy()
  expect(items()).toEqual([])
})

test('why tools can’t ask though they should', async () => {
  await open({ problem: 'Another Latchkey serves them.' })
  expect(screen.getByText('Another Latchkey serves them.').closest('.notice')?.textContent).toContain(
    'Tools can’t ask for access tokens.',
  )
  expect(screen.queryByText(/No tool has asked/)).toBeNull()
})

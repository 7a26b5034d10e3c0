import { cleanup, screen } from '@testing-library/preact'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { OK } from '../../contract/failures.ts'
import type { Source } from '../../contract/settings.ts'
import { switchesOf } from '../../contract/testing.ts'
import type { AgentView, ToolUse } from '../../contract/views.ts'
import { callsOf, MINUTE, NOW, openWindow, pass, press, sessions, viewOf } from '../testing.tsx'

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const use = (name: string, minutes = 0, count = 1): ToolUse => ({ name, lastAt: NOW - minutes * MINUTE, count })
const open = (agent: Partial<AgentView>) => openWindow(viewOf(sessions.active, { agent: { uses: [], ...agent } }))
const items = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent)

test('the list shows each tool’s name, when the tool last got a token, and how often it got one', async () => {
  await open({ uses: [use('python-httpx', 2, 14), use('latchkey token', 61)] })
  expect(screen.getByRole('heading', { name: 'Recently used by' })).toBeTruthy()
  expect(items()).toEqual(['python-httpx2 min ago · 14 times', 'latchkey token1 hr ago'])
  await pass(MINUTE)
  expect(items()[0]).toContain('3 min ago')
})

test('the list names the remote machine on which a tool runs', async () => {
  await open({ uses: [{ ...use('python-httpx'), host: 'build.example.com' }, use('python-httpx', 3)] })
  expect(items()).toEqual(['build.example.com: python-httpxnow', 'python-httpx3 min ago'])
  expect(screen.getByTitle('build.example.com: python-httpx')).toBeTruthy()
})

test('the list names five tools, or all tools when it is expanded', async () => {
  await open({ uses: ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => use(name)) })
  expect(items()).toHaveLength(5)
  const more = screen.getByRole('button', { name: 'and 2 more', expanded: false })
  more.focus()
  await press('and 2 more')
  expect(items()).toHaveLength(7)
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Show fewer', expanded: true }))
  await press('Show fewer')
  expect(items()).toHaveLength(5)
})

test('SECURITY: a tool’s name is shown as isolated text, and the tooltip has the full name', async () => {
  const name = '<img src=x onerror=alert(1)>'
  await open({ uses: [use(name)] })
  expect(document.querySelector('.uses img')).toBeNull()
  expect(document.querySelector('.uses bdi')?.textContent).toBe(name)
  expect(screen.getByTitle(name)).toBeTruthy()
})

describe('if tools can’t ask', () => {
  const turnedOff = (source: Source) =>
    viewOf(sessions.active, {
      agent: { uses: [use('curl')] },
      switches: switchesOf({ agent: { enabled: false, source } }),
    })

  test('a line says that the agent is turned off, and a button turns it on without losing the focus', async () => {
    const { asked, show } = await openWindow(turnedOff('user'))
    expect(screen.getByText(/This is turned off in Settings → On this computer\./)).toBeTruthy()
    expect(items()).toEqual([])
    await press('Turn on')
    expect(callsOf(asked)).toEqual([['setSwitch', { name: 'agent', enabled: true }]])
    await asked[0]?.answer(OK)
    const place = document.activeElement
    await show(viewOf(sessions.active))
    expect(screen.queryByRole('button', { name: 'Turn on' })).toBeNull()
    expect(place).not.toBe(document.body)
    expect(place?.contains(screen.getByText('No tool has asked for an access token yet.'))).toBe(true)
    expect(document.activeElement).toBe(place)
  })

  test('SECURITY: if the administrator turned the agent off, the window has no button to turn it on', async () => {
    await openWindow(turnedOff('policy'))
    expect(screen.getByText(/Your administrator has turned this off\./)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Turn on' })).toBeNull()
  })
})

test('the window says why tools can’t get tokens although the agent is turned on', async () => {
  await open({ problem: 'Another Latchkey is already running.' })
  expect(screen.getByText('Another Latchkey is already running.').closest('.card')?.textContent).toContain(
    'Tools can’t get access tokens.',
  )
  expect(screen.queryByText(/No tool has asked/)).toBeNull()
})

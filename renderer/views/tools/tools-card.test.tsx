import { screen } from '@testing-library/preact'
import { beforeEach, expect, test, vi } from 'vitest'
import type { AgentView, ToolUse } from '../../../contract/views.ts'
import { MINUTE, NOW, openWindow, pass, press, sessions, viewOf } from '../../testing.tsx'

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
})
const use = (name: string, minutes = 0, count = 1): ToolUse => ({ name, lastAt: NOW - minutes * MINUTE, count })
const open = (agent: Partial<AgentView>) => openWindow(viewOf(sessions.active, { agent: { uses: [], ...agent } }))
const items = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent)

test('the list shows each tool’s name, when it last got a token, and how often', async () => {
  await open({ uses: [use('python-httpx', 2, 14), use('latchkey token', 61)] })
  expect(items()).toEqual(['Ppython-httpx2 min ago · 14 times', 'Llatchkey token1 hr ago'])
  await pass(MINUTE)
  expect(items()[0]).toContain('3 min ago')
})

test('the list says on which remote machine a tool runs', async () => {
  await open({ uses: [{ ...use('python-httpx'), host: 'build.example.com' }, use('python-httpx', 3)] })
  expect(items()).toEqual(['Pbuild.example.com: python-httpxnow', 'Ppython-httpx3 min ago'])
  expect(screen.getByTitle('build.example.com: python-httpx')).toBeTruthy()
})

test('the list shows five tools at first, and all of them when expanded', async () => {
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

test('SECURITY: a tool’s name can’t reorder the text around it, and the tooltip has the full name', async () => {
  const name = '<img src=x onerror=alert(1)>'
  await open({ uses: [use(name)] })
  expect(document.querySelector('.uses img')).toBeNull()
  expect(document.querySelector('.uses bdi')?.textContent).toBe(name)
  expect(screen.getByTitle(name)).toBeTruthy()
})

test('before a tool has got a token, tiles lead to the instructions', async () => {
  await open({})
  expect(
    screen.getAllByRole('button').flatMap(({ className, textContent }) => (className === 'tile' ? [textContent] : [])),
  ).toEqual(['Pythonnotebook or script', 'Rhttr2', 'Shellcurl and friends', 'Excel, BIaddress and password'])
  await press('R httr2')
  expect(screen.getByRole('radio', { checked: true }).textContent).toBe('R')
  expect(screen.getByText(/library\(httr2\)/)).toBeTruthy()
})

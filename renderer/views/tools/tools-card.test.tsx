import { screen } from '@testing-library/preact'
import { beforeEach, expect, test, vi } from 'vitest'
import type { ToolUse } from '../../../contract/views.ts'
import { MINUTE, NOW, openWindow, pass, press, sessions, viewOf } from '../../testing.tsx'

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
})
const use = (name: string, minutes = 0, count = 1): ToolUse => ({ name, lastAt: NOW - minutes * MINUTE, count })
const open = (...uses: ToolUse[]) => openWindow(viewOf(sessions.active, { agent: { uses } }))
const items = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent)

test('the list shows each tool’s name and remote machine, when it last got a token, and how often', async () => {
  await open(use('python-httpx', 2, 14), { ...use('latchkey token', 61), host: 'build.example.com' })
  expect(items()).toEqual(['Ppython-httpx2 min ago · 14 times', 'Lbuild.example.com: latchkey token1 hr ago'])
  await pass(MINUTE)
  expect(items()[0]).toContain('3 min ago')
})

test('the list shows five tools at first, and all of them when expanded', async () => {
  await open(...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => use(name)))
  expect(items()).toHaveLength(5)
  await press('and 2 more')
  expect(items()).toHaveLength(7)
  await press('Show fewer')
  expect(items()).toHaveLength(5)
})

test('SECURITY: a tool’s name can’t reorder the text around it, and the tooltip has the full name', async () => {
  const name = '<img src=x onerror=alert(1)>'
  await open(use(name))
  expect(document.querySelector('.uses img')).toBeNull()
  expect(document.querySelector('.uses bdi')?.textContent).toBe(name)
  expect(screen.getByTitle(name)).toBeTruthy()
})

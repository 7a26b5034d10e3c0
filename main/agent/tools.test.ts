import { beforeEach, describe, expect, test } from 'vitest'
import { ManualTime } from '../../test/support/manual-time.ts'
import { DeadlineClock } from '../base/clock.ts'
import { SignInNeeds, ToolUsage, throughGateway, toolName } from './tools.ts'

/** How Node decodes this text from a UTF-8 header: as Latin-1. */
const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

test.each([
  ['python-httpx/0.28.1', 'python-httpx/0.28.1'],
  [latin1('Übersicht für Müller 🔑'), 'Übersicht für Müller 🔑'],
  [latin1('  my\r\n\ttool \u2028 here '), 'my tool here'],
  ['x'.repeat(65), `${'x'.repeat(63)}…`],
  [latin1(' \u202e '), 'unknown tool'],
  [throughGateway('Microsoft.Data.Mashup (https://go.microsoft.com)').userAgent, 'Microsoft.Data.Mashup (gateway)'],
])('the name of a tool with the User-Agent header %j is “%s”', (userAgent, name) => {
  expect(toolName(userAgent)).toBe(name)
})

describe('a tool that got a token', () => {
  let time: ManualTime
  let usage: ToolUsage

  beforeEach(() => {
    time = new ManualTime()
    usage = new ToolUsage(new DeadlineClock(time))
  })

  test('is shown as listening while at least one of its connections listens', () => {
    const left = usage.listen('default', { userAgent: 'pool' })
    usage.record('default', { userAgent: 'pool' })
    usage.record('staging', { userAgent: 'pool' })
    const second = usage.listen('default', { userAgent: 'pool' })
    left()
    expect(usage.list('default')).toMatchObject([{ name: 'pool', isListening: true }])
    expect(usage.list('staging')[0]).not.toHaveProperty('isListening')
    second()
    expect(usage.list('default')[0]).not.toHaveProperty('isListening')
  })

  test('drops off the list once 50 other tools have got a token after it', () => {
    for (let each = 0; each < 50; each++) usage.record('default', { userAgent: `tool ${each}` })
    usage.record('default', { userAgent: 'tool 0' })
    usage.record('default', { userAgent: 'one more' })
    const names = usage.list('default').map(({ name }) => name)
    expect(names).toHaveLength(50)
    expect(names.slice(0, 2)).toEqual(['one more', 'tool 0'])
    expect(names).not.toContain('tool 1')
  })

  test('is listed for each connection with the number of its tokens, the latest tool first', () => {
    const start = time.wall()
    usage.record('default', { userAgent: 'curl' })
    usage.record('default', { userAgent: 'python' })
    usage.record('staging', { userAgent: 'curl' })
    time.pass(5_000)
    usage.record('default', { userAgent: 'curl' })
    const [curl, python] = [
      { name: 'curl', lastAt: start + 5_000, count: 2 },
      { name: 'python', lastAt: start, count: 1 },
    ]
    expect(usage.list('default')).toEqual([curl, python])
    usage.remove('staging')
    expect([usage.list('staging'), usage.list('default').length]).toEqual([[], 2])
  })

  test('is announced to a listener at most once a second, and not after the listener was removed', () => {
    let told = 0
    const undo = usage.subscribe(() => told++)
    for (let each = 0; each < 1_000; each++) usage.record('default', { userAgent: 'curl' })
    time.pass(10_000)
    expect(told).toBe(1)
    usage.record('default', { userAgent: 'curl' })
    undo()
    expect(time.pending()).toBe(0)
  })
})

const python = { name: 'python' }
const start = () => {
  const time = new ManualTime()
  const needs = new SignInNeeds(new DeadlineClock(time))
  let changes = 0
  needs.subscribe(() => {
    changes += 1
  })
  const listed = () => {
    time.pass(1_000)
    return [needs.list(), changes]
  }
  return { needs, listed }
}

test('a tool with several waiting requests is listed once, and stays until the last of them ends', () => {
  const { needs, listed } = start()
  const ends = [needs.hold('default', { userAgent: 'python' }), needs.hold('default', { userAgent: 'python' })]
  const other = needs.hold('default', { userAgent: 'R', host: 'cluster' })
  const r = { name: 'R', host: 'cluster' }
  expect(listed()).toEqual([[{ connection: 'default', first: python, waiting: [python, r] }], 1])
  for (const end of ends) end()
  expect(listed()).toEqual([[{ connection: 'default', first: python, waiting: [r] }], 2])
  other()
  expect(listed()).toEqual([[{ connection: 'default', first: python, waiting: [] }], 3])
})

test('of the tools that ask before the sign-in, only the first is listed, and only once', () => {
  const { needs, listed } = start()
  for (const userAgent of ['python', 'R', 'python']) needs.record('default', { userAgent })
  const need = { connection: 'default', first: python, waiting: [] }
  expect(listed()).toEqual([[need], 1])
  needs.record('staging', { userAgent: 'R' })
  const end = needs.hold('staging', { userAgent: 'python' })
  needs.clear('default')
  needs.clear('staging')
  expect(listed()).toEqual([[{ connection: 'staging', first: python, waiting: [python] }], 2])
  end()
  expect(listed()[0]).toEqual([])
})

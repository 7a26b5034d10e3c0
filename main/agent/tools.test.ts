import { beforeEach, describe, expect, test } from 'vitest'
import { ManualTime } from '../../test/support/manual-time.ts'
import { DeadlineClock } from '../base/clock.ts'
import { SignInNeeds, ToolUsage, throughGateway, throughMcp, toolName } from './tools.ts'

/** How Node decodes this text from a UTF-8 header: as Latin-1. */
const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

test.each([
  ['python-httpx/0.28.1', 'python-httpx/0.28.1'],
  [latin1('Übersicht für Müller 🔑'), 'Übersicht für Müller 🔑'],
  [latin1('  my\r\n\ttool \u2028 here '), 'my tool here'],
  ['x'.repeat(65), `${'x'.repeat(63)}…`],
  [latin1(' \u202e '), 'unknown tool'],
  [throughMcp(`分析\u202e\r\n${'x'.repeat(99)}`)?.userAgent, `分析 ${'x'.repeat(54)}… (mcp)`],
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
    const ends = [usage.listen('default', { userAgent: 'pool' }), usage.listen('default', { userAgent: 'pool' })]
    usage.record('default', { userAgent: 'pool' })
    usage.record('staging', { userAgent: 'pool' })
    ends[0]?.()
    expect(usage.list('default')).toMatchObject([{ name: 'pool', isListening: true }])
    ends[1]?.()
    for (const name of ['default', 'staging']) expect(usage.list(name)[0]).not.toHaveProperty('isListening')
  })

  test('drops off the list once 50 other tools have got a token after it', () => {
    for (let each = 0; each < 50; each++) usage.record('default', { userAgent: `tool ${each}` })
    for (const userAgent of ['tool 0', 'one more']) usage.record('default', { userAgent })
    const names = usage.list('default').map(({ name }) => name)
    expect([names.length, names[0], names[1], names.at(-1)]).toEqual([50, 'one more', 'tool 0', 'tool 2'])
  })

  test('is listed for each connection with the number of its tokens, the latest tool first', () => {
    for (const userAgent of ['curl', 'python', 'curl']) usage.record('default', { userAgent })
    usage.record('staging', { userAgent: 'curl' })
    const lastAt = time.wall()
    const listed = [
      { name: 'curl', lastAt, count: 2 },
      { name: 'python', lastAt, count: 1 },
    ]
    expect(usage.list('default')).toEqual(listed)
    usage.remove('staging')
    expect([usage.list('staging'), usage.list('default')]).toEqual([[], listed])
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

test('tools that need a sign-in are listed once, the first one until the sign-in, and waiting ones until they end', () => {
  const time = new ManualTime()
  const needs = new SignInNeeds(new DeadlineClock(time))
  let changes = 0
  needs.subscribe(() => changes++)
  const listed = () => {
    time.pass(1_000)
    return [needs.list().map(({ first, waiting }) => [first.name, ...waiting.map(({ name }) => name)]), changes]
  }
  for (const userAgent of ['python', 'R', 'python']) needs.record('default', { userAgent })
  expect(listed()).toEqual([[['python']], 1])
  const ends = [needs.hold('default', { userAgent: 'R' }), needs.hold('default', { userAgent: 'R' })]
  const other = needs.hold('default', { userAgent: 'curl', host: 'cluster' })
  expect(listed()).toEqual([[['python', 'R', 'curl']], 2])
  needs.clear('default')
  expect(listed()).toEqual([[['R', 'R', 'curl']], 3])
  for (const end of ends) end()
  expect(listed()).toEqual([[['curl', 'curl']], 4])
  expect(needs.list()[0]?.waiting).toEqual([{ name: 'curl', host: 'cluster' }])
  other()
  expect(listed()).toEqual([[], 5])
})

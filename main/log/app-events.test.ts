import { beforeEach, expect, it } from 'vitest'
import { logAgent, logProblems, logProxies } from './app-events.ts'
import type { Log } from './log.ts'
import { createReport, errorCode } from './log.ts'

let said: unknown[][]
let log: Log
beforeEach(() => {
  said = []
  const at =
    (level: string) =>
    (...rest: unknown[]) =>
      void said.push([level, ...rest.filter((each) => each !== undefined)])
  log = { error: at('error'), warn: at('warn'), info: at('info') }
})

it('logs the agent’s state when it changes', () => {
  const note = logAgent(log)
  note({ kind: 'off' })
  note({ kind: 'on' })
  note({ kind: 'on' })
  note({ kind: 'failed', problem: { kind: 'inUse' } })
  note({ kind: 'failed', problem: { kind: 'inUse' } })
  note({ kind: 'on' })
  note({ kind: 'off' })
  expect(said).toEqual([
    ['info', 'agent.started'],
    ['warn', 'agent.problem', { problem: 'inUse' }],
    ['info', 'agent.started'],
    ['info', 'agent.stopped'],
  ])
})

it('logs the first proxy on the way to a host when it changes', () => {
  const note = logProxies(log)
  for (const proxy of [undefined, undefined, 'proxy.test:3128', 'proxy.test:3128']) note('service.test', proxy)
  note('login.test', undefined)
  expect(said).toEqual([
    ['info', 'network.proxy', { host: 'service.test', proxy: 'direct' }],
    ['info', 'network.proxy', { host: 'service.test', proxy: 'proxy.test:3128' }],
    ['info', 'network.proxy', { host: 'login.test', proxy: 'direct' }],
  ])
})

it('logs a problem with the settings only once while it lasts, and without folder names', () => {
  const note = logProblems(log)
  const damaged = { source: 'user', where: '/home/ana/config.damaged-7.json', problem: 'damaged' }
  const wrong = {
    source: 'policy',
    where: '/etc/latchkey/policy.json',
    key: 'realm',
    at: { line: 3 },
    problem: 'unusable',
  }
  note([damaged])
  note([damaged, wrong])
  note([damaged])
  note([damaged, wrong])
  expect(said.map(([, event, fields]) => [event, fields])).toEqual([
    ['settings.problem', { source: 'user', where: 'config.damaged-7.json', problem: 'damaged' }],
    ...Array(2).fill([
      'settings.problem',
      { source: 'policy', where: 'policy.json', key: 'realm', line: 3, problem: 'unusable' },
    ]),
  ])
})

it('SECURITY: an error is logged with its place and code, never its message', () => {
  const printed: string[] = []
  const print = (line: string) => void printed.push(line)
  const error = Object.assign(new Error('hush'), { code: 'EACCES' })
  createReport({ log, isDevelopment: false, print })('signIn', error)
  createReport({ log, isDevelopment: false, print })('signIn', new TypeError('hush'))
  expect(said).toEqual([
    ['error', 'bug', { where: 'signIn', code: 'EACCES' }],
    ['error', 'bug', { where: 'signIn', code: 'TypeError' }],
  ])
  expect(printed).toEqual(['signIn: EACCES', 'signIn: TypeError'])
  createReport({ log, isDevelopment: true, print })('signIn', error)
  expect(printed.at(-1)).toContain('hush')
  expect(errorCode({ message: 'hush' })).toBe('unknown')
})

import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { readEnvironment } from '../settings/layers.ts'
import { refusedSwitch, refusedVariable, takeVariables } from './process-hardening.ts'

const PROGRAM = '/opt/Latchkey/latchkey-desktop'

it.each([
  ['linux', '--remote-debugging-port=9222', '--remote-debugging-port'],
  ['linux', '-remote-debugging-pipe', '-remote-debugging-pipe'],
  ['linux', '--inspect', '--inspect'],
  ['linux', '--inspect-brk-node=1', '--inspect-brk-node'],
  ['linux', '-js-flags=--heap-snapshot-on-oom', '-js-flags'],
  ['darwin', '\n--remote-debugging-pipe ', '--remote-debugging-pipe'],
  ['win32', ' /Inspect', '/Inspect'],
  ['win32', '--JS-flags=--trace', '--JS-flags'],
  ['win32', '\u0085--REMOTE-debugging-port=1\u00a0', '--REMOTE-debugging-port'],
] as const)(
  'SECURITY: on %s, a packaged app refuses a switch of a debugger or of V8: %j',
  (platform, argument, name) => {
    expect(refusedSwitch([PROGRAM, '--hidden', argument], platform)).toBe(name)
  },
)

it.each(['--user-data-dir=/home/ana/--inspect', '--inspector', '/home/ana/inspect', '-- inspect', '--'])(
  'other arguments are accepted: "%s"',
  (argument) => {
    expect(refusedSwitch([PROGRAM, argument], 'linux')).toBeUndefined()
  },
)

it('SECURITY: a packaged app refuses to start with NODE_DEBUG, unless it is empty', () => {
  expect(refusedVariable({ NODE_DEBUG: 'http' })).toBe('NODE_DEBUG')
  expect(refusedVariable({ NODE_DEBUG_NATIVE: 'http' })).toBe('NODE_DEBUG_NATIVE')
  expect(refusedVariable({ NODE_DEBUG: '', NODE_ENV: 'production', DEBUG: '*' })).toBeUndefined()
})

it('SECURITY: the client secret is removed from the environment, and is never printed', () => {
  const env: Record<string, string | undefined> = { LATCHKEY_SSO_CLIENT_SECRET: 'hush-hush', PATH: '/bin' }
  const { layer } = readEnvironment(takeVariables(env))
  expect(env).toEqual({ PATH: '/bin' })
  expect(layer.clientSecret?.reveal()).toBe('hush-hush')
  expect(inspect(layer) + JSON.stringify(layer)).not.toContain('hush')
})

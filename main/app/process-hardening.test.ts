import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readEnvironment } from '../settings/layers.ts'
import { refusedSwitch, refusedVariable, takeVariables } from './process-hardening.ts'

const PROGRAM = '/opt/Latchkey/latchkey-desktop'

describe('a packaged app refuses a debugger’s switch:', () => {
  it.each([
    '--remote-debugging-port=9222',
    '--remote-debugging-port',
    '--remote-debugging-pipe',
    '--remote-debugging-address=0.0.0.0',
    '-remote-debugging-port=9222',
    '--inspect',
    '--inspect=0.0.0.0:9229',
    '--inspect-brk',
    '--inspect-brk-node=1',
    '--inspect-port=1',
  ])('%s', (argument) => {
    expect(refusedSwitch([PROGRAM, '--hidden', argument], 'linux')).toBe(argument.replace(/=.*/, ''))
  })

  it.each([
    ['linux', ' --remote-debugging-port=1', '--remote-debugging-port'],
    ['linux', '\t-remote-debugging-pipe', '-remote-debugging-pipe'],
    ['darwin', '\n--remote-debugging-pipe ', '--remote-debugging-pipe'],
    ['win32', ' /inspect', '/inspect'],
    ['win32', '/Inspect', '/Inspect'],
    ['win32', '--REMOTE-debugging-PORT=9222', '--REMOTE-debugging-PORT'],
    ['win32', '\u0085--remote-debugging-port=1', '--remote-debugging-port'],
    ['win32', '\u3000--remote-debugging-pipe\u00a0', '--remote-debugging-pipe'],
  ] as const)('on %s, also if it is written as %j', (platform, argument, name) => {
    expect(refusedSwitch([PROGRAM, argument], platform)).toBe(name)
  })
})

it.each(['--js-flags=--trace', '-js-flags=--heap-snapshot-on-oom', ' --js-flags'])(
  'a packaged app refuses switches with which V8 prints or saves its memory: %s',
  (argument) => {
    expect(refusedSwitch([PROGRAM, argument], 'linux')).toBe(argument.trim().replace(/=.*/, ''))
    expect(refusedSwitch([PROGRAM, argument.toUpperCase()], 'win32')).toMatch(/js-flags/i)
  },
)

it.each([
  '--hidden',
  '--user-data-dir=/home/ana/--inspect',
  '--inspector',
  '/home/ana/inspect',
  'inspect',
  '-- inspect',
  '--',
  ' ',
])('other arguments are accepted: "%s"', (argument) => {
  expect(refusedSwitch([PROGRAM, argument], 'linux')).toBeUndefined()
})

it.each(['NODE_DEBUG', 'NODE_DEBUG_NATIVE'])('SECURITY: a packaged app refuses to start with %s', (name) => {
  expect(refusedVariable({ [name]: 'http' })).toBe(name)
})

it('a packaged app starts with an empty NODE_DEBUG, because Node ignores it', () => {
  expect(refusedVariable({ NODE_DEBUG: '', NODE_ENV: 'production', DEBUG: '*' })).toBeUndefined()
})

it('SECURITY: the client secret is removed from the environment, and is never printed', () => {
  const env: Record<string, string | undefined> = { LATCHKEY_SSO_CLIENT_SECRET: 'hush-hush', PATH: '/bin' }
  const { layer } = readEnvironment(takeVariables(env))
  expect(env).toEqual({ PATH: '/bin' })
  expect(layer.clientSecret?.reveal()).toBe('hush-hush')
  expect(inspect(layer) + JSON.stringify(layer)).not.toContain('hush')
})

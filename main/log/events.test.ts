import { beforeEach, expect, it } from 'vitest'
import { GRANTS } from '../../contract/grants.ts'
import type { SessionView } from '../../contract/views.ts'
import { logProblems, sessionEvents } from './events.ts'
import { logLine } from './line.ts'
import { createReport, errorCode, type Log } from './log.ts'

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

it('logs a problem with the settings only once while it lasts, and without folder names', () => {
  const note = logProblems(log)
  const damaged = { source: 'user', where: '/home/ana/config.damaged-7.json', problem: 'damaged' }
  const wrong = { source: 'policy', where: '/etc/latchkey/policy.json', key: 'realm', problem: 'unusable' }
  note([damaged])
  note([damaged, wrong])
  note([damaged])
  note([damaged, wrong])
  expect(said.map(([, event, fields]) => [event, fields])).toEqual([
    ['settings.problem', { source: 'user', where: 'config.damaged-7.json', problem: 'damaged' }],
    ...Array(2).fill(['settings.problem', { ...wrong, where: 'policy.json' }]),
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

const account = { username: 'ana', displayName: 'Ana Lopez', grant: GRANTS.password } as const
const token = { receivedAt: 1_000, expiresAt: 301_000, refreshesAt: 200_000 }
const details = { operation: 'refresh', host: 'data.test:443', cause: 'ENOTFOUND', at: '2026-03-01T12:00:00Z' }
const refused = { code: 'sessionEnded', details: { status: 401 } } as const

it('SECURITY: each event of a session is one log line, without the username and the server’s text', () => {
  const active: SessionView = { kind: 'active', account, token, refresh: 'idle', kept: 'keychain' }
  const failure = { code: 'unreachable', serverText: 'Dear Ana', details } as const
  const unreachable: SessionView = { ...active, kind: 'unreachable', failure, retryAt: 5 }
  const views: SessionView[] = [
    { kind: 'signingIn' },
    active,
    { ...active, refresh: 'running' },
    active,
    { ...active, token: { ...token, receivedAt: 2_000 } },
    { ...active, kept: 'unsaved' },
    unreachable,
    { ...unreachable, refresh: 'running' },
    { ...active, kind: 'ending', failure: refused },
    { kind: 'expired', account, refresh: 'idle', failure: refused },
    { kind: 'signedOut', revocation: 'pending' },
  ]
  const events = views.flatMap((after, index) => sessionEvents(views[index - 1], after))
  expect(events.map((event) => logLine(event, 0).slice(25).replace(/ +/, ' '))).toEqual([
    'info session.state to=signingIn',
    'info session.state from=signingIn to=active method=password',
    'info session.kept kept=keychain',
    'info session.refreshed lifetime=300',
    'warn session.kept kept=unsaved',
    'warn session.state from=active to=unreachable method=password',
    'warn session.refreshFailed code=unreachable operation=refresh cause=ENOTFOUND host=data.test:443',
    'info session.kept kept=keychain',
    'warn session.state from=unreachable to=ending method=password',
    'warn session.ended code=sessionEnded status=401',
    'warn session.state from=ending to=expired method=password',
    'info session.state from=expired to=signedOut',
    'warn session.revocation revocation=pending',
  ])
})

import { expect, test } from 'vitest'
import { GRANTS } from '../../contract/grants.ts'
import type { SessionView } from '../../contract/views.ts'
import { logLine } from './line.ts'
import { sessionEvents } from './session-events.ts'

const account = { username: 'ana', displayName: 'Ana Lopez', grant: GRANTS.password } as const
const token = { receivedAt: 1_000, expiresAt: 301_000, refreshesAt: 200_000 }
const details = { operation: 'refresh', host: 'data.test:443', cause: 'ENOTFOUND', at: '2026-03-01T12:00:00Z' }

const signedOut: SessionView = { kind: 'signedOut', revocation: 'none' }
const active: SessionView = { kind: 'active', account, token, refresh: 'idle', kept: 'keychain' }
const refreshing: SessionView = { ...active, refresh: 'running' }
const unreachable: SessionView = {
  ...active,
  kind: 'unreachable',
  failure: { code: 'unreachable', serverText: 'Dear Ana', details },
  retryAt: 5,
}
const ending: SessionView = { ...active, kind: 'ending', failure: { code: 'sessionEnded', details: { status: 401 } } }
const expired: SessionView = { kind: 'expired', account, refresh: 'idle', failure: ending.failure }

const told = (before: SessionView | undefined, after: SessionView) =>
  sessionEvents(before, after).map((event) => logLine(event, 0).slice(25).replace(/ +/, ' '))

test.each<[string, SessionView | undefined, SessionView, string[]]>([
  ['the start', undefined, { kind: 'restoring' }, ['info session.state to=restoring']],
  [
    'signing in',
    { kind: 'signingIn' },
    active,
    ['info session.state from=signingIn to=active method=password', 'info session.kept kept=keychain'],
  ],
  ['a refresh that begins', active, refreshing, []],
  ['a refresh', refreshing, active, ['info session.refreshed lifetime=300']],
  [
    'a refresh that failed',
    refreshing,
    unreachable,
    [
      'warn session.state from=active to=unreachable method=password',
      'warn session.refreshFailed code=unreachable operation=refresh cause=ENOTFOUND host=data.test:443',
    ],
  ],
  [
    'one that came through again',
    { ...unreachable, refresh: 'running' },
    active,
    ['info session.state from=unreachable to=active method=password', 'info session.refreshed lifetime=300'],
  ],
  [
    'a refusal',
    refreshing,
    ending,
    ['warn session.state from=active to=ending method=password', 'warn session.ended code=sessionEnded status=401'],
  ],
  ['its end, told before', ending, expired, ['warn session.state from=ending to=expired method=password']],
  ['a keychain that fails', active, { ...active, kept: 'unsaved' }, ['warn session.kept kept=unsaved']],
  ['one that is back', { ...active, kept: 'unsaved' }, active, ['info session.kept kept=keychain']],
  [
    'signing out while the service is unreachable',
    active,
    { kind: 'signedOut', revocation: 'pending' },
    ['info session.state from=active to=signedOut', 'warn session.revocation revocation=pending'],
  ],
  ['times that moved', active, { ...active, token: { ...token, receivedAt: 2_000 } }, []],
  ['nothing', signedOut, signedOut, []],
])('logs %s', (_, before, after, lines) => {
  expect(told(before, after)).toEqual(lines)
})

test('no session event contains a username or the server’s text', () => {
  const views = [undefined, signedOut, active, refreshing, unreachable, ending, expired]
  for (const before of views)
    for (const after of views) {
      if (after !== undefined) expect(told(before, after).join()).not.toMatch(/ana|lopez|dear/i)
    }
})

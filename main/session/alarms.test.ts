import { describe, expect, it } from 'vitest'
import { GRANTS } from '../../contract/grants.ts'
import { alarmsOf } from './alarms.ts'
import type { SessionState } from './state.ts'

const account = { username: 'ana', displayName: 'Ana', grant: GRANTS.password } as const
const failure = { code: 'unreachable' } as const
const token = { receivedAt: 0, expiresAt: 3_600_000, refreshesAt: 2_000_000 }
const lasting = { receivedAt: 0, expiresAt: 3_600_000 }
const kept = 'keychain'

describe('each state sets exactly these alarms', () => {
  // biome-ignore format: a row a line reads as a table
  const table: readonly (readonly [string, SessionState, readonly object[]])[] = [
    ['restoring', { kind: 'restoring' }, []],
    ['sessionUnread', { kind: 'sessionUnread', why: 'locked' }, []],
    ['signedOut', { kind: 'signedOut', revocation: 'pending' }, []],
    ['active', { kind: 'active', account, token, refresh: 'idle', kept }, [{ at: 2_000_000, name: 'refresh' }]],
    ['active, refreshing', { kind: 'active', account, token, refresh: 'running', kept }, []],
    ['active, without a refresh token: 5 min before the end', { kind: 'active', account, token: lasting, refresh: 'idle', kept: 'memory' }, [{ at: 3_300_000, name: 'warn' }]],
    ['unreachable', { kind: 'unreachable', account, token, refresh: 'idle', kept, failure, retryAt: 7 }, [{ at: 7, name: 'refresh' }, { at: 3_600_000, name: 'ranOut' }, ]],
    ['unreachable, refreshing: the token still expires', { kind: 'unreachable', account, token, refresh: 'running', kept, failure, retryAt: 7 }, [{ at: 3_600_000, name: 'ranOut' }]],
    ['unreachable, without a token', { kind: 'unreachable', account, refresh: 'idle', kept, failure, retryAt: 7 }, [{ at: 7, name: 'refresh' }]],
    ['ending, refreshing', { kind: 'ending', account, token, refresh: 'running', kept, failure }, [{ at: 3_600_000, name: 'ranOut' }]],
    ['expired', { kind: 'expired', account, refresh: 'idle', failure }, []],
    ['signingIn: the alarms of the earlier state', { kind: 'signingIn', from: { kind: 'active', account, token, refresh: 'idle', kept } }, [{ at: 2_000_000, name: 'refresh' }]],
  ]
  it.each(table)('%s', (_, state, alarms) => {
    expect(alarmsOf(state)).toEqual(alarms)
  })
})

import { describe, expect, it } from 'vitest'
import { GRANTS } from '../../contract/grants.ts'
import type { Revocation } from '../../contract/views.ts'
import { sessionView } from './connection-view.ts'
import { type SessionEvent, type SessionState, transition } from './state.ts'

const account = { username: 'ana', displayName: 'Ana', grant: GRANTS.password } as const
const other = { ...account, displayName: 'Ana A' }
const failure = { code: 'unreachable' } as const
const authenticator = { id: 'r', kind: 'recoveryCode' } as const
const refusal = { code: 'sessionEnded' } as const
const token = { receivedAt: 0, expiresAt: 100, refreshesAt: 60 }
const fresh = { receivedAt: 50, expiresAt: 150, refreshesAt: 110 }
const kept = 'keychain'

const STATES = {
  restoring: { kind: 'restoring' },
  sessionUnread: { kind: 'sessionUnread', why: 'locked' },
  unknownVersion: { kind: 'unknownVersion' },
  signedOut: { kind: 'signedOut', revocation: 'pending', handedOutUntil: 70 },
  active: { kind: 'active', account, token, refresh: 'running', kept },
  unreachable: { kind: 'unreachable', account, token, refresh: 'running', kept, failure, retryAt: 5 },
  ending: { kind: 'ending', account, token, refresh: 'running', kept, failure: refusal },
  expired: { kind: 'expired', account, refresh: 'running', failure: refusal },
} as const satisfies Record<Exclude<SessionState['kind'], 'signingIn'>, SessionState>
type StateName = keyof typeof STATES

const EVENTS = {
  nothingStored: { type: 'nothingStored', revocation: 'none' },
  sessionUnread: { type: 'sessionUnread', why: 'locked' },
  unknownVersionFound: { type: 'unknownVersionFound' },
  sessionFound: { type: 'sessionFound', issuer: 'service' },
  signInFailed: { type: 'signInFailed' },
  signedIn: { type: 'signedIn', account: other, token: fresh, kept },
  refreshStarted: { type: 'refreshStarted' },
  tokenReceived: { type: 'tokenReceived', account: other, token: fresh, kept },
  refreshFailed: { type: 'refreshFailed', account, failure, retryAt: 9, kept, now: 50 },
  refreshFailedLate: { type: 'refreshFailed', account, failure, retryAt: 9, kept, now: 100 },
  refreshRefused: { type: 'refreshRefused', account, failure: refusal, kept, now: 50 },
  refreshRefusedLate: { type: 'refreshRefused', account, failure: refusal, kept, now: 100 },
  tokenRanOut: { type: 'tokenRanOut' },
  keptChanged: { type: 'keptChanged', kept: 'unsaved' },
  signedOut: { type: 'signedOut', revocation: 'none' },
  revocationDone: { type: 'revocationChanged', revocation: 'done' },
  revocationPostponed: { type: 'revocationPostponed', failure, issuer: 'service' },
} as const satisfies Record<string, Exclude<SessionEvent, { type: 'signInStarted' }>>
type EventName = keyof typeof EVENTS

const SAME = 'same'
const active = { kind: 'active', account: other, token: fresh, refresh: 'idle', kept }
const unreachable = { kind: 'unreachable', account, token, refresh: 'idle', kept, failure, retryAt: 9 }
const { token: _, ...cutOff } = unreachable
const ending = { kind: 'ending', account, token, refresh: 'idle', kept, failure: refusal }
const expired = { kind: 'expired', account, refresh: 'idle', failure: refusal }
const found = { kind: 'restoring', issuer: 'service' }
const out = { kind: 'signedOut', revocation: 'none' }

const AWAITING_KEYCHAIN: Partial<Record<EventName, unknown>> = {
  nothingStored: out,
  sessionUnread: { kind: 'sessionUnread', why: 'locked' },
  unknownVersionFound: { kind: 'unknownVersion' },
  sessionFound: found,
  tokenReceived: active,
  refreshFailed: cutOff,
  refreshFailedLate: cutOff,
  refreshRefused: expired,
  refreshRefusedLate: expired,
  signedOut: out,
}

/** An event that isn't in the table leaves the state as it is. `SAME` overrides an entry of `AWAITING_KEYCHAIN`. */
const TABLE: Record<StateName, Partial<Record<EventName, unknown>>> = {
  restoring: AWAITING_KEYCHAIN,
  sessionUnread: { ...AWAITING_KEYCHAIN, sessionUnread: SAME },
  unknownVersion: {
    ...AWAITING_KEYCHAIN,
    nothingStored: SAME,
    sessionUnread: SAME,
    unknownVersionFound: SAME,
    sessionFound: SAME,
  },
  signedOut: {
    unknownVersionFound: { kind: 'unknownVersion' },
    sessionFound: found,
    signedOut: { kind: 'signedOut', revocation: 'none', handedOutUntil: 70 },
    revocationDone: { kind: 'signedOut', revocation: 'done', handedOutUntil: 70 },
    revocationPostponed: { ...STATES.signedOut, revocationFailure: failure, revocationIssuer: 'service' },
  },
  active: {
    tokenReceived: active,
    refreshFailed: unreachable,
    refreshFailedLate: cutOff,
    refreshRefused: ending,
    refreshRefusedLate: expired,
    keptChanged: { ...STATES.active, kept: 'unsaved' },
    signedOut: out,
  },
  unreachable: {
    tokenReceived: active,
    refreshFailed: unreachable,
    refreshFailedLate: cutOff,
    refreshRefused: ending,
    refreshRefusedLate: expired,
    tokenRanOut: { kind: 'unreachable', account, refresh: 'running', kept, failure, retryAt: 5 },
    keptChanged: { ...STATES.unreachable, kept: 'unsaved' },
    signedOut: out,
  },
  ending: {
    tokenReceived: active,
    refreshFailed: ending,
    refreshFailedLate: ending,
    refreshRefused: ending,
    refreshRefusedLate: expired,
    tokenRanOut: { ...expired, refresh: 'running' },
    keptChanged: { ...STATES.ending, kept: 'unsaved' },
    signedOut: out,
  },
  expired: {
    tokenReceived: active,
    refreshFailed: expired,
    refreshFailedLate: expired,
    refreshRefused: expired,
    refreshRefusedLate: expired,
    signedOut: out,
  },
}

const rows = Object.entries(TABLE).flatMap(([from, events]) =>
  (Object.keys(EVENTS) as EventName[]).map((event) => [from as StateName, event, events[event] ?? SAME] as const),
)

describe('the next state after each event', () => {
  it.each(rows)('from %s, on %s, alone and beneath a sign-in', (from, event, to) => {
    const state: SessionState = STATES[from]
    const alone = transition(state, EVENTS[event])
    if (to === SAME) expect(alone).toBe(state)
    else expect(alone).toEqual(to)
    const signingIn: SessionState = { kind: 'signingIn', from: state }
    const beneath = transition(signingIn, EVENTS[event])
    if (event === 'signInFailed') expect(beneath).toBe(state)
    else if (event === 'signedIn') expect(beneath).toEqual(active)
    else if (event === 'signedOut') expect(beneath).toEqual(to)
    else if (to === SAME) expect(beneath).toBe(signingIn)
    else expect(beneath).toEqual({ kind: 'signingIn', from: to })
  })

  it('a sign-in keeps the earlier state, and has the open challenge until it begins again', () => {
    const from: SessionState = STATES.active
    const challenge = { kind: 'recoveryCode', id: '1', issuer: 'service', authenticator } as const
    const signingIn = transition(from, { type: 'signInStarted' })
    expect(signingIn).toEqual({ kind: 'signingIn', from })
    expect(transition(signingIn, { type: 'signInStarted' })).toBe(signingIn)
    const open: SessionState = { kind: 'signingIn', from, challenge }
    expect(transition(signingIn, { type: 'challengeOpened', challenge })).toEqual(open)
    expect(transition(from, { type: 'challengeOpened', challenge })).toEqual(open)
    const second = { ...challenge, id: '2' }
    expect(transition(open, { type: 'challengeOpened', challenge: second })).toEqual({ ...open, challenge: second })
    expect(transition(open, { type: 'signInStarted' })).toEqual(signingIn)
    expect(transition(open, EVENTS.refreshRefused)).toEqual({ ...open, from: ending })
    expect(sessionView(open, { now: () => 40, wall: () => 500 })).toEqual({ kind: 'signingIn', challenge })
  })

  it('a revocation stays `notPossible`, and only a pending revocation becomes `done`', () => {
    const moved = (revocation: Revocation, to: Revocation) =>
      transition({ kind: 'signedOut', revocation }, { type: 'revocationChanged', revocation: to })
    expect(moved('none', 'pending')).toMatchObject({ revocation: 'pending' })
    expect(moved('none', 'done')).toMatchObject({ revocation: 'none' })
    expect(moved('done', 'pending')).toMatchObject({ revocation: 'pending' })
    expect(moved('notPossible', 'done')).toMatchObject({ revocation: 'notPossible' })
  })
})

it('the window receives each state with times on the wall clock', () => {
  const clock = { now: () => 40, wall: () => 1_000_040 }
  const wall = { receivedAt: 1_000_000, expiresAt: 1_000_100, refreshesAt: 1_000_060 }
  const views: Partial<Record<StateName, object>> = {
    signedOut: { ...STATES.signedOut, handedOutUntil: 1_000_070 },
    active: { ...STATES.active, token: wall },
    unreachable: { ...STATES.unreachable, token: wall, retryAt: 1_000_005 },
    ending: { ...STATES.ending, token: wall },
  }
  for (const name of Object.keys(STATES) as StateName[]) {
    expect(sessionView(STATES[name], clock)).toEqual(views[name] ?? STATES[name])
  }
  expect(sessionView(cutOff as SessionState, clock)).toEqual({ ...cutOff, retryAt: 1_000_009 })
})

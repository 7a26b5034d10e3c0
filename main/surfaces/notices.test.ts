import { beforeEach, describe, expect, it } from 'vitest'
import { GRANTS } from '../../contract/grants.ts'
import type { SessionEnd, SessionView, SignInNeed } from '../../contract/views.ts'
import { ManualTime } from '../../test/support/manual-time.ts'
import { loadTexts } from '../../text/index.ts'
import { DeadlineClock } from '../base/clock.ts'
import { type Notice, Notifier, nextWarning, notificationModel } from './notices.ts'

const account = { username: 'ana', displayName: 'ana', grant: GRANTS.password } as const
const token = { receivedAt: 0, expiresAt: 3_600_000, refreshesAt: 2_400_000 }
const lastToken = { receivedAt: 0, expiresAt: 3_600_000 }
const connection = { baseAddress: '', host: 'data.example.com', source: 'user', grants: [] } as const
const sessionEnded = { code: 'sessionEnded' } as const
const active = { kind: 'active', account, token, refresh: 'idle', kept: 'keychain' } as const
const unreachable = { ...active, kind: 'unreachable', failure: { code: 'unreachable' }, retryAt: 0 } as const

/** A session's end of which the user has already been warned. */
const TOLD = 7

const texts = await loadTexts('en')
const notices = (session: SessionView, hasNoTray = false, needs: readonly SignInNeed[] = []) =>
  notificationModel({ connections: [{ name: 'default', isOwn: false, session, connection }], needs }, texts, {
    now: 0,
    hasNoTray,
    isTold: (_, at) => at === TOLD,
  })
const notice = (session: SessionView) => notices(session)[0]

it.each<[string, SessionView, string, RegExp]>([
  [
    'a session that can’t be refreshed',
    { ...active, kind: 'ending', failure: sessionEnded },
    'signIn',
    /data\.example\.com/,
  ],
  [
    'a session that has expired',
    { kind: 'expired', account, refresh: 'idle', failure: sessionEnded },
    'ended',
    /has ended/,
  ],
  [
    'a session that the service ended',
    { kind: 'signedOut', revocation: 'none', failure: sessionEnded },
    'ended',
    /has ended/,
  ],
  ['a keychain that can’t be written', { ...active, kept: 'unsaved' }, 'keychain', /You stay signed in/],
  [
    'a keychain that can’t be written while the service is unreachable',
    { ...unreachable, kept: 'unsaved' },
    'keychain',
    /You stay signed in/,
  ],
])('there is a notice of %s', (_, session, topic, body) => {
  expect(notice(session)).toMatchObject({
    topic,
    title: expect.stringMatching(/^\S/),
    body: expect.stringMatching(body),
  })
})

it.each<[string, SessionView]>([
  ['an active session', active],
  ['a session that has no refresh token and does not end soon', { ...active, token: lastToken }],
  ['a session in memory', { ...active, kept: 'memory' }],
  ['a refresh', { ...active, refresh: 'running' }],
  ['an unreachable service', unreachable],
  ['signing out', { kind: 'signedOut', revocation: 'pending' }],
  ['signing in', { kind: 'signingIn' }],
  ['restoring', { kind: 'restoring' }],
  ['a first run', { kind: 'notConfigured' }],
])('there is no notice of %s', (_, session) => {
  expect(notice(session)).toBeUndefined()
})

it.each<[string, SessionView, SignInNeed['waiting'], string | undefined, string | undefined]>([
  ['waits after a sign-out', { kind: 'signedOut', revocation: 'done' }, [{ name: 'R' }], 'needed', 'R is waiting for'],
  [
    'waits under a name that reads from the right',
    { kind: 'signedOut', revocation: 'done' },
    [{ name: '\u05d0b' }],
    'needed',
    '\u2068\u05d0b\u2069 is waiting for',
  ],
  ['asked after a sign-out', { kind: 'signedOut', revocation: 'done' }, [], 'needed', 'curl needs you'],
  [
    'waits after the session has ended',
    { kind: 'expired', account, refresh: 'idle', failure: sessionEnded },
    [{ name: 'R' }],
    'ended',
    'R is waiting for',
  ],
  [
    'waits while the keychain has lost the session',
    { kind: 'sessionUnread', why: 'missing' },
    [{ name: 'R' }],
    'needed',
    'R is waiting for',
  ],
  ['waits for a locked keychain', { kind: 'sessionUnread', why: 'locked' }, [{ name: 'R' }], undefined, undefined],
  ['waits while the service is unreachable', unreachable, [{ name: 'R' }], undefined, undefined],
])('a notice names a tool that %s, if a sign-in would help the tool', (_, session, waiting, topic, title) => {
  const [made] = notices(session, false, [{ connection: 'default', waiting, first: { name: 'curl' } }])
  expect([made?.topic, made?.title]).toEqual([topic, title && expect.stringContaining(title)])
})

type SignedInView = Extract<SessionView, { kind: 'active' | 'unreachable' }>

it.each([
  ['once the warning is due', { at: 5, warnsAt: 0 }, ['endsSoon', 5]],
  ['even while the service is unreachable', { at: 5, warnsAt: 0 }, ['endsSoon', 5], unreachable],
  ['but not before the warning is due', { at: 5, warnsAt: 1 }, [undefined, undefined]],
  ['but not after the end', { at: 0, warnsAt: -1 }, [undefined, undefined]],
  ['but not if no warning is planned', { at: 5 }, [undefined, undefined]],
  ['but not a second time', { at: TOLD, warnsAt: 0 }, [undefined, undefined]],
] as const)('the user is warned of the expected end, %s', (_, times, expected, session: SignedInView = active) => {
  const end = { kind: 'expected', saidBy: 'provider', ...times } as const
  const made = notice({ ...session, end })
  expect([made?.topic, made?.end]).toEqual(expected)
})

it('the next warning is the earliest future warning among all sessions', () => {
  const at = (warnsAt: number) => ({ kind: 'expected', at: 99, saidBy: 'provider', warnsAt }) as const
  const of = (...ends: readonly SessionEnd[]) =>
    ends.map((end) => ({ name: 'x', isOwn: false, session: { ...active, end } }))
  expect(nextWarning({ connections: of(at(8), at(3), at(5), { kind: 'never' }) }, 4)).toBe(5)
  expect(nextWarning({ connections: of(at(3)) }, 3)).toBeUndefined()
})

it('the notice of a missing tray comes after those that ask the user to act', () => {
  expect(notices(active, true)).toEqual([{ topic: 'noTray', ...texts.tray.noTray }])
  expect(notices({ ...active, kept: 'unsaved' }, true)).toMatchObject([{ topic: 'keychain' }, { topic: 'noTray' }])
})

it('each connection on which the user must act gets a notice with its name', () => {
  const staging = { ...connection, host: 'staging.example.com' }
  const trial = { ...connection, host: 'trial.example.com' }
  const expired = { kind: 'expired', account, refresh: 'idle', failure: sessionEnded } as const
  const told = notificationModel(
    {
      connections: [
        { name: 'default', isOwn: false, session: active, connection },
        { name: 'staging', isOwn: true, session: expired, connection: staging },
        { name: 'trial', isOwn: true, session: expired, connection: trial },
      ],
      needs: [],
    },
    texts,
    { now: 0, hasNoTray: false, isTold: () => false },
  )
  expect(told).toMatchObject([
    { topic: 'ended', connection: 'staging', body: expect.stringContaining('staging.example.com') },
    { topic: 'ended', connection: 'trial', body: expect.stringContaining('trial.example.com') },
  ])
})

const HOUR = 3_600_000
const signIn: Notice = { topic: 'signIn', title: 'Sign in again', body: 'Your tools go on until 14:51.' }
const later: Notice = { ...signIn, body: 'Your tools go on until 14:53.' }
const ended: Notice = { ...signIn, topic: 'ended', body: 'Your tools get no access token.' }
const keychain: Notice = { topic: 'keychain', title: 'Your session can’t be saved', body: '' }

let time: ManualTime
let notifier: Notifier
let isWatched: boolean
/** `shown` contains all notifications so far, and `standing` those that are still on screen. */
let shown: Notice[]
let standing: Notice[]
let dismiss: () => void

beforeEach(() => {
  time = new ManualTime()
  isWatched = false
  shown = []
  standing = []
  notifier = new Notifier({
    clock: new DeadlineClock(time),
    isWatched: () => isWatched,
    show: (notice, onGone) => {
      const close = () => {
        standing = standing.filter((each) => each !== notice)
      }
      shown.push(notice)
      standing.push(notice)
      dismiss = () => {
        close()
        onGone()
      }
      return close
    },
  })
})

describe('a single notice', () => {
  it('is shown only once while it applies', () => {
    notifier.render([signIn])
    notifier.render([later])
    time.pass(3 * HOUR)
    notifier.render([signIn])
    expect(shown).toEqual([signIn])
  })

  it('is closed when it no longer applies', () => {
    notifier.render([signIn])
    notifier.render([])
    expect(standing).toEqual([])
  })
})

describe('the notice of an ended session', () => {
  it('is shown at once, even right after the notice that the session will end', () => {
    notifier.render([signIn])
    time.pass(10_000)
    notifier.render([ended])
    expect(shown).toEqual([signIn, ended])
    expect(standing).toEqual([ended])
  })

  it('isn’t shown again after a sign-in that was cancelled', () => {
    const own = { ...ended, connection: 'default' }
    notifier.render([own])
    notifier.render([], ['default'])
    expect(standing).toEqual([])
    notifier.render([own])
    time.pass(3 * HOUR)
    expect(shown).toEqual([own])
    notifier.render([])
    notifier.render([own])
    expect(shown).toEqual([own, own])
  })

  it('is shown again if the next session ends, too, even seconds later', () => {
    notifier.render([ended])
    notifier.render([])
    time.pass(10_000)
    notifier.render([ended])
    expect(shown).toEqual([ended, ended])
  })
})

it('the notice that a tool needs a sign-in is shown at once, but at most once an hour', () => {
  const needed: Notice = { ...ended, topic: 'needed' }
  notifier.render([keychain])
  for (let minutes = 0; minutes < 119; minutes++) {
    notifier.render([keychain, needed])
    notifier.render([keychain])
    time.pass(HOUR / 60)
  }
  expect(shown).toEqual([keychain, needed, needed])
})

describe('several notices', () => {
  const first: Notice = { ...ended, connection: 'default' }
  const second: Notice = { ...ended, connection: 'staging' }

  it('are shown one at a time, each after the previous one has disappeared', () => {
    notifier.render([first, second])
    expect(standing).toEqual([first])
    dismiss()
    expect(standing).toEqual([second])
    dismiss()
    time.pass(3 * HOUR)
    expect(shown).toEqual([first, second])
  })

  it('stay open if the closing of an earlier notice is reported late', () => {
    notifier.render([first, second, keychain])
    const dismissFirst = dismiss
    notifier.render([second, keychain])
    dismissFirst()
    expect(standing).toEqual([second])
  })
})

describe('a message that is also in the window', () => {
  beforeEach(() => {
    isWatched = true
    notifier.render([signIn])
  })

  it('is not shown as a notification while the user sees the window', () => {
    notifier.render([later])
    time.pass(3 * HOUR)
    expect(shown).toEqual([])
  })

  it('becomes a notification an hour later if it still applies', () => {
    isWatched = false
    time.pass(HOUR - 1)
    expect(shown).toEqual([])
    time.pass(1)
    expect(shown).toEqual([signIn])
  })
})

it('without notices, no notification is on screen and no timer runs', () => {
  notifier.render([signIn])
  notifier.render([])
  notifier.render([signIn, keychain])
  notifier.render([])
  expect(standing).toEqual([])
  expect(time.pending()).toBe(0)
})

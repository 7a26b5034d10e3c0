import { beforeEach, describe, expect, it } from 'vitest'
import { connection, sessionsAt } from '../../contract/testing.ts'
import type { ConnectionSessionView, SessionView, SignInNeed } from '../../contract/views.ts'
import { ManualTime } from '../../test/support/manual-time.ts'
import { loadTexts } from '../../text/index.ts'
import { DeadlineClock } from '../base/clock.ts'
import { type Notice, Notifier, nextWarning, notificationModel } from './notices.ts'

const { active, unreachable, ending, expired } = sessionsAt(0)
const signedOut = { kind: 'signedOut', revocation: 'done' } as const

const TOLD = 7

const texts = await loadTexts('en')
const modelOf = (connections: readonly ConnectionSessionView[], hasNoTray = false, needs: readonly SignInNeed[] = []) =>
  notificationModel({ connections, needs }, texts, { now: 0, hasNoTray, isTold: (_, at) => at === TOLD })
const notices = (session: SessionView, hasNoTray = false, needs: readonly SignInNeed[] = []) =>
  modelOf([{ name: 'default', isOwn: false, session, connection }], hasNoTray, needs)

it.each<[string, SessionView, string | undefined]>([
  ['a session that can’t be refreshed', ending, 'signIn'],
  ['a session that has expired', expired, 'ended'],
  ['a session that the service ended', { ...signedOut, failure: expired.failure }, 'ended'],
  ['a keychain that can’t be written', { ...unreachable, kept: 'unsaved' }, 'keychain'],
  ['an unreachable service', unreachable, undefined],
  ['signing out', signedOut, undefined],
])('of %s, the user must be told only if they must act', (_, session, topic) => {
  expect(notices(session)[0]?.topic).toBe(topic)
})

it.each<[string, SessionView, SignInNeed['waiting'], string | undefined, string | undefined]>([
  [
    'waits under a name that reads from the right',
    signedOut,
    [{ name: '\u05d0b' }],
    'needed',
    '\u2068\u05d0b\u2069 is',
  ],
  ['asked after a sign-out', signedOut, [], 'needed', 'curl needs you'],
  ['waits after the session has ended', expired, [{ name: 'R' }], 'ended', 'R is waiting for'],
  ['waits while the service is unreachable', unreachable, [{ name: 'R' }], undefined, undefined],
])('a notice names a tool that %s, if a sign-in would help the tool', (_, session, waiting, topic, title) => {
  const [made] = notices(session, false, [{ connection: 'default', waiting, first: { name: 'curl' } }])
  expect([made?.topic, made?.title]).toEqual([topic, title && expect.stringContaining(title)])
})

const endingAt = (at: number, warnsAt: number) => ({ kind: 'expected', saidBy: 'provider', at, warnsAt }) as const

it.each([
  ['once the warning is due, even while the service is unreachable', endingAt(5, 0), 5],
  ['but not before the warning is due', endingAt(5, 1), undefined],
  ['but not after the end', endingAt(0, -1), undefined],
  ['but not a second time', endingAt(TOLD, 0), undefined],
] as const)('the user is warned of the expected end, %s', (_, end, expected) => {
  for (const session of [active, unreachable]) expect(notices({ ...session, end })[0]?.end).toBe(expected)
})

it('the next warning is the earliest future warning among all sessions', () => {
  const connections = [8, 3, 5].map((warnsAt) => {
    return { name: 'x', isOwn: false, session: { ...active, end: endingAt(99, warnsAt) } }
  })
  expect([4, 8].map((now) => nextWarning({ connections }, now))).toEqual([5, undefined])
})

it('each connection on which the user must act gets a notice; that of a missing tray comes last', () => {
  const other = (name: string, session: SessionView): ConnectionSessionView => {
    return { name, isOwn: true, session, connection: { ...connection, host: `${name}.example.com` } }
  }
  expect(modelOf([other('work', active), other('staging', expired), other('trial', ending)], true)).toMatchObject([
    { topic: 'ended', connection: 'staging', body: expect.stringContaining('staging.example.com') },
    { topic: 'signIn', connection: 'trial', body: expect.stringContaining('trial.example.com') },
    { topic: 'noTray' },
  ])
})

const HOUR = 3_600_000
const signIn: Notice = { topic: 'signIn', title: 'Sign in again', body: 'Your tools go on until 14:51.' }
const later: Notice = { ...signIn, body: 'Your tools go on until 14:53.' }
const ended: Notice = { ...signIn, topic: 'ended', body: 'Your tools get no access token.' }
const keychain: Notice = { topic: 'keychain', title: 'Your session can’t be saved', body: '' }

describe('of the notices that apply', () => {
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

  it('each is shown once while it applies, and closed when it no longer applies', () => {
    notifier.render([signIn])
    notifier.render([later])
    time.pass(3 * HOUR)
    notifier.render([signIn])
    expect(shown).toEqual([signIn])
    notifier.render([signIn, keychain])
    notifier.render([])
    expect([standing, time.pending()]).toEqual([[], 0])
  })

  it('that of an ended session is shown at once, and again if the next session ends seconds later', () => {
    notifier.render([signIn])
    time.pass(10_000)
    notifier.render([ended])
    expect([shown, standing]).toEqual([[signIn, ended], [ended]])
    notifier.render([])
    notifier.render([ended])
    expect(shown).toEqual([signIn, ended, ended])
  })

  it('that of an ended session isn’t shown again after a sign-in that was cancelled', () => {
    const own = { ...ended, connection: 'default' }
    notifier.render([own])
    notifier.render([], ['default'])
    expect(standing).toEqual([])
    notifier.render([own])
    time.pass(3 * HOUR)
    expect(shown).toEqual([own])
  })

  it('that of a tool that needs a sign-in is shown at once, but at most once an hour', () => {
    const needed: Notice = { ...ended, topic: 'needed' }
    notifier.render([keychain])
    for (let minutes = 0; minutes < 119; minutes++) {
      notifier.render([keychain, needed])
      notifier.render([keychain])
      time.pass(HOUR / 60)
    }
    expect(shown).toEqual([keychain, needed, needed])
  })

  it('one is shown at a time, after the previous one has disappeared, which may be reported late', () => {
    const first = { ...ended, connection: 'default' }
    const second = { ...ended, connection: 'staging' }
    notifier.render([first, second, keychain])
    expect(standing).toEqual([first])
    const dismissFirst = dismiss
    notifier.render([second, keychain])
    dismissFirst()
    expect(standing).toEqual([second])
    dismiss()
    expect(standing).toEqual([keychain])
  })

  it('none is shown while the user sees it in the window; if it still applies an hour later, it is', () => {
    isWatched = true
    notifier.render([signIn])
    notifier.render([later])
    time.pass(HOUR - 1)
    isWatched = false
    expect(shown).toEqual([])
    time.pass(1)
    expect(shown).toEqual([later])
  })
})

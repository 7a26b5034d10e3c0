import { beforeAll, expect, it } from 'vitest'
import { GRANTS } from '../../contract/grants.ts'
import type { SessionView } from '../../contract/views.ts'
import { loadTexts, type Texts } from '../../text/index.ts'
import { notificationModel } from './notification-model.ts'

const account = { username: 'ana', displayName: 'ana', grant: GRANTS.password } as const
const token = { receivedAt: 0, expiresAt: 3_600_000, refreshesAt: 2_400_000 }
const lastToken = { receivedAt: 0, expiresAt: 3_600_000 }
const connection = { baseAddress: '', host: 'data.example.com', source: 'user', grants: [] } as const
const ended = { code: 'sessionEnded' } as const
const active = { kind: 'active', account, token, refresh: 'idle', kept: 'keychain' } as const
const unreachable = { ...active, kind: 'unreachable', failure: { code: 'unreachable' }, retryAt: 0 } as const

let texts: Texts
beforeAll(async () => {
  texts = await loadTexts('en')
})
const notices = (session: SessionView, hasNoTray = false) =>
  notificationModel({ connections: [{ name: 'default', isOwn: false, session, connection }] }, texts, {
    now: 0,
    hasNoTray,
  })
const notice = (session: SessionView) => notices(session)[0]

it.each<[string, SessionView, string, RegExp]>([
  ['a session that can’t be renewed', { ...active, kind: 'ending', failure: ended }, 'signIn', /data\.example\.com/],
  ['one that has run out', { kind: 'expired', account, refresh: 'idle', failure: ended }, 'ended', /has ended/],
  ['one that the service ended', { kind: 'signedOut', revocation: 'none', failure: ended }, 'ended', /has ended/],
  ['a keychain that can’t be written', { ...active, kept: 'unwritten' }, 'keychain', /You stay signed in/],
  ['the same, out of reach', { ...unreachable, kept: 'unwritten' }, 'keychain', /You stay signed in/],
])('tells of %s', (_, session, topic, body) => {
  expect(notice(session)).toMatchObject({
    topic,
    title: expect.stringMatching(/^\S/),
    body: expect.stringMatching(body),
  })
})

it('a single sign-on session that is about to end is not a failure', () => {
  const failing = notice({ ...active, kind: 'ending', failure: ended })
  const ending = notice({ ...active, kind: 'ending', token: lastToken, failure: ended })
  expect(ending).toEqual({
    topic: 'signIn',
    connection: 'default',
    ...texts.notifications.aboutToEnd('data.example.com', 3_600_000, 0),
  })
  expect(ending?.body).not.toBe(failing?.body)
})

it.each<[string, SessionView]>([
  ['a session that is well', active],
  ['one without a refresh token that has time', { ...active, token: lastToken }],
  ['one kept in memory', { ...active, kept: 'memory' }],
  ['a refresh', { ...active, refresh: 'running' }],
  ['a service out of reach', unreachable],
  ['signing out', { kind: 'signedOut', revocation: 'pending' }],
  ['signing in', { kind: 'signingIn' }],
  ['restoring', { kind: 'restoring' }],
  ['a first run', { kind: 'notConfigured' }],
])('nothing waits for the user in %s', (_, session) => {
  expect(notice(session)).toBeUndefined()
})

it('a missing tray comes after notices that need the user', () => {
  expect(notices(active, true)).toEqual([{ topic: 'noTray', ...texts.tray.noTray }])
  expect(notices({ ...active, kept: 'unwritten' }, true)).toMatchObject([{ topic: 'keychain' }, { topic: 'noTray' }])
})

it('of several connections it names each one that needs the user', () => {
  const staging = { ...connection, host: 'staging.example.com' }
  const trial = { ...connection, host: 'trial.example.com' }
  const expired = { kind: 'expired', account, refresh: 'idle', failure: ended } as const
  const told = notificationModel(
    {
      connections: [
        { name: 'default', isOwn: false, session: active, connection },
        { name: 'staging', isOwn: true, session: expired, connection: staging },
        { name: 'trial', isOwn: true, session: expired, connection: trial },
      ],
    },
    texts,
    { now: 0, hasNoTray: false },
  )
  expect(told).toMatchObject([
    { topic: 'ended', connection: 'staging', body: expect.stringContaining('staging.example.com') },
    { topic: 'ended', connection: 'trial', body: expect.stringContaining('trial.example.com') },
  ])
})

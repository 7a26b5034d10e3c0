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
  ['a session that can’t be refreshed', { ...active, kind: 'ending', failure: ended }, 'signIn', /data\.example\.com/],
  ['a session that has expired', { kind: 'expired', account, refresh: 'idle', failure: ended }, 'ended', /has ended/],
  ['a session that the service ended', { kind: 'signedOut', revocation: 'none', failure: ended }, 'ended', /has ended/],
  ['a keychain that can’t be written', { ...active, kept: 'unwritten' }, 'keychain', /You stay signed in/],
  [
    'a keychain that can’t be written while the service is unreachable',
    { ...unreachable, kept: 'unwritten' },
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

it('the coming end of a session without a refresh token is not reported as a failure', () => {
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

it('the notice of a missing tray comes after notices that ask the user to act', () => {
  expect(notices(active, true)).toEqual([{ topic: 'noTray', ...texts.tray.noTray }])
  expect(notices({ ...active, kept: 'unwritten' }, true)).toMatchObject([{ topic: 'keychain' }, { topic: 'noTray' }])
})

it('each connection on which the user must act gets a notice with its name', () => {
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

import { describe, expect, it } from 'vitest'
import { OK } from '../../contract/failures.ts'
import { settle } from '../../test/support/manual-time.ts'
import { HOUR, MINUTE, type ModelDesktop, SECOND, startedDesktop } from '../../test/support/session/model-desktop.ts'
import type { SessionState } from './state.ts'

const holdRefreshes = (desktop: ModelDesktop) => desktop.answer({ refresh: undefined })
const refreshes = ({ service }: ModelDesktop) => service.log.filter((line) => line.startsWith('refresh'))
const kinds = (states: readonly SessionState[]) => states.map(({ kind }) => kind)
const ALIVE = ['active', 'unreachable']

describe('a refresh', () => {
  it('happens before each access token expires', async () => {
    const desktop = await startedDesktop('ana')
    await desktop.pass(24 * HOUR)
    // The token lives for an hour. It is refreshed 18 min early: 12 min of margin and, here, a random part of 6 min.
    expect(refreshes(desktop)).toHaveLength(Math.floor(24 / 0.7))
    expect(new Set(kinds(desktop.states.slice(3)))).toEqual(new Set(['active']))
    expect(desktop.service.violations).toEqual([])
  })

  it('never runs twice at a time, whoever requests it', async () => {
    const desktop = await startedDesktop('ana')
    holdRefreshes(desktop)
    await desktop.pass(42 * MINUTE)
    const asked = [desktop.session.refresh(), desktop.session.refresh()]
    desktop.session.wake()
    await settle()
    expect(refreshes(desktop)).toHaveLength(1)
    desktop.service.pending[0]?.answer('reply')
    expect(await Promise.all(asked)).toEqual([OK, OK])
    expect(refreshes(desktop)).toHaveLength(1)
  })

  it('is announced only after the new refresh token is stored', async () => {
    const desktop = await startedDesktop('ana')
    const before = desktop.entry?.refreshToken.reveal()
    await desktop.holdRefresh()
    desktop.store.mode = 'hangs'
    await desktop.reply()
    expect(desktop.state).toMatchObject({ kind: 'active', refresh: 'running', token: { receivedAt: 0 } })
    desktop.store.mode = 'ok'
    await settle()
    expect(desktop.entry?.refreshToken.reveal()).not.toBe(before)
    expect(desktop.state).toMatchObject({ refresh: 'idle', kept: 'keychain' })
  })

  it('fails, and brings no session back, if the user signs out while the new token is being stored', async () => {
    const desktop = await startedDesktop('ana')
    holdRefreshes(desktop)
    const refreshed = desktop.session.refresh()
    await settle()
    desktop.store.mode = 'hangs'
    desktop.service.pending[0]?.answer('reply')
    await settle()
    void desktop.session.signOut()
    desktop.store.mode = 'ok'
    expect(await refreshed).toMatchObject({ ok: false })
    expect(desktop.state.kind).toBe('signedOut')
    expect(desktop.session.accessToken).toBeUndefined()
  })

  it('never runs twice at a time, even if the response for an earlier session comes meanwhile', async () => {
    const desktop = await startedDesktop('ana')
    await desktop.holdRefresh()
    await desktop.signIn('ben')
    await desktop.holdRefresh()
    expect(refreshes(desktop)).toHaveLength(2)
    await desktop.reply('unreachable')
    void desktop.session.refresh()
    await settle()
    expect(refreshes(desktop)).toHaveLength(2)
  })
})

describe('a transient failure', () => {
  it.each(['unreachable', 'loseReply', { retryAfter: 5 }] as const)('never signs the user out: %s', async (failure) => {
    const desktop = await startedDesktop('ana')
    Object.assign(desktop.service.options, { grace: Number.POSITIVE_INFINITY })
    desktop.answer({ refresh: failure })
    await desktop.pass(24 * HOUR)
    expect(new Set(kinds(desktop.states.slice(3)))).toEqual(new Set(ALIVE))
    expect(desktop.entry).toBeDefined()
    expect(desktop.state).toMatchObject({ kind: 'unreachable' })
    expect(desktop.state).not.toHaveProperty('token')
    desktop.answer({})
    await desktop.pass(HOUR)
    expect(desktop.state.kind).toBe('active')
  })

  it('is retried with the same refresh token within 2 s if the response was lost', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ refresh: 'loseReply' })
    await desktop.session.refresh()
    desktop.answer({})
    await desktop.pass(2 * SECOND)
    expect(desktop.state.kind).toBe('active')
    const [first, second] = refreshes(desktop)
    expect(second).toBe(first)
    expect(desktop.service.violations).toEqual([])
  })
})

it('a failed refresh is retried at once on wake, but never before the end of Retry-After', async () => {
  const desktop = await startedDesktop('ana')
  desktop.answer({ refresh: { retryAfter: 600 } })
  await desktop.session.refresh()
  await desktop.pass(599 * SECOND)
  desktop.session.wake()
  expect(refreshes(desktop)).toHaveLength(1)
  desktop.answer({})
  await desktop.pass(2 * SECOND)
  expect(refreshes(desktop)).toHaveLength(2)
  // The Retry-After is over with the first success.
  expect(desktop.session.earliestToolRefresh).toBeLessThanOrEqual(desktop.clock.now())
  desktop.answer({ refresh: 'unreachable' })
  await desktop.session.refresh()
  desktop.answer({})
  desktop.session.wake()
  await settle()
  expect(desktop.state.kind).toBe('active')
})

describe('a refused refresh token', () => {
  it('ends the session once the access token has expired, and is kept, but not tried on a schedule or on wake', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ refresh: 'refuse' })
    await desktop.pass(59 * MINUTE)
    expect(desktop.state).toMatchObject({ kind: 'ending', failure: { code: 'sessionEnded' } })
    await desktop.pass(24 * HOUR)
    expect(desktop.state).toMatchObject({ kind: 'expired', failure: { code: 'sessionEnded' } })
    desktop.session.wake()
    await settle()
    expect(refreshes(desktop)).toHaveLength(1)
    expect(desktop.entry).toBeDefined()
  })

  it.each(['refresh', 'restart'] as const)(
    'is tried again on the user’s %s, because a proxy may have refused it',
    async (how) => {
      const desktop = await startedDesktop('ana')
      desktop.answer({ refresh: 'refuse' })
      await desktop.session.refresh()
      desktop.answer({})
      await (how === 'restart' ? desktop.restart() : desktop.session.refresh())
      expect(desktop.state.kind).toBe('active')
    },
  )
})

describe('a refreshed token', () => {
  it('of another user ends the session, and is revoked together with the previous refresh token', async () => {
    const desktop = await startedDesktop('ana')
    const before = desktop.entry?.refreshToken.reveal()
    Object.assign(desktop.service.options, { subject: 'somebody else' })
    const done = await desktop.session.refresh()
    await settle()
    expect(done).toMatchObject({ ok: false, failure: { code: 'sessionEnded' } })
    expect(desktop.state).toMatchObject({
      kind: 'signedOut',
      revocation: 'done',
      handedOutUntil: HOUR,
      failure: { details: { cause: 'the service answered with the token of another account' } },
    })
    const logouts = desktop.service.log.filter((line) => line.startsWith('logout'))
    expect(logouts).toHaveLength(2)
    // The previous refresh token would yield such tokens again.
    expect(logouts).toContain(`logout ${before}`)
    expect(desktop.service.families.every(({ isDead }) => isDead)).toBe(true)
    expect(desktop.store.entries.size).toBe(0)
  })

  it('that names no user is accepted', async () => {
    const desktop = await startedDesktop('ana')
    Object.assign(desktop.service.options, { subject: '' })
    await desktop.session.refresh()
    expect(desktop.state.kind).toBe('active')
    expect(desktop.entry?.sub).toBe('sub of ana')
  })
})

it('the third response in a row that may be a refusal ends the session', async () => {
  const desktop = await startedDesktop('ana')
  desktop.answer({ refresh: 'unclear' })
  await desktop.pass(43 * MINUTE)
  expect(refreshes(desktop)).toHaveLength(3)
  const failure = { code: 'sessionEnded', details: { status: 400 } }
  expect(desktop.state).toMatchObject({ kind: 'ending', failure, kept: 'keychain' })
  expect(desktop.session.hasValidToken).toBe(true)
  await desktop.pass(24 * HOUR)
  expect(desktop.state).toMatchObject({ kind: 'expired', failure })
  expect(refreshes(desktop)).toHaveLength(3)
  // The next session isn't ended by the responses that the last one had.
  await desktop.signIn('ben')
  await desktop.session.refresh()
  expect(desktop.state.kind).toBe('unreachable')
})

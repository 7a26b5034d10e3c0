import { describe, expect, it } from 'vitest'
import { settle } from '../../test/support/manual-time.ts'
import { type ModelDesktop, startedDesktop } from '../../test/support/session/model-desktop.ts'
import { password } from '../base/secret.ts'
import type { SessionState } from './state.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Refreshes stay pending until the test answers them. */
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
    expect(refreshes(desktop)).toHaveLength(1)
    const asked = [desktop.session.refresh(), desktop.session.refresh()]
    desktop.session.wake()
    await settle()
    expect(refreshes(desktop)).toHaveLength(1)
    desktop.service.pending[0]?.answer('reply')
    expect(await Promise.all(asked)).toEqual([
      { ok: true, value: undefined },
      { ok: true, value: undefined },
    ])
    expect(refreshes(desktop)).toHaveLength(1)
  })

  it('sends no request while a sign-in is being stored, and succeeds once it is stored', async () => {
    const desktop = await startedDesktop()
    desktop.store.mode = 'hangs'
    await desktop.signIn('ana')
    const joined = desktop.session.refresh()
    await settle()
    desktop.store.mode = 'ok'
    expect(await joined).toMatchObject({ ok: true })
    expect(refreshes(desktop)).toEqual([])
    expect(desktop.state.kind).toBe('active')
  })

  it('is announced only after the new refresh token is stored', async () => {
    const desktop = await startedDesktop('ana')
    const before = desktop.entry?.refreshToken.reveal()
    await desktop.holdRefresh()
    desktop.store.mode = 'hangs'
    await desktop.reply()
    expect(desktop.state).toMatchObject({ kind: 'active', refresh: 'running', token: { receivedAt: 0 } })
    const whenWritten: SessionState[] = []
    desktop.store.onChange = () => whenWritten.push(desktop.state)
    desktop.store.mode = 'ok'
    await settle()
    expect(whenWritten).toMatchObject([{ refresh: 'running' }])
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

  it('fails at once after a sign-out, even if the response for the earlier session hasn’t come', async () => {
    const desktop = await startedDesktop('ana')
    await desktop.holdRefresh()
    void desktop.session.signOut()
    const outcome = await Promise.race([desktop.session.refresh(), settle()])
    expect(outcome).toMatchObject({ ok: false })
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

  it('is retried with growing delays: from 1 s to 1 min, or to 5 min without an access token', async () => {
    const desktop = await startedDesktop('ana')
    desktop.random = () => 0.999_999
    const sent: number[] = []
    desktop.service.answering = () => {
      sent.push(desktop.time.trueTime)
      return 'unreachable'
    }
    await desktop.pass(6 * HOUR)
    const pauses = sent.slice(1).map((at, i) => Math.round((at - (sent[i] ?? 0)) / SECOND))
    expect(pauses.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
    expect(pauses.at(-1)).toBe(300)
  })

  it('is retried at once on wake', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ refresh: 'unreachable' })
    await desktop.session.refresh()
    desktop.answer({})
    desktop.session.wake()
    await settle()
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

describe('Retry-After', () => {
  const waiting = async (retryAfter: number) => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ refresh: { retryAfter } })
    await desktop.session.refresh()
    desktop.answer({})
    return desktop
  }

  it('is respected by timers and on wake', async () => {
    const desktop = await waiting(600)
    await desktop.pass(599 * SECOND)
    desktop.session.wake()
    expect(refreshes(desktop)).toHaveLength(1)
    await desktop.pass(2 * SECOND)
    expect(refreshes(desktop)).toHaveLength(2)
  })

  it('no longer applies after a successful refresh', async () => {
    const desktop = await waiting(600)
    await desktop.session.refresh()
    expect(desktop.session.earliestToolRefresh).toBeLessThanOrEqual(desktop.clock.now())
    desktop.answer({ refresh: 'unreachable' })
    await desktop.session.refresh()
    desktop.answer({})
    await desktop.pass(SECOND)
    expect(desktop.state.kind).toBe('active')
  })

  it('no longer applies after a sign-in', async () => {
    const desktop = await waiting(600)
    await desktop.signIn('ben')
    desktop.answer({ refresh: 'unreachable' })
    await desktop.session.refresh()
    desktop.answer({})
    await desktop.pass(SECOND)
    expect(desktop.state.kind).toBe('active')
  })

  it('still holds for scheduled retries after the user’s own retry has failed', async () => {
    const desktop = await waiting(600)
    desktop.answer({ refresh: 'unreachable' })
    await desktop.session.refresh()
    desktop.answer({})
    await desktop.pass(590 * SECOND)
    expect(refreshes(desktop)).toHaveLength(2)
  })
})

describe('a refused refresh token', () => {
  it('leads to `ending`, and to `expired` once the access token has expired', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ refresh: 'refuse' })
    await desktop.pass(59 * MINUTE)
    expect(desktop.state).toMatchObject({ kind: 'ending', failure: { code: 'sessionEnded' } })
    await desktop.pass(MINUTE)
    expect(desktop.state).toMatchObject({ kind: 'expired', failure: { code: 'sessionEnded' } })
    expect(refreshes(desktop)).toHaveLength(1)
  })

  it('is kept, but not tried again on a schedule or on wake', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ refresh: 'refuse' })
    await desktop.session.refresh()
    expect(desktop.entry).toBeDefined()
    await desktop.pass(24 * HOUR)
    desktop.session.wake()
    await settle()
    expect(refreshes(desktop)).toHaveLength(1)
    expect(desktop.entry).toBeDefined()
  })

  it('is tried again if the user asks for a refresh, because a proxy may have refused it', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ refresh: 'refuse' })
    await desktop.session.refresh()
    desktop.answer({})
    expect(await desktop.session.refresh()).toMatchObject({ ok: true })
    expect(desktop.state.kind).toBe('active')
  })

  it('is tried again at the next start', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ refresh: 'refuse' })
    await desktop.session.refresh()
    desktop.answer({})
    await desktop.restart()
    expect(desktop.state.kind).toBe('active')
  })
})

describe('a refreshed token', () => {
  it('of another user is revoked, and the session ends with a message for the user', async () => {
    const desktop = await startedDesktop('ana')
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
    const [first] = refreshes(desktop)
    const [logout] = desktop.service.log.filter((line) => line.startsWith('logout'))
    expect(logout?.split(' ')[1]).not.toBe(first?.split(' ')[1])
    expect(desktop.service.families.every(({ isDead }) => isDead)).toBe(true)
    expect(desktop.store.entries.size).toBe(0)
  })

  it('of another user also causes the previous refresh token to be revoked, because it would yield such tokens again', async () => {
    const desktop = await startedDesktop('ana')
    const before = desktop.entry?.refreshToken.reveal()
    Object.assign(desktop.service.options, { subject: 'somebody else' })
    await desktop.session.refresh()
    await settle()
    const logouts = desktop.service.log.filter((line) => line.startsWith('logout'))
    expect(logouts).toHaveLength(2)
    expect(logouts).toContain(`logout ${before}`)
    expect(desktop.state).toMatchObject({ kind: 'signedOut', revocation: 'done' })
  })

  it('that names no user is accepted', async () => {
    const desktop = await startedDesktop('ana')
    Object.assign(desktop.service.options, { subject: '' })
    await desktop.session.refresh()
    expect(desktop.state.kind).toBe('active')
    expect(desktop.entry?.sub).toBe('sub of ana')
  })
})

describe('a token that expired during sleep', () => {
  it('is refreshed at once on wake', async () => {
    const desktop = await startedDesktop('ana')
    await desktop.sleep(8 * HOUR)
    expect(desktop.state).toMatchObject({ kind: 'active', token: { receivedAt: 8 * HOUR } })
    expect(refreshes(desktop)).toHaveLength(1)
  })
})

describe('an issuer that gives no clear reason for refusing a refresh', () => {
  it('ends the session with the third unclear response in a row', async () => {
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
    expect(desktop.entry).toBeDefined()
  })

  it('receives a login with the new password after a password change', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ refresh: 'unclear' })
    expect(await desktop.changePassword(password('SECRET another'))).toMatchObject({ ok: true })
    expect(desktop.state.kind).toBe('unreachable')
    const logins = desktop.service.logins.length
    await desktop.pass(MINUTE)
    expect(desktop.state.kind).toBe('active')
    expect([refreshes(desktop).length, desktop.service.logins.length]).toEqual([3, logins + 1])
  })
})

it('if the issuer requires the user to act, the session ends with this reason, and no refresh follows', async () => {
  const desktop = await startedDesktop('ana')
  desktop.answer({ refresh: 'interaction' })
  await desktop.pass(43 * MINUTE)
  expect(desktop.state).toMatchObject({ kind: 'ending', failure: { code: 'interactionRequired' } })
  await desktop.pass(24 * HOUR)
  expect(desktop.state).toMatchObject({ kind: 'expired', failure: { code: 'interactionRequired' } })
  expect(refreshes(desktop)).toHaveLength(1)
})

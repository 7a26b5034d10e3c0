import { describe, expect, it, vi } from 'vitest'
import { settle } from '../../test/support/manual-time.ts'
import { ENTRY, ModelDesktop, restartedDesktop, startedDesktop } from '../../test/support/session/model-desktop.ts'
import type { SessionState } from './state.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const OFFLINE = { login: 'unreachable', refresh: 'unreachable', logout: 'unreachable' } as const
const operations = ({ service }: ModelDesktop) => service.log.map((line) => line.split(' ')[0])
const kinds = (states: readonly SessionState[]) => states.map(({ kind }) => kind)
const family = (desktop: ModelDesktop, n: number) => {
  const found = desktop.service.families[n]
  if (found === undefined) throw new Error(`there is no family ${n}`)
  return found
}

it('a subscription delivers the newest state last, even if another listener changes the state', async () => {
  const desktop = await startedDesktop('ana')
  const seen: SessionState[] = []
  desktop.onState = (state) => {
    if (state.kind === 'active' && state.refresh === 'running') void desktop.session.signOut()
  }
  desktop.session.subscribe((state) => seen.push(state))
  void desktop.session.refresh()
  await settle()
  expect(kinds(seen)).toEqual(['active', 'signedOut', 'signedOut'])
})

describe('a sign-in', () => {
  it.each(['reply', 'refuse'] as const)(
    'revokes the earlier session and the tokens of its refresh under way, once the new session is stored (refresh before: %s)',
    async (refresh) => {
      const desktop = await startedDesktop('ana')
      desktop.answer({ refresh })
      await desktop.session.refresh()
      await desktop.holdRefresh()
      desktop.store.mode = 'hangs'
      await desktop.signIn('ben')
      await desktop.reply()
      expect(operations(desktop)).not.toContain('logout')
      desktop.store.mode = 'ok'
      await settle()
      expect(desktop.summary).toBe('active (keychain), ben, ben')
    },
  )

  it.each(['locked', 'seemsMissing'] as const)(
    'works while the keychain is locked, and revokes the stored session later (keychain: %s)',
    async (mode) => {
      const desktop = await restartedDesktop(mode)
      await desktop.signIn('ben')
      expect(desktop.summary).toBe('active (unsaved), ana and ben, ana')
      desktop.store.mode = 'ok'
      await desktop.pass(MINUTE)
      expect(desktop.summary).toBe('active (keychain), ben, ben')
    },
  )

  it('never lets a replaced session come back, even if the app is killed before the new one is stored', async () => {
    const desktop = await restartedDesktop('locked')
    desktop.store.mode = 'ok'
    desktop.store.refuses = (kind) => {
      if (kind === 'read') queueMicrotask(() => (desktop.store.mode = 'hangs'))
      return false
    }
    await desktop.signIn('ben')
    expect([desktop.entry?.username, desktop.mark]).toEqual(['ana', 'signedOut'])
    desktop.store.refuses = () => false
    desktop.kill()
    desktop.store.mode = 'ok'
    await desktop.start()
    expect(new Set(kinds(desktop.states))).toEqual(new Set(['restoring', 'signedOut']))
    // Ben's session was never stored, so it couldn't be revoked.
    expect(desktop.summary).toBe('signedOut (done), ben, nothing')
  })

  it('doesn’t revoke a refresh token that the service issues again, even if its revocation is read late', async () => {
    const desktop = await startedDesktop()
    desktop.service.options.isOneTime = false
    await desktop.signIn('ana')
    await desktop.pass(3 * HOUR)
    // After a crash, the next start would revoke a token whose entry is marked `signedOut`.
    const marks = new Set<string | undefined>()
    desktop.store.onChange = () => marks.add(desktop.mark)
    await desktop.signIn('ana')
    expect([operations(desktop).includes('logout'), [...marks]]).toEqual([false, ['stored']])
    desktop.answer(OFFLINE)
    await desktop.session.signOut()
    expect(desktop.summary).toBe('signedOut (pending), ana, revocations')
    desktop.answer({})
    await desktop.signIn('ana')
    expect([desktop.summary, desktop.pending]).toEqual(['active (keychain), ana, ana', []])
    desktop.answer(OFFLINE)
    await desktop.session.signOut()
    desktop.store.mode = 'hangs'
    await desktop.restart()
    desktop.answer({})
    await desktop.signIn('ana')
    desktop.store.mode = 'ok'
    await desktop.pass(2 * HOUR)
    expect([desktop.summary, desktop.pending]).toEqual(['active (keychain), ana, ana', []])
  })
})

describe('a sign-out', () => {
  it('ends the session here first, stores and revokes its token, and deletes the entry', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ logout: undefined })
    const asked = desktop.session.signOut()
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'pending', handedOutUntil: HOUR })
    await settle()
    expect([desktop.entry, desktop.pending]).toEqual([undefined, [desktop.service.pending[0]?.sent]])
    await desktop.reply()
    expect(await asked).toEqual({ ok: true, value: undefined })
    expect(desktop.summary).toBe('signedOut (done), nobody, nothing')
    expect([desktop.mark, desktop.time.pending()]).toEqual([undefined, 0])
  })

  it('discards the tokens of a refresh under way, and revokes them', async () => {
    const desktop = await startedDesktop('ana')
    await desktop.holdRefresh()
    void desktop.session.signOut()
    await settle()
    expect(operations(desktop)).toEqual(['login', 'refresh'])
    await desktop.reply()
    expect(desktop.summary).toBe('signedOut (done), nobody, nothing')
    const [, refresh, logout] = desktop.service.log
    expect(logout?.split(' ')[1]).not.toBe(refresh?.split(' ')[1])
    expect(desktop.service.violations).toEqual([])
  })

  it('revokes a refused refresh token, too, because a proxy may have refused it', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ refresh: 'refuse' })
    await desktop.session.refresh()
    desktop.answer({})
    // The app hasn't noticed this sleep, so the state still says that the access token is valid.
    desktop.time.sleep(2 * HOUR)
    expect([desktop.state.kind, desktop.session.hasValidToken]).toEqual(['ending', false])
    await desktop.session.signOut()
    expect([desktop.summary, 'handedOutUntil' in desktop.state]).toEqual(['signedOut (done), nobody, nothing', false])
  })

  it('makes a sign-in under way fail, and revokes its tokens', async () => {
    const desktop = await startedDesktop()
    desktop.answer({ login: undefined })
    await desktop.signIn('ana')
    await desktop.session.signOut()
    expect(desktop.summary).toBe('signedOut (none), nobody, nothing')
    await desktop.reply()
    expect(desktop.service.families).toHaveLength(1)
    expect(desktop.summary).toBe('signedOut (done), nobody, nothing')
  })

  it('stays pending, with its failure, across a restart and a new sign-in while the service can’t be reached', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer(OFFLINE)
    await desktop.session.signOut()
    await settle()
    const revocationFailure = { code: 'unreachable' }
    expect(desktop.state).toMatchObject({ revocation: 'pending', revocationFailure, revocationIssuer: 'service' })
    await desktop.restart()
    expect(desktop.summary).toBe('signedOut (pending), ana, revocations')
    desktop.answer({ refresh: 'unreachable', logout: 'unreachable' })
    await desktop.signIn('ben')
    expect([desktop.summary, desktop.pending.length]).toEqual(['active (keychain), ana and ben, ben', 1])
    desktop.answer({})
    await desktop.pass(10 * MINUTE)
    expect([desktop.summary, desktop.pending.length]).toEqual(['active (keychain), ben, ben', 0])
  })

  it.each(['locked', 'fails', 'seemsMissing'] as const)(
    'after a sign-out and a kill -9, the session is never restored (keychain: %s)',
    async (mode) => {
      const desktop = await startedDesktop('ana')
      desktop.store.mode = 'hangs'
      void desktop.session.signOut()
      desktop.kill()
      desktop.store.mode = mode
      await desktop.start()
      await desktop.pass(MINUTE)
      expect(new Set(kinds(desktop.states))).toEqual(new Set(['restoring', 'signedOut']))
      desktop.store.mode = 'ok'
      await desktop.restart()
      await settle()
      expect(desktop.summary).toMatch(/^signedOut .*, nobody, nothing$/)
    },
  )

  it('works while the keychain is locked, and revokes the session once the keychain is unlocked', async () => {
    const desktop = await restartedDesktop('locked')
    await desktop.session.signOut()
    expect(desktop.summary).toBe('signedOut (pending), ana, ana')
    desktop.store.mode = 'ok'
    await desktop.pass(5 * MINUTE)
    expect(desktop.summary).toBe('signedOut (done), nobody, nothing')
  })
})

it('without a refresh token, the session is `ending` from 5 minutes before its end', async () => {
  const desktop = await startedDesktop()
  desktop.sso.options.isRefreshable = false
  await desktop.signIn('ana', 'passwordRealm')
  expect(desktop.state).toMatchObject({ kind: 'active', kept: 'memory' })
  await desktop.pass(55 * MINUTE - SECOND)
  expect(desktop.state.kind).toBe('active')
  await desktop.pass(SECOND)
  expect(desktop.state).toMatchObject({ kind: 'ending', token: { expiresAt: HOUR } })
  await desktop.pass(5 * MINUTE)
  expect(desktop.state.kind).toBe('expired')
  expect(desktop.sso.log).toEqual(['login ana'])
})

describe('a start', () => {
  it('restores the session after a kill', async () => {
    const desktop = await startedDesktop('ana')
    await desktop.restart()
    expect(kinds(desktop.states)).toEqual(['restoring', 'restoring', 'active'])
    expect(desktop.states[1]).toEqual({ kind: 'restoring', issuer: 'service' })
    expect(desktop.state).toMatchObject({ account: { username: 'ana', displayName: 'Name of ana' } })
  })

  it('leads to `expired` if the service no longer accepts the stored token, which stays', async () => {
    const desktop = await startedDesktop('ana')
    family(desktop, 0).isDead = true
    await desktop.restart()
    expect(desktop.summary).toBe('expired, nobody, ana')
  })

  it('leads to `signedOut` if the entry is unreadable, and deletes nothing', async () => {
    const desktop = new ModelDesktop()
    desktop.store.entries.set(ENTRY, '{"version":1,"half":')
    desktop.marker.set(ENTRY, 'stored')
    await desktop.start()
    await desktop.pass(HOUR)
    expect(desktop.state.kind).toBe('signedOut')
    expect(desktop.store.log).toEqual([])
    await desktop.signIn('ana')
    expect(desktop.summary).toBe('active (keychain), ana, ana')
  })

  it('reports an entry whose sign-in method is no longer set up, and deletes nothing', async () => {
    const desktop = await startedDesktop()
    await desktop.signIn('ana', 'passwordRealm')
    desktop.hasProvider = false
    await desktop.restart()
    expect(desktop.state).toMatchObject({ kind: 'signedOut', failure: { code: 'notConfigured' } })
    desktop.hasProvider = true
    await desktop.restart()
    expect(desktop.state.kind).toBe('active')
  })

  const WHY = { locked: 'locked', seemsMissing: 'missing', fails: 'unavailable', hangs: 'unavailable' } as const
  it.each(['locked', 'seemsMissing', 'fails', 'hangs'] as const)(
    'the session is kept, and restored by a retry (keychain at first: %s)',
    async (mode) => {
      const desktop = await restartedDesktop(mode)
      await desktop.pass(10 * MINUTE)
      expect(kinds(desktop.states)).toEqual(['restoring', 'sessionUnread'])
      expect(desktop.state).toEqual({ kind: 'sessionUnread', why: WHY[mode] })
      desktop.store.mode = 'ok'
      await desktop.pass(2 * MINUTE)
      expect(desktop.state.kind).toBe('active')
    },
  )

  it('reads the keychain again if the user asks, and reports a session that is still missing', async () => {
    const desktop = await restartedDesktop('seemsMissing')
    await expect(desktop.session.lookAgain()).resolves.toMatchObject({ failure: { code: 'keychainUnavailable' } })
    desktop.store.mode = 'ok'
    await expect(desktop.session.lookAgain()).resolves.toMatchObject({ ok: true })
    await settle()
    expect(desktop.state.kind).toBe('active')
  })

  it('if no marker shows that a session is stored, lets the user sign in while the keychain hangs', async () => {
    const desktop = new ModelDesktop()
    desktop.store.mode = 'hangs'
    await desktop.start()
    expect(desktop.state.kind).toBe('restoring')
    await desktop.pass(SECOND)
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'none' })
    await desktop.signIn('ana')
    await desktop.pass(5 * SECOND)
    expect(desktop.summary).toBe('active (unsaved), ana, nothing')
    desktop.store.mode = 'ok'
    await desktop.pass(MINUTE)
    expect(desktop.summary).toBe('active (keychain), ana, ana')
  })

  it.each([false, true])(
    'a session without a marker that the keychain returns late is restored, unless the user has signed out: %s',
    async (hasSignedOut) => {
      const desktop = await startedDesktop('ana')
      desktop.kill()
      desktop.marker.clear(ENTRY)
      desktop.store.mode = 'hangs'
      await desktop.start()
      await desktop.pass(2 * SECOND)
      expect(desktop.state.kind).toBe('signedOut')
      if (hasSignedOut) void desktop.session.signOut()
      desktop.store.mode = 'ok'
      await settle()
      const [summary, mark] = hasSignedOut
        ? ['signedOut (done), nobody, nothing', undefined]
        : ['active (keychain), ana, ana', 'stored']
      expect([desktop.summary, desktop.mark]).toEqual([summary, mark])
    },
  )
})

describe('stopping', () => {
  it.each(['at once', 'after the last response'])(
    'waits for the reply to a refresh, and stores a token that the keychain has refused before, %s',
    async (when) => {
      const desktop = await startedDesktop('ana')
      const { service, store, program } = desktop
      const newest = () => service.newestOf(family(desktop, 0), program)
      store.mode = 'fails'
      await desktop.session.refresh()
      await desktop.holdRefresh()
      if (when === 'at once') store.mode = 'ok'
      const stopped = vi.fn()
      void desktop.session.stop().then(stopped)
      await settle()
      expect(stopped).not.toHaveBeenCalled()
      expect(desktop.entry?.refreshToken.reveal() === newest()).toBe(when === 'at once')
      store.mode = 'ok'
      await desktop.reply(when === 'at once' ? 'reply' : 'unreachable')
      expect(stopped).toHaveBeenCalled()
      expect(desktop.entry?.refreshToken.reveal()).toBe(newest())
      expect(desktop.time.pending()).toBe(0)
    },
  )

  it('has a time limit', async () => {
    const desktop = await startedDesktop('ana')
    await desktop.holdRefresh()
    void desktop.session.signOut()
    desktop.store.mode = 'hangs'
    const stopped = vi.fn()
    void desktop.session.stop().then(stopped)
    await desktop.pass(2 * MINUTE)
    expect(stopped).toHaveBeenCalled()
    expect(desktop.time.pending()).toBe(0)
  })

  it('leaves no timer, and later calls send nothing', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer(OFFLINE)
    await desktop.session.refresh()
    expect(desktop.session.hasValidToken).toBe(true)
    await desktop.session.stop()
    expect(desktop.session.hasValidToken).toBe(false)
    expect(desktop.time.pending()).toBe(0)
    const { length } = desktop.service.log
    desktop.session.wake()
    expect(await desktop.session.refresh()).toMatchObject({ ok: false })
    expect(desktop.service.log).toHaveLength(length)
  })
})

import { describe, expect, it, vi } from 'vitest'
import { settle } from '../../test/support/manual-time.ts'
import { APP } from '../../test/support/session/grant-contract.ts'
import { ENTRY, ModelDesktop, restartedDesktop, startedDesktop } from '../../test/support/session/model-desktop.ts'
import { password } from '../base/secret.ts'
import { grantsByName } from './grants/grant.ts'
import type { SessionState } from './state.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const OFFLINE = {
  login: 'unreachable',
  refresh: 'unreachable',
  logout: 'unreachable',
  changePassword: 'unreachable',
} as const
const operations = ({ service }: ModelDesktop) => service.log.map((line) => line.split(' ')[0])
const kinds = (states: readonly SessionState[]) => states.map(({ kind }) => kind)
const family = (desktop: ModelDesktop, n: number) => {
  const found = desktop.service.families[n]
  if (found === undefined) throw new Error(`there is no family ${n}`)
  return found
}
const storedFamily = (desktop: ModelDesktop) => desktop.service.familyOf(desktop.entry?.refreshToken.reveal() ?? '')

describe('a subscription', () => {
  it('begins with the current state, and ends when its listener is removed', async () => {
    const desktop = await startedDesktop('ana')
    const seen: SessionState[] = []
    const undo = desktop.session.subscribe((state) => seen.push(state))
    expect(seen).toEqual([desktop.state])
    undo()
    await desktop.session.refresh()
    expect(seen).toHaveLength(1)
  })

  it('delivers the newest state last, even if another listener changes the state', async () => {
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
})

describe('a sign-in', () => {
  it('is announced only after its session is stored', async () => {
    const desktop = await startedDesktop()
    desktop.store.mode = 'hangs'
    await desktop.signIn('ana')
    expect(desktop.state.kind).toBe('signingIn')
    desktop.store.mode = 'ok'
    await settle()
    expect(desktop.state).toMatchObject({ kind: 'active', kept: 'keychain', account: { username: 'ana' } })
    expect(desktop.entry).toMatchObject({ grant: 'password', username: 'ana', sub: 'sub of ana' })
    expect(desktop.mark).toBe('stored')
  })

  it('takes the user’s name from the tokens if no username was typed, even after one more step', async () => {
    const desktop = new ModelDesktop()
    const typed = { username: 'ana', password: password(desktop.service.passwords.get('ana') ?? '') }
    desktop.grants = (grants) =>
      grantsByName(
        [...grants.values()].map((grant) => {
          const challenge = {
            description: { kind: 'code', authenticator: APP } as const,
            answer: () => grant.begin(typed),
            cancel: () => {},
          }
          return { ...grant, begin: async () => ({ kind: 'challenge', challenge }) }
        }),
      )
    await desktop.start()
    expect(await desktop.session.signIn.begin('password', {})).toMatchObject({ ok: true })
    expect(desktop.state).toMatchObject({ kind: 'signingIn', challenge: { kind: 'code', issuer: 'service' } })
    await desktop.session.signIn.answer('1', 'code', {})
    expect(desktop.state).toMatchObject({ kind: 'active', kept: 'keychain', account: { username: 'Name of ana' } })
  })

  it('that the service refuses changes nothing about an earlier session and its scheduled refresh', async () => {
    const desktop = await startedDesktop('ana')
    const asked = desktop.session.signIn.begin('password', { username: 'ben', password: password('wrong') })
    expect(await asked).toMatchObject({ ok: false })
    expect(desktop.state).toMatchObject({ kind: 'active', account: { username: 'ana' } })
    await desktop.pass(HOUR)
    expect(operations(desktop)).toContain('refresh')
  })

  it('revokes the earlier session once the new one is stored', async () => {
    const desktop = await startedDesktop('ana')
    desktop.store.mode = 'hangs'
    await desktop.signIn('ben')
    expect(operations(desktop)).not.toContain('logout')
    desktop.store.mode = 'ok'
    await settle()
    expect(desktop.state).toMatchObject({ kind: 'active', account: { username: 'ben' } })
    expect(family(desktop, 0).isDead).toBe(true)
    expect(storedFamily(desktop)).toBe(family(desktop, 1))
  })

  it('revokes the tokens of a refresh that was still under way', async () => {
    const desktop = await startedDesktop('ana')
    await desktop.holdRefresh()
    await desktop.signIn('ben')
    await desktop.reply()
    expect(family(desktop, 0).isDead).toBe(true)
    expect(desktop.state).toMatchObject({ kind: 'active', account: { username: 'ben' } })
    expect(storedFamily(desktop)).toBe(family(desktop, 1))
  })

  it('doesn’t revoke the earlier session if the service has refused its refresh token', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ refresh: 'refuse' })
    await desktop.session.refresh()
    expect(desktop.state.kind).toBe('ending')
    desktop.answer({})
    await desktop.signIn('ana')
    await desktop.pass(MINUTE)
    expect(operations(desktop)).toEqual(['login', 'refresh', 'login'])
  })

  it('works while the keychain is locked', async () => {
    const desktop = await restartedDesktop('locked')
    expect(desktop.state.kind).toBe('sessionUnread')
    await desktop.signIn('ben')
    expect(desktop.state).toMatchObject({ kind: 'active', account: { username: 'ben' }, kept: 'unsaved' })
    desktop.store.mode = 'ok'
    await desktop.pass(MINUTE)
    expect(desktop.state).toMatchObject({ kept: 'keychain' })
    // The earlier session is revoked, not just overwritten.
    expect(family(desktop, 0).isDead).toBe(true)
    expect(storedFamily(desktop)).toBe(family(desktop, 1))
  })

  /** The user signs in while the stored session can't be read. The app is killed before the new session is stored. */
  const killedOverSession = async (): Promise<ModelDesktop> => {
    const desktop = await restartedDesktop('locked')
    desktop.store.mode = 'ok'
    desktop.store.refuses = (kind) => {
      if (kind === 'read') queueMicrotask(() => (desktop.store.mode = 'hangs'))
      return false
    }
    await desktop.signIn('ben')
    expect(storedFamily(desktop)).toBe(family(desktop, 0))
    expect(desktop.mark).toBe('signedOut')
    desktop.kill()
    desktop.store.refuses = () => false
    desktop.store.mode = 'ok'
    return desktop
  }

  it('revokes the earlier session at the next start if the app was killed before the new one was stored', async () => {
    const desktop = await killedOverSession()
    desktop.answer({ refresh: undefined })
    await desktop.start()
    expect(desktop.service.pending.map(({ operation }) => operation)).toEqual(['refresh'])
    desktop.answer({})
    await desktop.reply()
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'done' })
    expect(desktop.states.map(({ kind }) => kind)).not.toContain('active')
    expect(desktop.service.violations).toEqual([])
    expect(family(desktop, 0).isDead).toBe(true)
    expect(desktop.store.entries.size).toBe(0)
  })

  it.each([
    ['was refreshed for its revocation', 'unreachable'],
    ['was revoked', 'reply'],
  ] as const)('after a second sign-in and a kill -9, an old session that %s is not restored', async (_, logout) => {
    const desktop = await killedOverSession()
    desktop.answer({ logout })
    desktop.store.refuses = (kind) => {
      if (kind === 'read') queueMicrotask(() => (desktop.store.mode = 'hangs'))
      return false
    }
    await desktop.start()
    await desktop.pass(10 * SECOND)
    expect(operations(desktop).slice(-2)).toEqual(['refresh', 'logout'])
    // The old token is still in the entry.
    desktop.store.refuses = () => false
    await desktop.restart()
    desktop.store.mode = 'ok'
    desktop.answer({})
    await desktop.pass(10 * MINUTE)
    expect(desktop.state.kind).toBe('signedOut')
    expect(desktop.states.map(({ kind }) => kind)).not.toContain('active')
    expect(family(desktop, 0).isDead).toBe(true)
    expect(desktop.store.entries.size).toBe(0)
  })

  it('continues when the keychain is unlocked and the stored session is restored', async () => {
    const desktop = await restartedDesktop('locked')
    desktop.answer({ login: undefined })
    await desktop.signIn('ben')
    desktop.store.mode = 'ok'
    desktop.session.wake()
    await settle()
    expect(desktop.state).toMatchObject({ kind: 'signingIn', from: { kind: 'active', account: { username: 'ana' } } })
    await desktop.reply()
    expect(desktop.state).toMatchObject({ kind: 'active', account: { username: 'ben' } })
    expect(family(desktop, 0).isDead).toBe(true)
  })

  /** A sign-in is cancelled while the keychain can't be read. Later, the keychain works again. */
  const cancelledUnread = async (isOneTime: boolean): Promise<ModelDesktop> => {
    const desktop = await startedDesktop('ana')
    desktop.service.options.isOneTime = isOneTime
    desktop.kill()
    desktop.store.mode = 'locked'
    await desktop.start()
    desktop.answer({ login: undefined })
    await desktop.signIn('ana')
    desktop.session.signIn.cancel()
    expect(desktop.state.kind).toBe('sessionUnread')
    desktop.service.pending[0]?.answer('reply')
    await desktop.pass(MINUTE)
    expect(operations(desktop)).not.toContain('logout')
    desktop.store.mode = 'ok'
    await desktop.pass(5 * MINUTE)
    return desktop
  }

  it('that was cancelled has its tokens revoked once the keychain can be read', async () => {
    const desktop = await cancelledUnread(true)
    expect(desktop.state.kind).toBe('active')
    expect([family(desktop, 0).isDead, family(desktop, 1).isDead]).toEqual([false, true])
  })

  it('that was cancelled doesn’t revoke a stored session with the same refresh token', async () => {
    const desktop = await cancelledUnread(false)
    expect(desktop.state.kind).toBe('active')
    expect(operations(desktop)).not.toContain('logout')
    expect(storedFamily(desktop)?.isDead).toBe(false)
  })

  it('doesn’t revoke a refresh token that the service issues again', async () => {
    const desktop = new ModelDesktop()
    desktop.service.options.isOneTime = false
    await desktop.start()
    await desktop.signIn('ana')
    await desktop.pass(3 * HOUR)
    await desktop.signIn('ana')
    expect(operations(desktop)).not.toContain('logout')
    expect(family(desktop, 0).isDead).toBe(false)
    await desktop.restart()
    expect(desktop.state.kind).toBe('active')
  })

  describe('that yields the refresh token of an earlier session', () => {
    const signedOutOffline = async () => {
      const desktop = await startedDesktop()
      desktop.service.options.isOneTime = false
      await desktop.signIn('ana')
      desktop.answer(OFFLINE)
      await desktop.session.signOut()
      expect(desktop.state).toMatchObject({ kind: 'signedOut', revocation: 'pending' })
      return desktop
    }

    it('cancels the pending revocation of an earlier sign-out', async () => {
      const desktop = await signedOutOffline()
      desktop.answer({})
      await desktop.signIn('ana')
      expect([storedFamily(desktop), desktop.pending]).toEqual([family(desktop, 0), []])
      await desktop.pass(2 * HOUR)
      expect(desktop.state.kind).toBe('active')
      await desktop.restart()
      expect(desktop.state.kind).toBe('active')
    })

    it('cancels a pending revocation that is read from the keychain later', async () => {
      const desktop = await signedOutOffline()
      desktop.kill()
      desktop.store.mode = 'hangs'
      desktop.answer({})
      await desktop.start()
      await desktop.signIn('ana')
      desktop.store.mode = 'ok'
      await desktop.pass(2 * HOUR)
      expect(desktop.state).toMatchObject({ kind: 'active', kept: 'keychain' })
      expect(family(desktop, 0).isDead).toBe(false)
      expect([storedFamily(desktop), desktop.pending]).toEqual([family(desktop, 0), []])
    })
  })

  it('without a keychain, keeps the session in memory, and the state says so', async () => {
    const desktop = new ModelDesktop()
    desktop.store.persistence = 'memory'
    await desktop.start()
    await desktop.signIn('ana')
    expect(desktop.state).toMatchObject({ kind: 'active', kept: 'memory' })
    expect(desktop.mark).toBeUndefined()
  })
})

describe('a sign-out', () => {
  it('ends the session here first, then revokes its token at the service, and deletes the entry', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ logout: undefined })
    const asked = desktop.session.signOut()
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'pending', handedOutUntil: HOUR })
    await settle()
    desktop.service.pending[0]?.answer('reply')
    expect(await asked).toEqual({ ok: true, value: undefined })
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'done', handedOutUntil: HOUR })
    expect(family(desktop, 0).isDead).toBe(true)
    expect(desktop.store.entries.size).toBe(0)
    expect(desktop.mark).toBeUndefined()
    expect(desktop.time.pending()).toBe(0)
  })

  it('discards the tokens of a refresh under way, and revokes them', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ refresh: undefined })
    const refreshing = desktop.session.refresh()
    await settle()
    void desktop.session.signOut()
    await settle()
    expect(operations(desktop)).toEqual(['login', 'refresh'])
    desktop.service.pending[0]?.answer('reply')
    expect(await refreshing).toMatchObject({ ok: false })
    await settle()
    expect(desktop.state).toMatchObject({ kind: 'signedOut', revocation: 'done' })
    const [, refresh, logout] = desktop.service.log
    expect(logout?.split(' ')[1]).not.toBe(refresh?.split(' ')[1])
    expect(family(desktop, 0).isDead).toBe(true)
    expect(desktop.service.violations).toEqual([])
  })

  it('makes a sign-in under way fail, and revokes its tokens', async () => {
    const desktop = await startedDesktop()
    desktop.answer({ login: undefined })
    const credentials = { username: 'ana', password: password(desktop.service.passwords.get('ana') ?? '') }
    const signingIn = desktop.session.signIn.begin('password', credentials)
    await desktop.session.signOut()
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'none' })
    desktop.service.pending[0]?.answer('reply')
    expect(await signingIn).toMatchObject({ ok: false })
    await settle()
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'done' })
    expect(family(desktop, 0).isDead).toBe(true)
    expect(desktop.store.entries.size).toBe(0)
  })

  it('while nobody is signed in, ends a session that the keychain returns later', async () => {
    const desktop = await startedDesktop('ana')
    desktop.kill()
    desktop.marker.marks.clear()
    desktop.store.mode = 'hangs'
    await desktop.start()
    await desktop.pass(SECOND)
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'none' })
    void desktop.session.signOut()
    desktop.store.mode = 'ok'
    await settle()
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'done' })
    expect(new Set(kinds(desktop.states))).toEqual(new Set(['restoring', 'signedOut']))
    expect(family(desktop, 0).isDead).toBe(true)
    expect(desktop.store.entries.size).toBe(0)
  })

  it('reports why the token couldn’t be revoked, until the token is revoked', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer(OFFLINE)
    await desktop.session.signOut()
    await settle()
    expect(desktop.state).toEqual({
      kind: 'signedOut',
      revocation: 'pending',
      handedOutUntil: HOUR,
      revocationFailure: { code: 'unreachable' },
      revocationIssuer: 'service',
    })
    desktop.answer({})
    await desktop.pass(10 * MINUTE)
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'done', handedOutUntil: HOUR })
  })

  it('stays pending across a restart and a new sign-in while the service can’t be reached', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer(OFFLINE)
    await desktop.session.signOut()
    expect(desktop.state).toMatchObject({ kind: 'signedOut', revocation: 'pending' })
    expect([desktop.entry, desktop.pending]).toEqual([undefined, [expect.any(String)]])
    await desktop.restart()
    expect(desktop.state).toMatchObject({ kind: 'signedOut', revocation: 'pending' })
    desktop.answer({ refresh: 'unreachable', logout: 'unreachable' })
    await desktop.signIn('ben')
    expect(desktop.state).toMatchObject({ kind: 'active', account: { username: 'ben' } })
    expect(family(desktop, 0).isDead).toBe(false)
    desktop.answer({})
    await desktop.pass(10 * MINUTE)
    expect(family(desktop, 0).isDead).toBe(true)
    expect(family(desktop, 1).isDead).toBe(false)
    expect([storedFamily(desktop), desktop.pending]).toEqual([family(desktop, 1), []])
  })

  it('that is repeated retries a pending revocation at once', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer(OFFLINE)
    await desktop.session.signOut()
    desktop.answer({})
    await desktop.session.signOut()
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'done', handedOutUntil: HOUR })
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
      expect(desktop.state).toMatchObject({ kind: 'signedOut' })
      await settle()
      expect(family(desktop, 0).isDead).toBe(true)
      expect(desktop.store.entries.size).toBe(0)
    },
  )

  it('works while the keychain is locked, and revokes the session once the keychain is unlocked', async () => {
    const desktop = await restartedDesktop('locked')
    await desktop.session.signOut()
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'pending' })
    desktop.store.mode = 'ok'
    await desktop.pass(5 * MINUTE)
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'done' })
    expect(family(desktop, 0).isDead).toBe(true)
    expect(desktop.store.entries.size).toBe(0)
  })

  it('leaves the session in the keychain until its token is stored for revocation', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer(OFFLINE)
    desktop.store.refuses = (kind) => kind === 'write'
    await desktop.session.signOut()
    await desktop.pass(MINUTE)
    expect(storedFamily(desktop)).toBe(family(desktop, 0))
    expect(desktop.mark).toBe('signedOut')
    desktop.store.refuses = () => false
    await desktop.pass(10 * MINUTE)
    expect([desktop.entry, desktop.pending]).toEqual([undefined, [expect.any(String)]])
  })

  it('after single sign-on, only ends the session here, and reports that the token couldn’t be revoked', async () => {
    const desktop = await startedDesktop()
    await desktop.signIn('ana', 'passwordRealm')
    await desktop.session.signOut()
    expect(desktop.state).toMatchObject({ kind: 'signedOut', revocation: 'notPossible' })
    expect(desktop.store.entries.size).toBe(0)
    expect(desktop.sso.log).toEqual(['login ana'])
  })

  it('reports how long access tokens stay valid, even after a failed or cancelled sign-in', async () => {
    const desktop = await startedDesktop('ana')
    await desktop.session.signOut()
    await desktop.session.signIn.begin('password', { username: 'ana', password: password('wrong') })
    expect(desktop.state).toMatchObject({ handedOutUntil: HOUR })
    desktop.answer({ login: undefined })
    await desktop.signIn('ana')
    await desktop.session.signOut()
    expect(desktop.state).toMatchObject({ kind: 'signedOut', handedOutUntil: HOUR })
  })

  it('after an unnoticed sleep, doesn’t report the expired token as valid', async () => {
    const desktop = await startedDesktop('ana')
    desktop.time.sleep(2 * HOUR)
    await desktop.session.signOut()
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'done' })
  })

  it('revokes a refused refresh token, too, because a proxy may have refused it', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ refresh: 'refuse' })
    await desktop.session.refresh()
    desktop.answer({})
    await desktop.session.signOut()
    expect(family(desktop, 0).isDead).toBe(true)
    expect(desktop.store.entries.size).toBe(0)
  })
})

describe('single sign-on', () => {
  it('without a refresh token, the session is `ending` from 5 minutes before its end', async () => {
    const desktop = await startedDesktop()
    desktop.sso.options.isRefreshable = false
    await desktop.signIn('ana', 'passwordRealm')
    expect(desktop.state).toMatchObject({ kind: 'active', kept: 'memory' })
    expect(desktop.state).not.toHaveProperty('token.refreshesAt')
    await desktop.pass(55 * MINUTE - SECOND)
    expect(desktop.state.kind).toBe('active')
    await desktop.pass(SECOND)
    expect(desktop.state).toMatchObject({ kind: 'ending', token: { expiresAt: HOUR } })
    await desktop.pass(5 * MINUTE)
    expect(desktop.state.kind).toBe('expired')
    expect(desktop.sso.log).toEqual(['login ana'])
  })
})

describe('a start', () => {
  it('leads to `signedOut` if the keychain is empty', async () => {
    const desktop = await startedDesktop()
    expect(desktop.states).toEqual([{ kind: 'restoring' }, { kind: 'signedOut', revocation: 'none' }])
  })

  it('restores the session after a kill', async () => {
    const desktop = await startedDesktop('ana')
    await desktop.restart()
    expect(kinds(desktop.states)).toEqual(['restoring', 'restoring', 'active'])
    expect(desktop.states[1]).toEqual({ kind: 'restoring', issuer: 'service' })
    expect(desktop.state).toMatchObject({ account: { username: 'ana', displayName: 'Name of ana' } })
  })

  it('leads to `expired` if the service no longer accepts the stored token', async () => {
    const desktop = await startedDesktop('ana')
    family(desktop, 0).isDead = true
    await desktop.restart()
    expect(desktop.state).toMatchObject({ kind: 'expired', account: { username: 'ana' } })
    expect(desktop.entry).toBeDefined()
  })

  it('leads to `signedOut` if the entry is unreadable, and deletes nothing', async () => {
    const desktop = new ModelDesktop()
    desktop.store.entries.set(ENTRY, '{"version":1,"half":')
    desktop.marker.set(ENTRY, 'stored')
    await desktop.start()
    expect(desktop.state.kind).toBe('signedOut')
    await desktop.pass(HOUR)
    expect(desktop.store.log).toEqual([])
    await desktop.signIn('ana')
    expect(desktop.state).toMatchObject({ kind: 'active', kept: 'keychain' })
  })

  it('reports an entry whose sign-in method is no longer set up, and deletes nothing', async () => {
    const desktop = await startedDesktop()
    await desktop.signIn('ana', 'passwordRealm')
    desktop.hasProvider = false
    await desktop.restart()
    expect(desktop.state).toMatchObject({ kind: 'signedOut', failure: { code: 'notConfigured' } })
    expect(desktop.entry).toBeDefined()
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
      expect(desktop.entry).toBeDefined()
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
    expect(desktop.state).toMatchObject({ kind: 'active', kept: 'unsaved' })
    desktop.store.mode = 'ok'
    await desktop.pass(MINUTE)
    expect(desktop.state).toMatchObject({ kind: 'active', kept: 'keychain' })
  })

  /** The app starts while the keychain hangs. The keychain contains a session, but no marker shows that. */
  const forgotten = async () => {
    const desktop = await startedDesktop('ana')
    desktop.kill()
    desktop.marker.clear(ENTRY)
    desktop.store.mode = 'hangs'
    await desktop.start()
    await desktop.pass(2 * SECOND)
    expect(desktop.state.kind).toBe('signedOut')
    return desktop
  }

  it('restores a session that the keychain returns late, if the user hasn’t signed in', async () => {
    const desktop = await forgotten()
    desktop.store.mode = 'ok'
    await settle()
    expect(kinds(desktop.states.slice(1))).toEqual(['signedOut', 'restoring', 'active'])
    expect(desktop.mark).toBe('stored')
  })

  it('a session that is restored during a sign-in is kept if the sign-in fails, and otherwise revoked', async () => {
    for (const typed of ['wrong', 'right']) {
      const desktop = await forgotten()
      desktop.answer({ login: undefined })
      const right = desktop.service.passwords.get('ben') ?? ''
      void desktop.session.signIn.begin('password', {
        username: 'ben',
        password: password(typed === 'right' ? right : 'x'),
      })
      desktop.store.mode = 'ok'
      await settle()
      desktop.answer({})
      await desktop.reply()
      expect(desktop.state).toMatchObject({ kind: 'active', account: { username: typed === 'right' ? 'ben' : 'ana' } })
      expect(family(desktop, 0).isDead).toBe(typed === 'right')
    }
  })
})

describe('stopping', () => {
  it('waits for the reply to a refresh, and stores the new token', async () => {
    const desktop = await startedDesktop('ana')
    await desktop.holdRefresh()
    const stopped = vi.fn()
    void desktop.session.stop().then(stopped)
    await settle()
    expect(stopped).not.toHaveBeenCalled()
    await desktop.reply()
    expect(stopped).toHaveBeenCalled()
    expect(desktop.entry?.refreshToken.reveal()).toBe(desktop.service.newestOf(family(desktop, 0), desktop.program))
    expect(desktop.time.pending()).toBe(0)
  })

  it.each(['at once', 'after the last response'])(
    'stores a refresh token that the keychain had refused, %s',
    async (when) => {
      const desktop = await startedDesktop('ana')
      const { service, store, program } = desktop
      store.mode = 'fails'
      await desktop.session.refresh()
      await desktop.holdRefresh()
      if (when === 'at once') store.mode = 'ok'
      void desktop.session.stop()
      await settle()
      store.mode = 'ok'
      if (when !== 'at once') await desktop.reply('unreachable')
      expect(desktop.entry?.refreshToken.reveal()).toBe(service.newestOf(family(desktop, 0), program))
    },
  )

  it('stores an entry again that the keychain loses after a retry under way', async () => {
    const desktop = await startedDesktop('ana')
    const { service, store, program } = desktop
    store.mode = 'fails'
    await desktop.session.refresh()
    store.mode = 'hangs'
    await desktop.pass(SECOND)
    desktop.session.verifyEntry()
    const stopping = desktop.session.stop()
    store.onChange = () => {
      store.onChange = () => {}
      queueMicrotask(() => store.entries.clear())
    }
    store.mode = 'ok'
    await stopping
    expect(desktop.entry?.refreshToken.reveal()).toBe(service.newestOf(family(desktop, 0), program))
  })

  it('has a time limit', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ refresh: undefined, logout: undefined })
    void desktop.session.refresh()
    await settle()
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

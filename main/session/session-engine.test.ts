import { describe, expect, it, vi } from 'vitest'
import { password } from './secret.ts'
import type { SessionState } from './state.ts'
import { Desktop, ENTRY, startedDesktop } from './testing/desktop.ts'
import { settle } from './testing/hand-time.ts'
import type { Answer, Operation } from './testing/model-service.ts'
import type { KeychainMode } from './testing/model-store.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const answer = (desktop: Desktop, answers: Partial<Record<Operation, Answer | undefined>>) => {
  desktop.service.answering = ({ operation }) => (operation in answers ? answers[operation] : 'reply')
}
const OFFLINE = {
  login: 'unreachable',
  refresh: 'unreachable',
  logout: 'unreachable',
  changePassword: 'unreachable',
} as const
const operations = ({ service }: Desktop) => service.log.map((line) => line.split(' ')[0])
const kinds = (states: readonly SessionState[]) => states.map(({ kind }) => kind)
const family = (desktop: Desktop, n: number) => {
  const found = desktop.service.families[n]
  if (found === undefined) throw new Error(`there is no family ${n}`)
  return found
}
const storedFamily = (desktop: Desktop) => desktop.service.familyOf(desktop.entry?.refreshToken.reveal() ?? '')

describe('a subscription', () => {
  it('begins with the present state, and ends with its undo', async () => {
    const desktop = await startedDesktop('ana')
    const seen: SessionState[] = []
    const undo = desktop.session.subscribe((state) => seen.push(state))
    expect(seen).toEqual([desktop.state])
    undo()
    await desktop.session.refresh()
    expect(seen).toHaveLength(1)
  })

  it('never ends with an older state, where another listener moves it on', async () => {
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

/** Collects uncaught errors, which would otherwise end the program. */
async function uncaughtIn(act: () => Promise<void>): Promise<readonly unknown[]> {
  const usual = process.listeners('uncaughtException')
  const errors: unknown[] = []
  process.removeAllListeners('uncaughtException').on('uncaughtException', (error) => errors.push(error))
  try {
    await act()
    await settle()
  } finally {
    process.removeAllListeners('uncaughtException')
    for (const each of usual) process.on('uncaughtException', each)
  }
  return errors
}

describe('a listener that throws', () => {
  it('holds up neither the engine nor the other listeners, and its bug is not lost', async () => {
    const desktop = await startedDesktop('ana')
    const bug = new Error('a bug in a listener')
    const seen: SessionState[] = []
    let isBroken = false
    desktop.session.subscribe(() => {
      if (isBroken) throw bug
    })
    desktop.session.subscribe((state) => seen.push(state))
    isBroken = true
    const errors = await uncaughtIn(async () => {
      expect(await desktop.session.refresh()).toEqual({ ok: true, value: undefined })
    })
    expect(kinds(seen)).toEqual(['active', 'active', 'active'])
    expect(errors).toEqual([bug, bug])
    expect(desktop.entry).toBeDefined()
    isBroken = false
    await desktop.pass(HOUR)
    expect(desktop.state).toMatchObject({ kind: 'active', kept: 'keychain' })
  })
})

describe('signing in', () => {
  it('is written before it is announced', async () => {
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

  it('that is refused says so, and leaves things as they were', async () => {
    const desktop = await startedDesktop()
    const asked = desktop.session.signIn('password', { username: 'ana', password: password('wrong') })
    expect(await asked).toMatchObject({ ok: false, failure: { code: 'rejected' } })
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'none' })
  })

  it('that is refused leaves an earlier session as it was, refreshes included', async () => {
    const desktop = await startedDesktop('ana')
    const asked = desktop.session.signIn('password', { username: 'ben', password: password('wrong') })
    expect(await asked).toMatchObject({ ok: false })
    expect(desktop.state).toMatchObject({ kind: 'active', account: { username: 'ana' } })
    await desktop.pass(HOUR)
    expect(operations(desktop)).toContain('refresh')
  })

  const credentialsOf = (desktop: Desktop, username: string) => ({
    username,
    password: password(desktop.service.passwords.get(username) ?? ''),
  })

  it('is joined by a second call with the same credentials while it is under way', async () => {
    const desktop = await startedDesktop()
    answer(desktop, { login: undefined })
    const both = [1, 2].map(() => desktop.session.signIn('password', credentialsOf(desktop, 'ana')))
    desktop.service.pending[0]?.answer('reply')
    expect(await Promise.all(both)).toMatchObject([{ ok: true }, { ok: true }])
    expect(operations(desktop)).toEqual(['login'])
  })

  it.each([
    ['another account', { username: 'ben' }, 'password'],
    ['another password', { username: 'ana', password: password('another') }, 'password'],
    ['another way', { username: 'ana' }, 'passwordRealm'],
  ] as const)(
    'is not joined by a call with %s: that one has its turn once the first has ended',
    async (_, other, way) => {
      const desktop = await startedDesktop()
      answer(desktop, { login: undefined })
      const logins = () => [...desktop.service.log, ...desktop.sso.log].filter((line) => line.startsWith('login'))
      const first = desktop.session.signIn('password', credentialsOf(desktop, 'ana'))
      const second = desktop.session.signIn(way, { ...credentialsOf(desktop, other.username), ...other })
      await settle()
      expect(logins()).toEqual(['login ana'])
      desktop.service.pending[0]?.answer('reply')
      expect(await first).toMatchObject({ ok: true })
      await settle()
      desktop.service.pending[0]?.answer('reply')
      await second
      expect(logins()).toHaveLength(2)
      answer(desktop, {})
      for (const each of desktop.service.pending) each.answer('reply')
      await settle()
      const isBen = other.username === 'ben'
      expect(desktop.state).toMatchObject({
        kind: 'active',
        account: { username: isBen ? 'ben' : 'ana', grant: { name: way } },
      })
      expect(family(desktop, 0).isDead).toBe(isBen || way === 'passwordRealm')
    },
  )

  it('of those that wait only the newest counts', async () => {
    const desktop = await startedDesktop()
    answer(desktop, { login: undefined })
    const asked = ['ana', 'nobody', 'ben'].map((each) =>
      desktop.session.signIn('password', credentialsOf(desktop, each)),
    )
    answer(desktop, {})
    desktop.service.pending[0]?.answer('reply')
    expect(await Promise.all(asked)).toMatchObject([{ ok: true }, { ok: false }, { ok: true }])
    expect(desktop.service.log.filter((line) => line.startsWith('login'))).toEqual(['login ana', 'login ben'])
    expect(desktop.state).toMatchObject({ kind: 'active', account: { username: 'ben' } })
  })

  it('that waits for another is not begun after a sign-out', async () => {
    const desktop = await startedDesktop()
    answer(desktop, { login: undefined })
    const asked = ['ana', 'ben'].map((each) => desktop.session.signIn('password', credentialsOf(desktop, each)))
    void desktop.session.signOut()
    answer(desktop, {})
    desktop.service.pending[0]?.answer('reply')
    expect(await Promise.all(asked)).toMatchObject([{ ok: false }, { ok: false }])
    expect(operations(desktop).filter((each) => each === 'login')).toHaveLength(1)
    expect(desktop.state.kind).toBe('signedOut')
  })

  it('again revokes the session that it replaces, once the new one is safe', async () => {
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

  it('again while the old session is being refreshed revokes what lands', async () => {
    const desktop = await startedDesktop('ana')
    answer(desktop, { refresh: undefined })
    void desktop.session.refresh()
    await settle()
    await desktop.signIn('ben')
    desktop.service.pending[0]?.answer('reply')
    await settle()
    expect(family(desktop, 0).isDead).toBe(true)
    expect(desktop.state).toMatchObject({ kind: 'active', account: { username: 'ben' } })
    expect(storedFamily(desktop)).toBe(family(desktop, 1))
  })

  it('again after a refusal sends the refused token nowhere', async () => {
    const desktop = await startedDesktop('ana')
    answer(desktop, { refresh: 'refuse' })
    await desktop.session.refresh()
    expect(desktop.state.kind).toBe('ending')
    answer(desktop, {})
    await desktop.signIn('ana')
    await desktop.pass(MINUTE)
    expect(operations(desktop)).toEqual(['login', 'refresh', 'login'])
  })

  it('again while a refused token is retried revokes the tokens that the retry brings', async () => {
    const desktop = await startedDesktop('ana')
    answer(desktop, { refresh: 'refuse' })
    await desktop.session.refresh()
    answer(desktop, { refresh: undefined })
    void desktop.session.refresh()
    await settle()
    expect(desktop.state.kind).toBe('ending')
    await desktop.signIn('ben')
    desktop.service.pending[0]?.answer('reply')
    await settle()
    expect(family(desktop, 0).isDead).toBe(true)
    expect(desktop.state).toMatchObject({ kind: 'active', account: { username: 'ben' } })
  })

  it('again that the keychain did not take: a restart does not bring the old session back', async () => {
    const desktop = await startedDesktop('ana')
    desktop.store.mode = 'fails'
    await desktop.signIn('ben')
    expect(desktop.state).toMatchObject({ kind: 'active', kept: 'unwritten', account: { username: 'ben' } })
    desktop.kill()
    desktop.store.mode = 'ok'
    await desktop.start()
    expect(desktop.state.kind).toBe('signedOut')
    expect(desktop.store.entries.size).toBe(0)
  })

  it('again by single sign-on without a refresh token leaves no entry of the old session', async () => {
    const desktop = await startedDesktop('ana')
    desktop.sso.options.isRefreshable = false
    await desktop.signIn('ana', 'passwordRealm')
    await settle()
    expect(desktop.store.entries.size).toBe(0)
    expect(family(desktop, 0).isDead).toBe(true)
    await desktop.restart()
    expect(desktop.state.kind).toBe('signedOut')
  })

  it('by a way that is not configured says so', async () => {
    const desktop = new Desktop()
    desktop.hasProvider = false
    await desktop.start()
    const asked = desktop.session.signIn('passwordRealm', { username: 'ana', password: password('x') })
    expect(await asked).toMatchObject({ ok: false, failure: { code: 'notConfigured' } })
    expect(desktop.state.kind).toBe('signedOut')
  })

  it('is reachable while the keychain is locked', async () => {
    const desktop = await startedDesktop('ana')
    desktop.kill()
    desktop.store.mode = 'locked'
    await desktop.start()
    expect(desktop.state.kind).toBe('sessionUnread')
    await desktop.signIn('ben')
    expect(desktop.state).toMatchObject({ kind: 'active', account: { username: 'ben' }, kept: 'unwritten' })
    desktop.store.mode = 'ok'
    await desktop.pass(MINUTE)
    expect(desktop.state).toMatchObject({ kept: 'keychain' })
    // The session that stayed in the keychain is not forgotten, but revoked.
    expect(family(desktop, 0).isDead).toBe(true)
    expect(storedFamily(desktop)).toBe(family(desktop, 1))
  })

  /**
   * The program was killed during a sign-in, while the entry of an unreadable earlier session was still in the keychain
   * and waiting for its revocation.
   */
  const killedOverSession = async (): Promise<Desktop> => {
    const desktop = await startedDesktop('ana')
    desktop.kill()
    desktop.store.mode = 'locked'
    await desktop.start()
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

  it('over a session that could not be read, and a kill -9 before that is replaced: it is revoked, and by one alone', async () => {
    const desktop = await killedOverSession()
    answer(desktop, { refresh: undefined })
    await desktop.start()
    expect(desktop.service.pending.map(({ operation }) => operation)).toEqual(['refresh'])
    answer(desktop, {})
    desktop.service.pending[0]?.answer('reply')
    await settle()
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'done' })
    expect(desktop.states.map(({ kind }) => kind)).not.toContain('active')
    expect(desktop.service.violations).toEqual([])
    expect(family(desktop, 0).isDead).toBe(true)
    expect(desktop.store.entries.size).toBe(0)
  })

  it.each([
    ['has been refreshed to be revoked', 'unreachable'],
    ['is dead', 'reply'],
  ] as const)('and the service is faster than the keychain: what %s by then is no session', async (_, logout) => {
    const desktop = await killedOverSession()
    answer(desktop, { logout })
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
    answer(desktop, {})
    await desktop.pass(10 * MINUTE)
    expect(desktop.state.kind).toBe('signedOut')
    expect(desktop.states.map(({ kind }) => kind)).not.toContain('active')
    expect(family(desktop, 0).isDead).toBe(true)
    expect(desktop.store.entries.size).toBe(0)
  })

  it('is not disturbed by a keychain that is unlocked meanwhile', async () => {
    const desktop = await startedDesktop('ana')
    desktop.kill()
    desktop.store.mode = 'locked'
    await desktop.start()
    answer(desktop, { login: undefined })
    await desktop.signIn('ben')
    desktop.store.mode = 'ok'
    desktop.session.wake()
    await settle()
    expect(desktop.state).toMatchObject({ kind: 'signingIn', from: { kind: 'active', account: { username: 'ana' } } })
    desktop.service.pending[0]?.answer('reply')
    await settle()
    expect(desktop.state).toMatchObject({ kind: 'active', account: { username: 'ben' } })
    expect(family(desktop, 0).isDead).toBe(true)
  })

  /** A cancelled sign-in, while the keychain held a session that could not be read. */
  const cancelledUnread = async (isOneTime: boolean): Promise<Desktop> => {
    const desktop = await startedDesktop('ana')
    desktop.service.options.isOneTime = isOneTime
    desktop.kill()
    desktop.store.mode = 'locked'
    await desktop.start()
    answer(desktop, { login: undefined })
    await desktop.signIn('ana')
    desktop.session.cancelSignIn()
    expect(desktop.state.kind).toBe('sessionUnread')
    desktop.service.pending[0]?.answer('reply')
    await desktop.pass(MINUTE)
    expect(operations(desktop)).not.toContain('logout')
    desktop.store.mode = 'ok'
    await desktop.pass(5 * MINUTE)
    return desktop
  }

  it('that was cancelled brings nothing that lives on, once the keychain has been read', async () => {
    const desktop = await cancelledUnread(true)
    expect(desktop.state.kind).toBe('active')
    expect([family(desktop, 0).isDead, family(desktop, 1).isDead]).toEqual([false, true])
  })

  it('that was cancelled costs no stored session of a service that gives the same refresh token again', async () => {
    const desktop = await cancelledUnread(false)
    expect(desktop.state.kind).toBe('active')
    expect(operations(desktop)).not.toContain('logout')
    expect(storedFamily(desktop)?.isDead).toBe(false)
  })

  it('that was cancelled is revoked at the next start if its tokens come while the program quits', async () => {
    const desktop = await startedDesktop()
    answer(desktop, { ...OFFLINE, login: undefined })
    await desktop.signIn('ana')
    desktop.session.cancelSignIn()
    const stopped = desktop.session.stop()
    desktop.service.pending[0]?.answer('reply')
    await stopped
    expect(desktop.pending).toEqual([desktop.service.newestOf(family(desktop, 0), desktop.program)])
    answer(desktop, {})
    await desktop.restart()
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'done' })
    expect(family(desktop, 0).isDead).toBe(true)
  })

  it.each<KeychainMode>(['ok', 'fails', 'hangs'])(
    'that was cancelled is written as a revocation, if the keychain could not be read at the start and now is: %s',
    async (mode) => {
      const desktop = new Desktop()
      desktop.store.mode = 'fails'
      await desktop.start()
      expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'none' })
      desktop.store.mode = mode
      answer(desktop, { login: undefined, refresh: undefined, logout: undefined })
      await desktop.signIn('ana')
      desktop.session.cancelSignIn()
      desktop.service.pending[0]?.answer('reply')
      await desktop.pass(MINUTE)
      desktop.store.mode = 'ok'
      await desktop.pass(2 * MINUTE)
      expect(desktop.pending).toHaveLength(1)
      answer(desktop, {})
      await desktop.restart()
      expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'done' })
      expect(family(desktop, 0).isDead).toBe(true)
    },
  )

  it('to a service that gives the same refresh token again does not revoke it', async () => {
    const desktop = new Desktop()
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

  describe('to a service that gives a user the same refresh token again', () => {
    const signedOutOffline = async () => {
      const desktop = await startedDesktop()
      desktop.service.options.isOneTime = false
      await desktop.signIn('ana')
      answer(desktop, OFFLINE)
      await desktop.session.signOut()
      expect(desktop.state).toMatchObject({ kind: 'signedOut', revocation: 'pending' })
      return desktop
    }

    it('takes back the sign-out that is still pending', async () => {
      const desktop = await signedOutOffline()
      answer(desktop, {})
      await desktop.signIn('ana')
      expect([storedFamily(desktop), desktop.pending]).toEqual([family(desktop, 0), []])
      await desktop.pass(2 * HOUR)
      expect(desktop.state.kind).toBe('active')
      await desktop.restart()
      expect(desktop.state.kind).toBe('active')
    })

    it('takes it back while the service is asked for a fresh access token to sign out with', async () => {
      const desktop = await signedOutOffline()
      await desktop.pass(2 * HOUR)
      answer(desktop, { refresh: undefined })
      desktop.session.wake()
      await settle()
      await desktop.signIn('ana')
      expect(desktop.service.pending).toHaveLength(1)
      answer(desktop, {})
      desktop.service.pending[0]?.answer('reply')
      await desktop.pass(2 * HOUR)
      expect(desktop.state.kind).toBe('active')
    })

    it('takes it back while the service refuses the access token to sign out with', async () => {
      const desktop = await signedOutOffline()
      answer(desktop, { logout: undefined })
      desktop.session.wake()
      await settle()
      await desktop.signIn('ana')
      expect(desktop.service.pending).toHaveLength(1)
      desktop.service.pending[0]?.answer('refuse')
      await settle()
      expect(operations(desktop).slice(-2)).toEqual(['logout', 'login'])
      expect(desktop.state.kind).toBe('active')
    })

    it('waits until the sign-out under way is answered, and then begins a session that lives', async () => {
      const desktop = await signedOutOffline()
      answer(desktop, { logout: undefined })
      desktop.session.wake()
      await settle()
      await desktop.signIn('ana')
      expect(desktop.state).toMatchObject({ kind: 'signingIn' })
      expect(operations(desktop).at(-1)).toBe('logout')
      desktop.service.pending[0]?.answer('reply')
      await settle()
      expect(operations(desktop).slice(-2)).toEqual(['logout', 'login'])
      await desktop.pass(2 * HOUR)
      expect(desktop.state.kind).toBe('active')
      expect([family(desktop, 0).isDead, family(desktop, 1).isDead]).toEqual([true, false])
    })

    it('takes it back when the keychain says of the sign-out only after the sign-in', async () => {
      const desktop = await signedOutOffline()
      desktop.kill()
      desktop.store.mode = 'hangs'
      answer(desktop, {})
      await desktop.start()
      await desktop.signIn('ana')
      desktop.store.mode = 'ok'
      await desktop.pass(2 * HOUR)
      expect(desktop.state).toMatchObject({ kind: 'active', kept: 'keychain' })
      expect(family(desktop, 0).isDead).toBe(false)
      expect([storedFamily(desktop), desktop.pending]).toEqual([family(desktop, 0), []])
    })

    it('takes it back while the keychain is away', async () => {
      const desktop = await signedOutOffline()
      answer(desktop, {})
      desktop.store.mode = 'fails'
      await desktop.signIn('ana')
      await desktop.pass(10 * MINUTE)
      expect(desktop.state).toMatchObject({ kind: 'active', kept: 'unwritten' })
      expect(family(desktop, 0).isDead).toBe(false)
    })

    it('is restored after a restart, however late the keychain took it', async () => {
      const desktop = await signedOutOffline()
      answer(desktop, {})
      desktop.store.refuses = (kind) => kind !== 'read'
      await desktop.signIn('ana')
      expect(desktop.state).toMatchObject({ kind: 'active', kept: 'unwritten' })
      desktop.store.refuses = () => false
      await desktop.pass(MINUTE)
      expect(desktop.state).toMatchObject({ kind: 'active', kept: 'keychain' })
      await desktop.restart()
      expect(desktop.state.kind).toBe('active')
    })

    it('and refused to end it before: the next sign-out is sent all the same', async () => {
      const desktop = await startedDesktop()
      desktop.service.options.isOneTime = false
      await desktop.signIn('ana')
      answer(desktop, { logout: 'refuse' })
      await desktop.session.signOut()
      await desktop.pass(HOUR)
      expect(desktop.state).toMatchObject({ kind: 'signedOut', revocation: 'refused' })
      answer(desktop, {})
      await desktop.signIn('ana')
      await desktop.session.signOut()
      expect(desktop.state).toMatchObject({ kind: 'signedOut', revocation: 'done' })
      expect(family(desktop, 0).isDead).toBe(true)
    })
  })

  it('with the keychain away is kept in memory, and said so', async () => {
    const desktop = new Desktop()
    desktop.store.persistence = 'memory'
    await desktop.start()
    await desktop.signIn('ana')
    expect(desktop.state).toMatchObject({ kind: 'active', kept: 'memory' })
    expect(desktop.mark).toBeUndefined()
  })
})

describe('signing out', () => {
  it('is local at once, then at the service; nothing is left in the keychain', async () => {
    const desktop = await startedDesktop('ana')
    answer(desktop, { logout: undefined })
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

  it('gets a fresh access token first where the old one has run out, and revokes the token that came with it', async () => {
    const desktop = await startedDesktop('ana')
    answer(desktop, { refresh: 'unreachable' })
    await desktop.pass(2 * HOUR)
    answer(desktop, {})
    const from = desktop.service.log.length
    await desktop.session.signOut()
    const [refresh, logout, ...more] = desktop.service.log.slice(from)
    expect(refresh).toMatch(/^refresh/)
    expect(logout).toMatch(/^logout/)
    expect(logout?.split(' ')[1]).not.toBe(refresh?.split(' ')[1])
    expect(more).toEqual([])
    expect(family(desktop, 0).isDead).toBe(true)
  })

  it('gets a fresh access token where the old one is refused', async () => {
    const desktop = await startedDesktop('ana')
    let refused = 0
    desktop.service.answering = ({ operation }) => (operation === 'logout' && ++refused === 1 ? 'refuse' : 'reply')
    await desktop.session.signOut()
    expect(operations(desktop)).toEqual(['login', 'logout', 'refresh', 'logout'])
    expect(family(desktop, 0).isDead).toBe(true)
  })

  it('during a refresh: what lands is discarded, and its token is the one that is revoked', async () => {
    const desktop = await startedDesktop('ana')
    answer(desktop, { refresh: undefined })
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

  it('during a refresh whose reply is lost', async () => {
    const desktop = await startedDesktop('ana')
    answer(desktop, { refresh: undefined })
    void desktop.session.refresh()
    await settle()
    void desktop.session.signOut()
    desktop.service.pending[0]?.answer('loseReply')
    await settle()
    expect(desktop.state).toMatchObject({ kind: 'signedOut', revocation: 'done' })
    expect(family(desktop, 0).isDead).toBe(true)
  })

  it('during a sign-in: what lands is revoked, and the sign-in fails', async () => {
    const desktop = await startedDesktop()
    answer(desktop, { login: undefined })
    const credentials = { username: 'ana', password: password(desktop.service.passwords.get('ana') ?? '') }
    const signingIn = desktop.session.signIn('password', credentials)
    await desktop.session.signOut()
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'none' })
    desktop.service.pending[0]?.answer('reply')
    expect(await signingIn).toMatchObject({ ok: false })
    await settle()
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'done' })
    expect(family(desktop, 0).isDead).toBe(true)
    expect(desktop.store.entries.size).toBe(0)
  })

  it('during a sign-in: the next one is a sign-in of its own', async () => {
    const desktop = await startedDesktop()
    answer(desktop, { login: undefined })
    await desktop.signIn('ana')
    await desktop.session.signOut()
    await desktop.signIn('ben')
    expect(desktop.service.log).toEqual(['login ana', 'login ben'])
    const [ana, ben] = desktop.service.pending
    ben?.answer('reply')
    await settle()
    ana?.answer('reply')
    await settle()
    expect(desktop.state).toMatchObject({ kind: 'active', account: { username: 'ben' } })
    expect(desktop.service.families.map(({ username, isDead }) => [username, isDead])).toEqual([
      ['ben', false],
      ['ana', true],
    ])
  })

  it.each(['a sign-in', 'a refresh'])('while the keychain writes what %s brought', async (what) => {
    const desktop = await startedDesktop(what === 'a refresh' ? 'ana' : undefined)
    desktop.store.mode = 'hangs'
    const typed = password(desktop.service.passwords.get('ana') ?? '')
    const begun =
      what === 'a refresh'
        ? desktop.session.refresh()
        : desktop.session.signIn('password', { username: 'ana', password: typed })
    await settle()
    void desktop.session.signOut()
    await settle()
    desktop.store.mode = 'ok'
    expect(await begun).toMatchObject({ ok: false })
    await desktop.pass(2 * SECOND)
    expect(desktop.state).toMatchObject({ kind: 'signedOut', revocation: 'done' })
    expect(desktop.store.entries.size).toBe(0)
    expect(desktop.marker.marks.size).toBe(0)
    expect(family(desktop, 0).isDead).toBe(true)
  })

  it('twice, while the keychain hangs, leaves nothing', async () => {
    const desktop = await startedDesktop('ana')
    desktop.store.mode = 'hangs'
    void desktop.session.signOut()
    void desktop.session.signOut()
    desktop.store.mode = 'ok'
    await desktop.pass(MINUTE)
    expect(desktop.state).toMatchObject({ kind: 'signedOut', revocation: 'done' })
    expect(desktop.store.entries.size).toBe(0)
    expect(family(desktop, 0).isDead).toBe(true)
  })

  it('if no one seemed to be signed in holds, whatever the keychain answers later', async () => {
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

  it('while the old session is being revoked for a new one holds', async () => {
    const desktop = await startedDesktop('ana')
    desktop.store.mode = 'hangs'
    await desktop.signIn('ben')
    void desktop.session.signOut()
    desktop.store.mode = 'ok'
    await desktop.pass(MINUTE)
    expect(desktop.state).toMatchObject({ kind: 'signedOut', revocation: 'done' })
    expect(desktop.service.families.every(({ isDead }) => isDead)).toBe(true)
    expect(desktop.store.entries.size).toBe(0)
  })

  it('while the service can’t be told says why, apart from why the session ended, until it has been told', async () => {
    const desktop = await startedDesktop('ana')
    answer(desktop, OFFLINE)
    await desktop.session.signOut()
    await settle()
    expect(desktop.state).toEqual({
      kind: 'signedOut',
      revocation: 'pending',
      handedOutUntil: HOUR,
      revocationFailure: { code: 'unreachable' },
    })
    answer(desktop, {})
    await desktop.pass(10 * MINUTE)
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'done', handedOutUntil: HOUR })
  })

  it('while the service is unreachable: pending across a restart and a new sign-in', async () => {
    const desktop = await startedDesktop('ana')
    answer(desktop, OFFLINE)
    await desktop.session.signOut()
    expect(desktop.state).toMatchObject({ kind: 'signedOut', revocation: 'pending' })
    expect([desktop.entry, desktop.pending]).toEqual([undefined, [expect.any(String)]])
    await desktop.restart()
    expect(desktop.state).toMatchObject({ kind: 'signedOut', revocation: 'pending' })
    answer(desktop, { refresh: 'unreachable', logout: 'unreachable' })
    await desktop.signIn('ben')
    expect(desktop.state).toMatchObject({ kind: 'active', account: { username: 'ben' } })
    expect(family(desktop, 0).isDead).toBe(false)
    answer(desktop, {})
    await desktop.pass(10 * MINUTE)
    expect(family(desktop, 0).isDead).toBe(true)
    expect(family(desktop, 1).isDead).toBe(false)
    expect([storedFamily(desktop), desktop.pending]).toEqual([family(desktop, 1), []])
  })

  it('is asked for once, however long the keychain takes: Retry-After is obeyed', async () => {
    const desktop = await startedDesktop('ana')
    answer(desktop, { logout: { retryAfter: 600 } })
    desktop.store.refuses = (kind, name) => {
      if (kind === 'write' && name === ENTRY) desktop.store.mode = 'hangs'
      return false
    }
    void desktop.session.signOut()
    await desktop.pass(SECOND)
    desktop.store.refuses = () => false
    desktop.store.mode = 'ok'
    await settle()
    expect(operations(desktop)).toEqual(['login', 'logout'])
  })

  it('is asked for once more: the pending revocation is tried at once', async () => {
    const desktop = await startedDesktop('ana')
    answer(desktop, OFFLINE)
    await desktop.session.signOut()
    answer(desktop, {})
    await desktop.session.signOut()
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'done', handedOutUntil: HOUR })
  })

  it('and a kill -9 right after: the session is not restored, but revoked', async () => {
    const desktop = await startedDesktop('ana')
    desktop.store.mode = 'hangs'
    void desktop.session.signOut()
    desktop.kill()
    desktop.store.mode = 'ok'
    await desktop.start()
    await settle()
    expect(kinds(desktop.states).slice(1)).toEqual(['signedOut', 'signedOut'])
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'done' })
    expect(family(desktop, 0).isDead).toBe(true)
    expect(desktop.store.entries.size).toBe(0)
  })

  it.each(['locked', 'fails', 'seemsMissing'] as const)(
    'and a kill -9 right after, with a keychain that then %s: signed out all the same',
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

  it('while the keychain is locked holds, and revokes what it held once that can be read', async () => {
    const desktop = await startedDesktop('ana')
    desktop.kill()
    desktop.store.mode = 'locked'
    await desktop.start()
    await desktop.session.signOut()
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'pending' })
    desktop.store.mode = 'ok'
    await desktop.pass(5 * MINUTE)
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'done' })
    expect(family(desktop, 0).isDead).toBe(true)
    expect(desktop.store.entries.size).toBe(0)
  })

  it('without a refresh token revokes nothing, and says so, if the keychain hangs and no marker expects a session', async () => {
    const desktop = new Desktop()
    desktop.service.options.isRefreshable = false
    desktop.store.mode = 'hangs'
    await desktop.start()
    await desktop.signIn('ana')
    await desktop.pass(2 * SECOND)
    expect(desktop.state.kind).toBe('signingIn')
    void desktop.session.signOut()
    desktop.store.mode = 'ok'
    await desktop.pass(MINUTE)
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'none' })
  })

  it('stays pending while the keychain may hold another session to revoke', async () => {
    const desktop = await startedDesktop('ana')
    desktop.kill()
    desktop.store.mode = 'locked'
    await desktop.start()
    await desktop.signIn('ben')
    await desktop.session.signOut()
    expect(family(desktop, 1).isDead).toBe(true)
    expect(desktop.state).toMatchObject({ kind: 'signedOut', revocation: 'pending' })
    desktop.store.mode = 'ok'
    await desktop.pass(5 * MINUTE)
    expect(family(desktop, 0).isDead).toBe(true)
    expect(desktop.state).toMatchObject({ kind: 'signedOut', revocation: 'done' })
  })

  it('keeps the entry until its token is safe among the pending revocations', async () => {
    const desktop = await startedDesktop('ana')
    answer(desktop, OFFLINE)
    desktop.store.refuses = (kind) => kind === 'write'
    await desktop.session.signOut()
    await desktop.pass(MINUTE)
    expect(storedFamily(desktop)).toBe(family(desktop, 0))
    expect(desktop.mark).toBe('signedOut')
    desktop.store.refuses = () => false
    await desktop.pass(10 * MINUTE)
    expect([desktop.entry, desktop.pending]).toEqual([undefined, [expect.any(String)]])
  })

  it('and in again before the old entry could go: a kill -9 does not bring the old session back', async () => {
    const desktop = await startedDesktop('ana')
    desktop.store.mode = 'fails'
    await desktop.session.signOut()
    await desktop.signIn('ben')
    expect(desktop.state).toMatchObject({ kind: 'active', kept: 'unwritten' })
    desktop.kill()
    desktop.store.mode = 'ok'
    await desktop.start()
    expect(desktop.state.kind).toBe('signedOut')
  })

  it('of a session that was never announced: its tokens are revoked too', async () => {
    const desktop = await startedDesktop()
    answer(desktop, { login: undefined })
    await desktop.signIn('ana')
    desktop.service.pending[0]?.answer('reply')
    void desktop.session.signOut()
    await settle()
    expect(family(desktop, 0).isDead).toBe(true)
    expect(kinds(desktop.states)).not.toContain('active')
  })

  it('of a single sign-on session is local, and says that the token could not be revoked', async () => {
    const desktop = await startedDesktop()
    await desktop.signIn('ana', 'passwordRealm')
    await desktop.session.signOut()
    expect(desktop.state).toMatchObject({ kind: 'signedOut', revocation: 'notPossible' })
    expect(desktop.store.entries.size).toBe(0)
    expect(desktop.sso.log).toEqual(['login ana'])
  })

  it('keeps telling until when what was handed out is good, through a sign-in that fails or is given up', async () => {
    const desktop = await startedDesktop('ana')
    await desktop.session.signOut()
    await desktop.session.signIn('password', { username: 'ana', password: password('wrong') })
    expect(desktop.state).toMatchObject({ handedOutUntil: HOUR })
    answer(desktop, { login: undefined })
    await desktop.signIn('ana')
    await desktop.session.signOut()
    expect(desktop.state).toMatchObject({ kind: 'signedOut', handedOutUntil: HOUR })
  })

  it('after an unnoticed sleep past the end of the token says nothing of what was handed out', async () => {
    const desktop = await startedDesktop('ana')
    desktop.time.sleep(2 * HOUR)
    await desktop.session.signOut()
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'done' })
  })

  it('stops all timers of the session', async () => {
    const desktop = await startedDesktop('ana')
    await desktop.session.signOut()
    await desktop.pass(24 * HOUR)
    expect(operations(desktop)).toEqual(['login', 'logout'])
  })

  it('of a set-aside token revokes it all the same: the refusal may have been a lie', async () => {
    const desktop = await startedDesktop('ana')
    answer(desktop, { refresh: 'refuse' })
    await desktop.session.refresh()
    answer(desktop, {})
    await desktop.session.signOut()
    expect(family(desktop, 0).isDead).toBe(true)
    expect(desktop.store.entries.size).toBe(0)
  })
})

describe('a single sign-on session', () => {
  it('with a refresh token is kept and refreshed like any other', async () => {
    const desktop = await startedDesktop()
    await desktop.signIn('ana', 'passwordRealm')
    expect(desktop.entry).toMatchObject({ grant: 'passwordRealm' })
    await desktop.restart()
    expect(desktop.state).toMatchObject({ kind: 'active', account: { grant: { name: 'passwordRealm' } } })
    expect(desktop.sso.log.map((line) => line.split(' ')[0])).toEqual(['login', 'refresh'])
    expect(desktop.service.log).toEqual([])
  })

  it('without one warns 5 minutes before it ends, and ends', async () => {
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

  it('without one that slept past its end is expired on wake', async () => {
    const desktop = await startedDesktop()
    desktop.sso.options.isRefreshable = false
    await desktop.signIn('ana', 'passwordRealm')
    await desktop.sleep(8 * HOUR)
    expect(desktop.state.kind).toBe('expired')
  })

  it('without one has nothing to refresh', async () => {
    const desktop = await startedDesktop()
    desktop.sso.options.isRefreshable = false
    await desktop.signIn('ana', 'passwordRealm')
    expect(await desktop.session.refresh()).toMatchObject({ ok: false, failure: { code: 'sessionEnded' } })
    expect(desktop.state.kind).toBe('active')
  })
})

describe('a start', () => {
  it('with nothing stored is signed out', async () => {
    const desktop = await startedDesktop()
    expect(desktop.states).toEqual([{ kind: 'restoring' }, { kind: 'signedOut', revocation: 'none' }])
  })

  it('after a kill -9 restores the session', async () => {
    const desktop = await startedDesktop('ana')
    await desktop.restart()
    expect(kinds(desktop.states)).toEqual(['restoring', 'restoring', 'active'])
    expect(desktop.states[1]).toEqual({ kind: 'restoring', issuer: 'service' })
    expect(desktop.state).toMatchObject({ account: { username: 'ana', displayName: 'Name of ana' } })
  })

  it('with the service away keeps the session', async () => {
    const desktop = await startedDesktop('ana')
    answer(desktop, OFFLINE)
    await desktop.restart()
    expect(desktop.state).toMatchObject({ kind: 'unreachable', kept: 'keychain', account: { username: 'ana' } })
    answer(desktop, {})
    await desktop.pass(MINUTE)
    expect(desktop.state.kind).toBe('active')
  })

  it('with a token that the service has lost asks for the password', async () => {
    const desktop = await startedDesktop('ana')
    family(desktop, 0).isDead = true
    await desktop.restart()
    expect(desktop.state).toMatchObject({ kind: 'expired', account: { username: 'ana' } })
    expect(desktop.entry).toBeDefined()
  })

  it('after a kill -9 between the service’s reply and the write is survived within the grace', async () => {
    const desktop = await startedDesktop('ana')
    desktop.store.mode = 'hangs'
    void desktop.session.refresh()
    await settle()
    desktop.kill()
    desktop.store.mode = 'ok'
    await desktop.start()
    expect(desktop.state.kind).toBe('active')
    expect(family(desktop, 0).isDead).toBe(false)
  })

  it('with an entry that no one can read is signed out, and deletes nothing', async () => {
    const desktop = new Desktop()
    desktop.store.entries.set(ENTRY, '{"version":2,"half":')
    desktop.marker.set(ENTRY, 'stored')
    await desktop.start()
    expect(desktop.state.kind).toBe('signedOut')
    await desktop.pass(HOUR)
    expect(desktop.store.log).toEqual([])
    await desktop.signIn('ana')
    expect(desktop.state).toMatchObject({ kind: 'active', kept: 'keychain' })
  })

  it('with an entry of a way to sign in that is not configured any more says so, and deletes nothing', async () => {
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
    'with a keychain that %s keeps the session, tries again, and restores it',
    async (mode) => {
      const desktop = await startedDesktop('ana')
      desktop.kill()
      desktop.store.mode = mode
      await desktop.start()
      await desktop.pass(10 * MINUTE)
      expect(kinds(desktop.states)).toEqual(['restoring', 'sessionUnread'])
      expect(desktop.state).toEqual({ kind: 'sessionUnread', why: WHY[mode] })
      expect(desktop.entry).toBeDefined()
      desktop.store.mode = 'ok'
      await desktop.pass(2 * MINUTE)
      expect(desktop.state.kind).toBe('active')
    },
  )

  it('looks again when the user asks, and says if the session still isn’t there', async () => {
    const desktop = await startedDesktop('ana')
    desktop.kill()
    desktop.store.mode = 'seemsMissing'
    await desktop.start()
    await expect(desktop.session.lookAgain()).resolves.toMatchObject({ failure: { code: 'keychainUnavailable' } })
    desktop.store.mode = 'ok'
    await expect(desktop.session.lookAgain()).resolves.toMatchObject({ ok: true })
    await settle()
    expect(desktop.state.kind).toBe('active')
  })

  it('with a keychain that hangs keeps no one from signing in who has nothing stored, as far as is remembered', async () => {
    const desktop = new Desktop()
    desktop.store.mode = 'hangs'
    await desktop.start()
    expect(desktop.state.kind).toBe('restoring')
    await desktop.pass(SECOND)
    expect(desktop.state).toEqual({ kind: 'signedOut', revocation: 'none' })
    await desktop.signIn('ana')
    await desktop.pass(5 * SECOND)
    expect(desktop.state).toMatchObject({ kind: 'active', kept: 'unwritten' })
    desktop.store.mode = 'ok'
    await desktop.pass(MINUTE)
    expect(desktop.state).toMatchObject({ kind: 'active', kept: 'keychain' })
  })

  /** The keychain answers late, with a session that the settings have no marker for. */
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

  it('with a keychain that answers late restores what it holds, if no one has signed in meanwhile', async () => {
    const desktop = await forgotten()
    desktop.store.mode = 'ok'
    await settle()
    expect(kinds(desktop.states.slice(1))).toEqual(['signedOut', 'restoring', 'active'])
    expect(desktop.mark).toBe('stored')
  })

  it('with a keychain that answers during a sign-in: a refusal leaves what it held, a success revokes it', async () => {
    for (const typed of ['wrong', 'right']) {
      const desktop = await forgotten()
      answer(desktop, { login: undefined })
      const right = desktop.service.passwords.get('ben') ?? ''
      void desktop.session.signIn('password', { username: 'ben', password: password(typed === 'right' ? right : 'x') })
      desktop.store.mode = 'ok'
      await settle()
      answer(desktop, {})
      desktop.service.pending[0]?.answer('reply')
      await settle()
      expect(desktop.state).toMatchObject({ kind: 'active', account: { username: typed === 'right' ? 'ben' : 'ana' } })
      expect(family(desktop, 0).isDead).toBe(typed === 'right')
    }
  })

  it('with a keychain that answers after a sign-in: what it held is read before it is replaced, and revoked', async () => {
    const desktop = await forgotten()
    await desktop.signIn('ben')
    await desktop.pass(5 * SECOND)
    expect(desktop.state).toMatchObject({ kind: 'active', kept: 'unwritten', account: { username: 'ben' } })
    expect(family(desktop, 0).isDead).toBe(false)
    desktop.store.mode = 'ok'
    await desktop.pass(MINUTE)
    expect(desktop.state).toMatchObject({ kind: 'active', kept: 'keychain' })
    expect(storedFamily(desktop)).toBe(family(desktop, 1))
    expect(family(desktop, 0).isDead).toBe(true)
  })

  it('with a keychain that is unlocked later restores at once on wake', async () => {
    const desktop = await startedDesktop('ana')
    desktop.kill()
    desktop.store.mode = 'locked'
    await desktop.start()
    desktop.store.mode = 'ok'
    desktop.session.wake()
    await settle()
    expect(desktop.state.kind).toBe('active')
  })

  it.each(['locked', 'fails'] as const)(
    'with a keychain that %s, where no session was ever stored, is signed out',
    async (mode) => {
      const desktop = new Desktop()
      desktop.store.mode = mode
      await desktop.start()
      expect(desktop.state.kind).toBe('signedOut')
    },
  )
})

describe('stopping', () => {
  it('waits for the reply in flight, and writes it', async () => {
    const desktop = await startedDesktop('ana')
    answer(desktop, { refresh: undefined })
    void desktop.session.refresh()
    await settle()
    const stopped = vi.fn()
    void desktop.session.stop().then(stopped)
    await settle()
    expect(stopped).not.toHaveBeenCalled()
    desktop.service.pending[0]?.answer('reply')
    await settle()
    expect(stopped).toHaveBeenCalled()
    expect(desktop.entry?.refreshToken.reveal()).toBe(desktop.service.newestOf(family(desktop, 0), desktop.program))
    expect(desktop.time.pending()).toBe(0)
  })

  it('waits for a sign-in under way, and writes it', async () => {
    const desktop = await startedDesktop()
    answer(desktop, { login: undefined })
    await desktop.signIn('ana')
    const stopped = desktop.session.stop()
    desktop.service.pending[0]?.answer('reply')
    await stopped
    expect(storedFamily(desktop)).toBe(family(desktop, 0))
  })

  it('writes for a last time what the keychain would not take before', async () => {
    const desktop = await startedDesktop('ana')
    desktop.store.mode = 'fails'
    await desktop.session.refresh()
    desktop.store.mode = 'ok'
    await desktop.session.stop()
    expect(desktop.entry?.refreshToken.reveal()).toBe(desktop.service.newestOf(family(desktop, 0), desktop.program))
  })

  it('restores nothing that the keychain gives only then', async () => {
    const desktop = await startedDesktop('ana')
    desktop.kill()
    desktop.store.mode = 'hangs'
    await desktop.start()
    void desktop.session.stop()
    const before = desktop.service.log.length
    desktop.store.mode = 'ok'
    await settle()
    expect(desktop.service.log).toHaveLength(before)
    expect(desktop.program.timers()).toBe(0)
    await desktop.restart()
    expect(desktop.state.kind).toBe('active')
  })

  it('does not wait for ever', async () => {
    const desktop = await startedDesktop('ana')
    answer(desktop, { refresh: undefined, logout: undefined })
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

  it('leaves no timer and begins nothing more, in whatever state', async () => {
    const desktop = await startedDesktop('ana')
    answer(desktop, OFFLINE)
    await desktop.session.refresh()
    expect(desktop.session.isServing).toBe(true)
    await desktop.session.stop()
    expect(desktop.session.isServing).toBe(false)
    expect(desktop.time.pending()).toBe(0)
    const { length } = desktop.service.log
    desktop.session.wake()
    expect(await desktop.session.refresh()).toMatchObject({ ok: false })
    expect(desktop.service.log).toHaveLength(length)
  })

  it('signs no one out', async () => {
    const desktop = await startedDesktop('ana')
    await desktop.session.stop()
    desktop.kill()
    await desktop.start()
    expect(desktop.state.kind).toBe('active')
  })
})

import { describe, expect, it } from 'vitest'
import { settle } from '../../test/support/manual-time.ts'
import { APP } from '../../test/support/session/grant-contract.ts'
import { ModelDesktop, startedDesktop } from '../../test/support/session/model-desktop.ts'
import type { Answer } from '../../test/support/session/model-service.ts'
import { password } from '../base/secret.ts'
import { grantsByName } from './grants/grant.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const NEW = password('SECRET new password')

/** The logins at the service: the first began the session, and the second proved the current password. */
const PROVEN = ['login', 'login']
/** The operations at the service, without logouts, which come at varying times. */
const operations = ({ service }: ModelDesktop) =>
  service.log.map((line) => line.split(' ')[0]).filter((operation) => operation !== 'logout')
const kindsSince = (desktop: ModelDesktop, from: number) => new Set(desktop.states.slice(from).map(({ kind }) => kind))

/** A refresh and a password change are under way. The service has responded to neither. */
async function changedDuringRefresh(desktop: ModelDesktop) {
  desktop.answer({ refresh: undefined, changePassword: undefined })
  const from = desktop.states.length
  void desktop.session.refresh()
  await settle()
  const done = desktop.changePassword(NEW)
  await settle()
  const [refresh, change] = desktop.service.pending
  return { from, done, refresh, change }
}

describe('a password change', () => {
  it('is confirmed by a refresh', async () => {
    const desktop = await startedDesktop('ana')
    expect(await desktop.changePassword(NEW)).toEqual({ ok: true, value: undefined })
    expect(operations(desktop)).toEqual([...PROVEN, 'changePassword', 'refresh'])
    expect(desktop.service.passwords.get('ana')).toBe(NEW.reveal())
  })

  it('doesn’t interrupt the session if the service then revokes every token', async () => {
    const desktop = await startedDesktop('ana')
    desktop.service.options.revokesOnChange = true
    const from = desktop.states.length
    expect(await desktop.changePassword(NEW)).toMatchObject({ ok: true })
    expect(operations(desktop)).toEqual([...PROVEN, 'changePassword', 'refresh', 'login'])
    await desktop.pass(3 * HOUR)
    expect(kindsSince(desktop, from)).toEqual(new Set(['active']))
    await desktop.restart()
    expect(desktop.state.kind).toBe('active')
  })

  it('doesn’t end the session if the service then revokes every token and fails for a while', async () => {
    const desktop = await startedDesktop('ana')
    desktop.service.options.revokesOnChange = true
    const from = desktop.states.length
    desktop.answer({ refresh: 'unreachable' })
    expect(await desktop.changePassword(NEW)).toMatchObject({ ok: true })
    await desktop.pass(30 * SECOND)
    desktop.answer({ login: 'unreachable' })
    await desktop.pass(MINUTE)
    desktop.answer({})
    await desktop.pass(MINUTE)
    expect(desktop.state.kind).toBe('active')
    expect(kindsSince(desktop, from)).toEqual(new Set(['active', 'unreachable']))
  })

  it('doesn’t interrupt the session if the service revokes every token during a refresh', async () => {
    const desktop = await startedDesktop('ana')
    desktop.service.options.revokesOnChange = true
    const { from, done, refresh, change } = await changedDuringRefresh(desktop)
    // The service has changed the password and refuses the refresh before its response to the change arrives.
    for (const family of desktop.service.families) family.isDead = true
    desktop.service.passwords.set('ana', NEW.reveal())
    refresh?.answer('reply')
    await settle()
    expect(operations(desktop)).not.toContain('login login')
    change?.answer('reply')
    desktop.answer({})
    expect(await done).toMatchObject({ ok: true })
    expect(kindsSince(desktop, from)).toEqual(new Set(['active']))
  })

  it('is confirmed by a new refresh, not by a refresh that began before the change', async () => {
    const desktop = await startedDesktop('ana')
    const { from, done, refresh, change } = await changedDuringRefresh(desktop)
    change?.answer('reply')
    await settle()
    // These tokens are older than the change, which revokes them.
    refresh?.answer('reply')
    for (const family of desktop.service.families) family.isDead = true
    await settle()
    expect(operations(desktop)).toEqual(['login', 'refresh', 'login', 'changePassword', 'refresh'])
    desktop.service.pending[0]?.answer('reply')
    expect(await done).toMatchObject({ ok: true })
    expect(operations(desktop).at(-1)).toBe('login')
    expect(kindsSince(desktop, from)).toEqual(new Set(['active']))
  })

  it('is reported as failed if its reply is lost, without interrupting the session', async () => {
    const desktop = await startedDesktop('ana')
    desktop.service.options.revokesOnChange = true
    desktop.answer({ changePassword: 'loseReply' })
    const from = desktop.states.length
    expect(await desktop.changePassword(NEW)).toMatchObject({ ok: false, failure: { code: 'unreachable' } })
    await desktop.pass(3 * HOUR)
    expect(kindsSince(desktop, from)).toEqual(new Set(['active']))
  })

  it('isn’t repeated if the request never reached the service, and the session continues', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ changePassword: 'unreachable' })
    await desktop.changePassword(NEW)
    await desktop.pass(HOUR)
    expect(operations(desktop).filter((each) => each === 'login')).toEqual(PROVEN)
    expect(desktop.state.kind).toBe('active')
  })

  it('gets a fresh access token first if the old one has expired', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ refresh: 'unreachable' })
    await desktop.pass(2 * HOUR)
    desktop.answer({})
    const from = operations(desktop).length
    expect(await desktop.changePassword(NEW)).toMatchObject({ ok: true })
    expect(operations(desktop).slice(from)).toEqual(['login', 'refresh', 'changePassword', 'refresh'])
  })

  it('gets a fresh access token if the old one is refused, but only once', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ changePassword: 'refuse' })
    expect(await desktop.changePassword(NEW)).toMatchObject({ ok: false, failure: { code: 'passwordRefused' } })
    expect(desktop.state.kind).toBe('active')
    expect(operations(desktop)).toEqual([...PROVEN, 'changePassword', 'refresh', 'changePassword'])
  })

  it('isn’t possible with single sign-on, because the identity provider keeps the password', async () => {
    const desktop = await startedDesktop()
    await desktop.signIn('ana', 'passwordRealm')
    const sent = desktop.service.log.length
    expect(await desktop.changePassword(NEW)).toMatchObject({ ok: false, failure: { code: 'notConfigured' } })
    expect(desktop.service.log).toHaveLength(sent)
  })
})

describe('SECURITY: a login proves the current password before anything is changed', () => {
  const WRONG = password('SECRET guess')
  const guess = ({ session }: ModelDesktop) => session.changePassword({ currentPassword: WRONG, newPassword: NEW })
  /** The valid sessions at the service, except the one that the sign-in began. */
  const livingProofs = ({ service }: ModelDesktop) => service.families.slice(1).filter(({ isDead }) => !isDead)

  it('a wrong current password is rejected and changes nothing', async () => {
    const desktop = await startedDesktop('ana')
    const from = desktop.states.length
    expect(await guess(desktop)).toEqual({ ok: false, failure: { code: 'rejected' } })
    await desktop.pass(MINUTE)
    expect(operations(desktop)).toEqual(PROVEN)
    expect(desktop.service.passwords.get('ana')).not.toBe(NEW.reveal())
    expect(desktop.states.slice(from)).toEqual([])
  })

  it.each<Answer>(['unreachable', 'loseReply', { retryAfter: 5 }])(
    'a login that fails (%j) changes nothing, and its failure is reported',
    async (how) => {
      const desktop = await startedDesktop('ana')
      desktop.answer({ login: how })
      const code = typeof how === 'string' ? 'unreachable' : 'rateLimited'
      expect(await desktop.changePassword(NEW)).toMatchObject({ ok: false, failure: { code } })
      expect(operations(desktop)).toEqual(PROVEN)
      expect(desktop.state.kind).toBe('active')
    },
  )

  it('the login’s tokens are revoked, and the session continues', async () => {
    const desktop = await startedDesktop('ana')
    await desktop.changePassword(NEW)
    await settle()
    expect(desktop.service.families).toHaveLength(2)
    expect(livingProofs(desktop)).toEqual([])
    expect(desktop.service.families[0]?.isDead).toBe(false)
    expect(desktop.store.entries.size).toBe(1)
    expect(desktop.pending).toEqual([])
  })

  it('the login’s tokens are revoked even if the new password is refused', async () => {
    const desktop = await startedDesktop('ana')
    await desktop.changePassword(password('ab'))
    await settle()
    expect(livingProofs(desktop)).toEqual([])
    expect(desktop.state.kind).toBe('active')
  })

  it('the login’s tokens are revoked later if the app restarts or the service can’t be reached', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ logout: 'unreachable', changePassword: undefined })
    void desktop.changePassword(NEW)
    await settle()
    const proof = desktop.service.families[1]
    expect(desktop.pending.join()).toContain(`SECRET-refresh-${proof?.id}-`)
    await desktop.restart()
    await desktop.pass(10 * MINUTE)
    expect(proof?.isDead).toBe(false)
    desktop.answer({})
    await desktop.pass(10 * MINUTE)
    expect(proof?.isDead).toBe(true)
    expect(desktop.state.kind).toBe('active')
  })

  it('a login that returns the session’s own refresh token doesn’t end the session', async () => {
    const desktop = new ModelDesktop()
    desktop.service.options.isOneTime = false
    await desktop.start()
    await desktop.signIn('ana')
    expect(await desktop.changePassword(NEW)).toMatchObject({ ok: true })
    await desktop.pass(3 * HOUR)
    expect(desktop.service.log.join()).not.toContain('logout')
    expect(desktop.state.kind).toBe('active')
  })

  it('a login for another account proves nothing, and its tokens are revoked', async () => {
    const desktop = await startedDesktop('ana')
    desktop.service.options.subject = 'sub of ben'
    expect(await desktop.changePassword(NEW)).toMatchObject({
      ok: false,
      failure: { code: 'malformedResponse', details: { operation: 'login' } },
    })
    expect(operations(desktop)).not.toContain('changePassword')
    await settle()
    expect(livingProofs(desktop)).toEqual([])
    expect(desktop.state).toMatchObject({ kind: 'active', account: { username: 'ana' } })
  })

  it.each([
    ['sign-out', 0],
    ['sign-out and a sign-in as another user', 1],
  ])('after a %s during the login, nothing changes and the login’s tokens are revoked', async (_, living) => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ login: undefined })
    const change = desktop.changePassword(NEW)
    await settle()
    const [login] = desktop.service.pending
    desktop.answer({})
    await desktop.session.signOut()
    if (living === 1) await desktop.signIn('ben')
    login?.answer('reply')
    expect(await change).toMatchObject({ ok: false, failure: { code: 'sessionEnded' } })
    await settle()
    expect(operations(desktop)).not.toContain('changePassword')
    expect(desktop.service.families.filter(({ isDead }) => !isDead)).toHaveLength(living)
    expect(desktop.state.kind).toBe(living === 1 ? 'active' : 'signedOut')
  })

  it('while a password change is under way, a second one is refused without a request', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ login: undefined })
    const first = guess(desktop)
    for (let i = 0; i < 100; i++) {
      expect(await desktop.changePassword(NEW)).toEqual({ ok: false, failure: { code: 'rateLimited' } })
    }
    expect(operations(desktop)).toEqual(PROVEN)
    desktop.service.pending[0]?.answer('reply')
    expect(await first).toMatchObject({ failure: { code: 'rejected' } })
    desktop.answer({})
    expect(await desktop.changePassword(NEW)).toMatchObject({ ok: true })
  })

  it('no password change is sent before the service’s Retry-After has passed', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ login: { retryAfter: 120 } })
    await guess(desktop)
    desktop.answer({})
    await desktop.pass(90 * SECOND)
    expect(await guess(desktop)).toEqual({ ok: false, failure: { code: 'rateLimited', retryAfter: 30 } })
    expect(operations(desktop)).toEqual(PROVEN)
    await desktop.pass(30 * SECOND)
    expect(await desktop.changePassword(NEW)).toMatchObject({ ok: true })
  })
})

describe('a login that asks for one more step', () => {
  /** Once `isAsked` is set, each login asks for one more step. `cancelled` counts the cancelled challenges. */
  const challengesLogins = (desktop: ModelDesktop) => {
    const seen = { isAsked: false, cancelled: 0 }
    desktop.grants = (grants) =>
      grantsByName(
        [...grants.values()].map((grant) => ({
          ...grant,
          begin: async (input) => {
            if (!seen.isAsked) return grant.begin(input)
            const challenge = {
              description: { kind: 'code', authenticator: APP } as const,
              answer: async () => ({ kind: 'failure', failure: { code: 'rejected' } }) as const,
              cancel: () => void seen.cancelled++,
            }
            return { kind: 'challenge', challenge }
          },
        })),
      )
    return seen
  }

  it('doesn’t prove the current password, and its challenge is cancelled', async () => {
    const desktop = new ModelDesktop()
    const challenge = challengesLogins(desktop)
    await desktop.start()
    await desktop.signIn('ana')
    challenge.isAsked = true
    expect(await desktop.changePassword(NEW)).toEqual({ ok: false, failure: { code: 'interactionRequired' } })
    expect(challenge.cancelled).toBe(1)
    expect(operations(desktop)).toEqual(['login'])
  })

  it('doesn’t sign the user in again after the change, and its challenge is cancelled', async () => {
    const desktop = new ModelDesktop()
    const challenge = challengesLogins(desktop)
    await desktop.start()
    await desktop.signIn('ana')
    desktop.service.options.revokesOnChange = true
    desktop.answer({ changePassword: undefined })
    const done = desktop.changePassword(NEW)
    await settle()
    challenge.isAsked = true
    desktop.service.pending[0]?.answer('reply')
    expect(await done).toMatchObject({ ok: true })
    expect(challenge.cancelled).toBe(1)
    expect(desktop.state).toMatchObject({ kind: 'ending', failure: { code: 'sessionEnded' } })
  })
})

describe('the new password', () => {
  const loginsAfter = async (desktop: ModelDesktop, ms: number) => {
    await desktop.pass(ms)
    const from = operations(desktop).length
    desktop.answer({ refresh: 'refuse' })
    await desktop.session.refresh()
    return operations(desktop).slice(from)
  }

  it('is forgotten once the session is confirmed', async () => {
    const desktop = await startedDesktop('ana')
    await desktop.changePassword(NEW)
    expect(await loginsAfter(desktop, 0)).toEqual(['refresh'])
  })

  it('is forgotten after 5 min without a successful refresh', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ refresh: 'unreachable' })
    await desktop.changePassword(NEW)
    expect(await loginsAfter(desktop, 5 * MINUTE)).toEqual(['refresh'])
  })

  it('is kept for up to 5 min while the service can’t be reached', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ refresh: 'unreachable' })
    await desktop.changePassword(NEW)
    expect(await loginsAfter(desktop, 4 * MINUTE)).toEqual(['refresh', 'login'])
  })

  it('is forgotten when the program stops', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ refresh: 'unreachable' })
    await desktop.changePassword(NEW)
    await desktop.session.stop()
    expect(desktop.program.timers()).toBe(0)
  })

  it.each(['before', 'after'])('is forgotten if the user signs out %s the service’s response', async (when) => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ changePassword: when === 'before' ? undefined : 'reply', refresh: 'unreachable' })
    void desktop.changePassword(NEW)
    await settle()
    await desktop.session.signOut()
    if (when === 'before') await desktop.reply()
    expect(desktop.program.timers()).toBe(0)
  })

  it('is tried once, and the session ends if the service rejects it', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ changePassword: 'loseReply', refresh: 'unreachable' })
    await desktop.changePassword(NEW)
    desktop.service.passwords.set('ana', 'changed once more elsewhere')
    expect(await loginsAfter(desktop, 0)).toEqual(['refresh', 'login'])
    expect(desktop.state.kind).toBe('ending')
  })

  it('is never used for another user who signs in meanwhile', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ changePassword: undefined })
    void desktop.changePassword(NEW)
    await desktop.session.signOut()
    await desktop.signIn('ben')
    await desktop.reply()
    expect(await loginsAfter(desktop, 0)).toEqual(['refresh'])
    expect(desktop.state).toMatchObject({ kind: 'ending', account: { username: 'ben' } })
  })
})

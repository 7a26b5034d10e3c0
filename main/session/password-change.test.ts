import { describe, expect, it } from 'vitest'
import { settle } from '../../test/support/manual-time.ts'
import { APP } from '../../test/support/session/grant-contract.ts'
import { HOUR, MINUTE, ModelDesktop, SECOND, startedDesktop } from '../../test/support/session/model-desktop.ts'
import { password } from '../base/secret.ts'
import { grantsByName } from './grants/grant.ts'

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
  it('doesn’t interrupt the session, and is confirmed by a refresh, even if the service then revokes every token', async () => {
    const desktop = await startedDesktop('ana')
    desktop.service.options.revokesOnChange = true
    const from = desktop.states.length
    expect(await desktop.changePassword(NEW)).toEqual({ ok: true, value: undefined })
    expect(operations(desktop)).toEqual([...PROVEN, 'changePassword', 'refresh', 'login'])
    await desktop.pass(3 * HOUR)
    expect(kindsSince(desktop, from)).toEqual(new Set(['active']))
    await desktop.restart()
    expect(desktop.state.kind).toBe('active')
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
    expect(kindsSince(desktop, from)).toEqual(new Set(['active']))
  })

  it('gets a fresh access token if the old one has expired, or once if the service refuses it', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ refresh: 'unreachable' })
    await desktop.pass(2 * HOUR)
    desktop.answer({})
    const from = operations(desktop).length
    expect(await desktop.changePassword(NEW)).toMatchObject({ ok: true })
    expect(operations(desktop).slice(from)).toEqual(['login', 'refresh', 'changePassword', 'refresh'])
    desktop.answer({ changePassword: 'refuse' })
    expect(await desktop.changePassword(NEW)).toMatchObject({ ok: false, failure: { code: 'passwordRefused' } })
    expect(operations(desktop).slice(from + 4)).toEqual(['login', 'changePassword', 'refresh', 'changePassword'])
    expect(desktop.state.kind).toBe('active')
  })
})

describe('SECURITY: a login proves the current password before anything is changed', () => {
  const guess = ({ session }: ModelDesktop) =>
    session.changePassword({ currentPassword: password('SECRET guess'), newPassword: NEW })
  /** The valid sessions at the service, except the one that the sign-in began. */
  const livingProofs = ({ service }: ModelDesktop) => service.families.slice(1).filter(({ isDead }) => !isDead)

  it('a wrong current password is rejected and changes nothing', async () => {
    const desktop = await startedDesktop('ana')
    const from = desktop.states.length
    expect(await guess(desktop)).toEqual({ ok: false, failure: { code: 'rejected' } })
    await desktop.pass(MINUTE)
    expect(operations(desktop)).toEqual(PROVEN)
    expect(desktop.states.slice(from)).toEqual([])
  })

  it.each([NEW, password('ab')])(
    'the login’s tokens are revoked, even if the new password is refused',
    async (typed) => {
      const desktop = await startedDesktop('ana')
      await desktop.changePassword(typed)
      await settle()
      expect(desktop.service.families).toHaveLength(2)
      expect(livingProofs(desktop)).toEqual([])
      expect([desktop.state.kind, desktop.service.families[0]?.isDead, desktop.pending]).toEqual(['active', false, []])
    },
  )

  it('a login for another account proves nothing, and its tokens are revoked', async () => {
    const desktop = await startedDesktop('ana')
    desktop.service.options.subject = 'sub of ben'
    const failure = { code: 'malformedResponse', details: { operation: 'login' } }
    expect(await desktop.changePassword(NEW)).toMatchObject({ ok: false, failure })
    await settle()
    expect(operations(desktop)).not.toContain('changePassword')
    expect(livingProofs(desktop)).toEqual([])
    expect(desktop.state).toMatchObject({ kind: 'active', account: { username: 'ana' } })
  })

  it('after a sign-out during the login, nothing changes for the next user, and the login’s tokens are revoked', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ login: undefined })
    const change = desktop.changePassword(NEW)
    await settle()
    const [login] = desktop.service.pending
    desktop.answer({})
    await desktop.session.signOut()
    await desktop.signIn('ben')
    login?.answer('reply')
    expect(await change).toMatchObject({ ok: false, failure: { code: 'sessionEnded' } })
    await settle()
    expect(operations(desktop)).not.toContain('changePassword')
    expect(desktop.service.families.filter(({ isDead }) => !isDead)).toMatchObject([{ username: 'ben' }])
  })

  it('while a password change is under way, a second one is refused without a request', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ login: undefined })
    const first = guess(desktop)
    expect(await desktop.changePassword(NEW)).toEqual({ ok: false, failure: { code: 'rateLimited' } })
    expect(operations(desktop)).toEqual(PROVEN)
    desktop.service.pending[0]?.answer('reply')
    expect(await first).toMatchObject({ failure: { code: 'rejected' } })
    desktop.answer({})
    expect(await desktop.changePassword(NEW)).toMatchObject({ ok: true })
  })

  it('no password change is sent before the service’s Retry-After has passed', async () => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ login: { retryAfter: 120 } })
    expect(await guess(desktop)).toMatchObject({ failure: { code: 'rateLimited' } })
    desktop.answer({})
    await desktop.pass(90 * SECOND)
    expect(await guess(desktop)).toEqual({ ok: false, failure: { code: 'rateLimited', retryAfter: 30 } })
    expect(operations(desktop)).toEqual(PROVEN)
    await desktop.pass(30 * SECOND)
    expect(await desktop.changePassword(NEW)).toMatchObject({ ok: true })
  })
})

it('a login that asks for one more step proves nothing, and is cancelled', async () => {
  const desktop = new ModelDesktop()
  let isAsked = false
  let cancelled = 0
  const challenge = {
    description: { kind: 'code', authenticator: APP } as const,
    answer: async () => ({ kind: 'failure', failure: { code: 'rejected' } }) as const,
    cancel: () => void cancelled++,
  }
  desktop.grants = (grants) =>
    grantsByName(
      [...grants.values()].map((grant) => ({
        ...grant,
        begin: async (input) => (isAsked ? { kind: 'challenge', challenge } : grant.begin(input)),
      })),
    )
  await desktop.start()
  await desktop.signIn('ana')
  isAsked = true
  expect(await desktop.changePassword(NEW)).toEqual({ ok: false, failure: { code: 'interactionRequired' } })
  expect([cancelled, operations(desktop)]).toEqual([1, ['login']])
})

describe('the new password', () => {
  const loginsAfter = async (desktop: ModelDesktop, ms: number) => {
    await desktop.pass(ms)
    const from = operations(desktop).length
    desktop.answer({ refresh: 'refuse' })
    await desktop.session.refresh()
    return operations(desktop).slice(from)
  }

  it('is forgotten once the session is confirmed, or after 5 min without a successful refresh', async () => {
    const desktop = await startedDesktop('ana')
    await desktop.changePassword(NEW)
    expect(await loginsAfter(desktop, 0)).toEqual(['refresh'])
    for (const [minutes, sent] of [
      [4, ['refresh', 'login']],
      [5, ['refresh']],
    ] as const) {
      const away = await startedDesktop('ana')
      away.answer({ refresh: 'unreachable' })
      await away.changePassword(NEW)
      expect(await loginsAfter(away, minutes * MINUTE)).toEqual(sent)
    }
  })

  it.each(['stops the app', 'signs out', 'signs out before the response'])(
    'is forgotten if the user %s',
    async (how) => {
      const desktop = await startedDesktop('ana')
      const isEarly = how === 'signs out before the response'
      desktop.answer({ changePassword: isEarly ? undefined : 'reply', refresh: 'unreachable' })
      void desktop.changePassword(NEW)
      await settle()
      await (how === 'stops the app' ? desktop.session.stop() : desktop.session.signOut())
      if (isEarly) await desktop.reply()
      expect(desktop.program.timers()).toBe(0)
    },
  )

  it.each([
    ['loseReply', ['refresh', 'login']],
    ['unreachable', ['refresh']],
  ] as const)('is tried once, and only if the request reached the service: %s', async (changePassword, sent) => {
    const desktop = await startedDesktop('ana')
    desktop.answer({ changePassword, refresh: 'unreachable' })
    await desktop.changePassword(NEW)
    desktop.service.passwords.set('ana', 'changed once more elsewhere')
    expect(await loginsAfter(desktop, 0)).toEqual(sent)
    expect(desktop.state.kind).toBe('ending')
    expect(await loginsAfter(desktop, 0)).toEqual(['refresh'])
  })
})

import { describe, expect, it } from 'vitest'
import { password } from './secret.ts'
import type { Desktop } from './testing/desktop.ts'
import { startedDesktop } from './testing/desktop.ts'
import { settle } from './testing/hand-time.ts'
import type { Answer, Operation } from './testing/model-service.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const NEW = password('SECRET new password')

const answer = (desktop: Desktop, answers: Partial<Record<Operation, Answer | undefined>>) => {
  desktop.service.answering = ({ operation }) => (operation in answers ? answers[operation] : 'reply')
}
const operations = ({ service }: Desktop) => service.log.map((line) => line.split(' ')[0])
const kindsSince = (desktop: Desktop, from: number) => new Set(desktop.states.slice(from).map(({ kind }) => kind))

describe('a password change', () => {
  it('is proven by a refresh', async () => {
    const desktop = await startedDesktop('ana')
    expect(await desktop.session.changePassword(NEW)).toEqual({ ok: true, value: undefined })
    expect(operations(desktop)).toEqual(['login', 'changePassword', 'refresh'])
    expect(desktop.service.passwords.get('ana')).toBe(NEW.reveal())
  })

  it('that revokes every token is survived without leaving active', async () => {
    const desktop = await startedDesktop('ana')
    desktop.service.options.revokesOnChange = true
    const from = desktop.states.length
    expect(await desktop.session.changePassword(NEW)).toMatchObject({ ok: true })
    expect(operations(desktop)).toEqual(['login', 'changePassword', 'refresh', 'login'])
    await desktop.pass(3 * HOUR)
    expect(kindsSince(desktop, from)).toEqual(new Set(['active']))
    await desktop.restart()
    expect(desktop.state.kind).toBe('active')
  })

  it('that revokes every token is survived through transient failures of the proof', async () => {
    const desktop = await startedDesktop('ana')
    desktop.service.options.revokesOnChange = true
    const from = desktop.states.length
    answer(desktop, { refresh: 'unreachable' })
    expect(await desktop.session.changePassword(NEW)).toMatchObject({ ok: true })
    await desktop.pass(30 * SECOND)
    answer(desktop, { login: 'unreachable' })
    await desktop.pass(MINUTE)
    answer(desktop, {})
    await desktop.pass(MINUTE)
    expect(desktop.state.kind).toBe('active')
    expect(kindsSince(desktop, from)).toEqual(new Set(['active', 'unreachable']))
  })

  it('that revokes every token is survived by a refresh that was under way', async () => {
    const desktop = await startedDesktop('ana')
    desktop.service.options.revokesOnChange = true
    answer(desktop, { refresh: undefined, changePassword: undefined })
    const from = desktop.states.length
    void desktop.session.renew()
    await settle()
    const done = desktop.session.changePassword(NEW)
    await settle()
    // The service changes the password first, refuses the refresh, and only then is its first answer seen.
    desktop.service.options.revokesOnChange = true
    const [refresh, change] = desktop.service.pending
    for (const family of desktop.service.families) family.isDead = true
    desktop.service.passwords.set('ana', NEW.reveal())
    refresh?.answer('reply')
    await settle()
    expect(operations(desktop)).not.toContain('login login')
    change?.answer('reply')
    answer(desktop, {})
    expect(await done).toMatchObject({ ok: true })
    expect(kindsSince(desktop, from)).toEqual(new Set(['active']))
  })

  it('whose reply is lost is survived just so, and told as what it is', async () => {
    const desktop = await startedDesktop('ana')
    desktop.service.options.revokesOnChange = true
    answer(desktop, { changePassword: 'loseReply' })
    const from = desktop.states.length
    expect(await desktop.session.changePassword(NEW)).toMatchObject({ ok: false, failure: { code: 'unreachable' } })
    await desktop.pass(3 * HOUR)
    expect(kindsSince(desktop, from)).toEqual(new Set(['active']))
  })

  it('that never arrived ends nothing: the new password is tried nowhere', async () => {
    const desktop = await startedDesktop('ana')
    answer(desktop, { changePassword: 'unreachable' })
    await desktop.session.changePassword(NEW)
    await desktop.pass(HOUR)
    expect(operations(desktop).filter((each) => each === 'login')).toHaveLength(1)
    expect(desktop.state.kind).toBe('active')
  })

  it("that is refused says so in the service's own words, and changes nothing", async () => {
    const desktop = await startedDesktop('ana')
    expect(await desktop.session.changePassword(password('ab'))).toEqual({
      ok: false,
      failure: { code: 'passwordRefused', serverText: 'Too short.' },
    })
    expect(operations(desktop)).toEqual(['login', 'changePassword'])
    expect(desktop.state.kind).toBe('active')
  })

  it('gets a fresh access token first where the old one has run out', async () => {
    const desktop = await startedDesktop('ana')
    answer(desktop, { refresh: 'unreachable' })
    await desktop.pass(2 * HOUR)
    answer(desktop, {})
    const from = operations(desktop).length
    expect(await desktop.session.changePassword(NEW)).toMatchObject({ ok: true })
    expect(operations(desktop).slice(from)).toEqual(['refresh', 'changePassword', 'refresh'])
  })

  it('gets a fresh access token where the old one is refused, once', async () => {
    const desktop = await startedDesktop('ana')
    answer(desktop, { changePassword: 'refuse' })
    expect(await desktop.session.changePassword(NEW)).toMatchObject({ ok: false, failure: { code: 'passwordRefused' } })
    expect(desktop.state.kind).toBe('active')
    expect(operations(desktop)).toEqual(['login', 'changePassword', 'refresh', 'changePassword'])
  })

  it('tells why no access token could be got', async () => {
    const desktop = await startedDesktop('ana')
    answer(desktop, { refresh: 'unreachable' })
    await desktop.pass(2 * HOUR)
    expect(await desktop.session.changePassword(NEW)).toMatchObject({ ok: false, failure: { code: 'unreachable' } })
    expect(operations(desktop)).not.toContain('changePassword')
  })

  it('is not sent after a sign-out', async () => {
    const desktop = await startedDesktop('ana')
    await desktop.session.signOut()
    expect(await desktop.session.changePassword(NEW)).toMatchObject({ ok: false })
    expect(operations(desktop)).not.toContain('changePassword')
  })

  it('is not for a single sign-on session: the password belongs to the identity provider', async () => {
    const desktop = await startedDesktop()
    await desktop.signIn('ana', 'sso')
    expect(await desktop.session.changePassword(NEW)).toMatchObject({ ok: false, failure: { code: 'notConfigured' } })
  })
})

describe('the new password', () => {
  const loginsAfter = async (desktop: Desktop, ms: number) => {
    await desktop.pass(ms)
    const from = operations(desktop).length
    answer(desktop, { refresh: 'refuse' })
    await desktop.renew()
    return operations(desktop).slice(from)
  }

  it('is let go once the session is proven', async () => {
    const desktop = await startedDesktop('ana')
    await desktop.session.changePassword(NEW)
    expect(await loginsAfter(desktop, 0)).toEqual(['refresh'])
  })

  it('is let go after 5 min, whatever the service does', async () => {
    const desktop = await startedDesktop('ana')
    answer(desktop, { refresh: 'unreachable' })
    await desktop.session.changePassword(NEW)
    expect(await loginsAfter(desktop, 5 * MINUTE)).toEqual(['refresh'])
  })

  it('is in hand until then', async () => {
    const desktop = await startedDesktop('ana')
    answer(desktop, { refresh: 'unreachable' })
    await desktop.session.changePassword(NEW)
    expect(await loginsAfter(desktop, 4 * MINUTE)).toEqual(['refresh', 'login'])
  })

  it('that was never sent is tried nowhere', async () => {
    const desktop = await startedDesktop('ana')
    answer(desktop, { changePassword: 'unreachable' })
    await desktop.session.changePassword(NEW)
    expect(await loginsAfter(desktop, 0)).toEqual(['refresh'])
  })

  it('that is rejected leaves the refusal as it is', async () => {
    const desktop = await startedDesktop('ana')
    answer(desktop, { changePassword: 'loseReply', refresh: 'unreachable' })
    await desktop.session.changePassword(NEW)
    desktop.service.passwords.set('ana', 'changed once more elsewhere')
    expect(await loginsAfter(desktop, 0)).toEqual(['refresh', 'login'])
    expect(desktop.state.kind).toBe('ending')
  })

  it('is nobody else’s: not even of who signs in while its change is under way', async () => {
    const desktop = await startedDesktop('ana')
    answer(desktop, { changePassword: undefined })
    void desktop.session.changePassword(NEW)
    await desktop.session.signOut()
    await desktop.signIn('ben')
    desktop.service.pending[0]?.answer('reply')
    await settle()
    expect(await loginsAfter(desktop, 0)).toEqual(['refresh'])
    expect(desktop.state).toMatchObject({ kind: 'ending', account: { username: 'ben' } })
  })
})

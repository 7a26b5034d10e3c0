/** SECURITY: a refresh token goes only to its issuer, whatever the settings say. */
import { describe, expect, it } from 'vitest'
import { settle } from '../../test/support/manual-time.ts'
import { ENTRY, type ModelDesktop, NAME, PROVIDER, startedDesktop } from '../../test/support/session/model-desktop.ts'
import { refreshToken } from '../base/secret.ts'
import { storedSession, writeEntry } from './entry.ts'

const ELSEWHERE = 'https://elsewhere.example'
const FOREIGN = {
  kind: 'signedOut',
  failure: { code: 'sessionEnded', details: { cause: 'session of another issuer' } },
}

async function signedInBySso(): Promise<ModelDesktop> {
  const desktop = await startedDesktop()
  await desktop.signIn('ana', 'passwordRealm')
  expect(desktop.entry?.issuer).toBe(PROVIDER)
  return desktop
}

/** Restarts with another provider address. Resolves to the requests that the provider then receives. */
async function movedTo(desktop: ModelDesktop, provider: string | undefined): Promise<readonly string[]> {
  const before = desktop.sso.log.length
  desktop.provider = provider
  await desktop.restart()
  return desktop.sso.log.slice(before)
}

describe('a session whose issuer is no longer in the settings', () => {
  it('isn’t refreshed, so the user must sign in again, and the entry stays until then', async () => {
    const desktop = await signedInBySso()
    const { entry } = desktop
    expect(await movedTo(desktop, ELSEWHERE)).toEqual([])
    expect(desktop.state).toMatchObject(FOREIGN)
    expect(await desktop.session.refresh()).toMatchObject({ ok: false })
    expect({ ...desktop.entry, signIn: 0 }).toEqual({ ...entry, signIn: 0 })
    expect(desktop.mark).toBe('stored')

    const before = desktop.sso.log.length
    await desktop.signIn('ana', 'passwordRealm')
    expect(desktop.sso.log.slice(before)).toEqual(['login ana'])
    expect(desktop.entry?.issuer).toBe(ELSEWHERE)
  })

  it('continues once the settings name its issuer again', async () => {
    const desktop = await signedInBySso()
    await movedTo(desktop, ELSEWHERE)
    expect(await movedTo(desktop, undefined)).toHaveLength(1)
    expect(desktop.state.kind).toBe('active')
  })

  it('is removed by signing out, and its token is sent nowhere', async () => {
    const desktop = await signedInBySso()
    await movedTo(desktop, ELSEWHERE)
    const before = [...desktop.sso.log, ...desktop.service.log]
    await desktop.session.signOut()
    await settle()
    expect(desktop.entry).toBeUndefined()
    expect(desktop.mark).toBeUndefined()
    expect(desktop.state).toMatchObject({ kind: 'signedOut', revocation: 'notPossible' })
    expect([...desktop.sso.log, ...desktop.service.log]).toEqual(before)
  })

  it('doesn’t stop the revocation of an earlier token in the same entry', async () => {
    const desktop = await signedInBySso()
    const [session, token] = [desktop.entry, desktop.service.issue('ana')]
    const earlier = { grant: 'password', issuer: NAME, refreshToken: refreshToken(token) }
    desktop.store.entries.set(ENTRY, writeEntry({ ...(session && { session }), revocations: [earlier] }).reveal())
    await movedTo(desktop, ELSEWHERE)
    expect(desktop.states.map((state) => 'revocation' in state && state.revocation)).toEqual([false, 'pending', 'done'])
    expect(desktop.state).toMatchObject(FOREIGN)
    expect(desktop.pending).toEqual([])
  })

  it('isn’t used, even if its grant is the password grant', async () => {
    const desktop = await startedDesktop('ana')
    const token = desktop.service.issue('ana')
    const moved = storedSession({ grant: 'password', username: 'ana', issuer: ELSEWHERE, refreshToken: token })
    desktop.store.entries.set(ENTRY, writeEntry({ session: moved, revocations: [] }).reveal())
    await desktop.restart()
    expect(desktop.state).toMatchObject(FOREIGN)
    await desktop.session.signOut()
    await desktop.pass(60_000)
    expect(desktop.service.log.filter((line) => line.endsWith(token))).toEqual([])
  })
})

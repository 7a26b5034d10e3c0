/**
 * The keychain may become available only after a sign-in. It may then contain an entry of an earlier run, so the entry
 * is read before it is changed.
 */
import { describe, expect, it } from 'vitest'
import { settle } from '../../test/support/manual-time.ts'
import { ModelDesktop } from '../../test/support/session/model-desktop.ts'
import { FallbackStore } from '../keychain/fallback-store.ts'
import type { SecretStore } from './ports.ts'

const HOUR = 60 * 60_000

/**
 * Signs in ben while there is no keychain. `isFound` makes the keychain available. `comes` makes it available and
 * waits until the app has used it.
 */
async function signedInWithout(desktop: ModelDesktop): Promise<{ comes(): Promise<void>; isFound(): Promise<void> }> {
  let isThere = false
  let late: SecretStore | undefined
  desktop.keychain = (store) => {
    late = new FallbackStore(
      async () => (isThere ? store : undefined),
      (name) => name === desktop.entryName,
    )
    return late
  }
  await desktop.start()
  await desktop.signIn('ben')
  expect(desktop.state).toMatchObject({ kind: 'active', kept: 'memory' })
  return {
    isFound: async () => {
      isThere = true
      await late?.read('an entry of something else')
    },
    comes: async () => {
      isThere = true
      await desktop.session.refresh()
      await desktop.pass(HOUR)
      await settle()
    },
  }
}

async function anaLeft(): Promise<{ desktop: ModelDesktop; token: string }> {
  const desktop = new ModelDesktop()
  await desktop.start()
  await desktop.signIn('ana')
  const token = desktop.entry?.refreshToken.reveal() ?? ''
  desktop.kill()
  return { desktop, token }
}

describe('a keychain that becomes available after the sign-in', () => {
  it('gets the session, and the earlier run’s session is revoked', async () => {
    const { desktop, token } = await anaLeft()
    const keychain = await signedInWithout(desktop)
    expect(desktop.service.isValid(token)).toBe(true)
    await keychain.comes()
    expect(desktop.service.isValid(token)).toBe(false)
    expect(desktop.entry?.username).toBe('ben')
    expect(desktop.mark).toBe('stored')
    expect(desktop.state).toMatchObject({ kind: 'active', kept: 'keychain' })
  })

  it('gets the session when the computer wakes', async () => {
    const desktop = new ModelDesktop()
    const keychain = await signedInWithout(desktop)
    await keychain.isFound()
    expect(desktop.entry).toBeUndefined()
    desktop.session.wake()
    await settle()
    expect(desktop.entry?.username).toBe('ben')
    expect(desktop.state).toMatchObject({ kind: 'active', kept: 'keychain' })
  })

  it('keeps pending revocations in its entry until the service has responded', async () => {
    const { desktop } = await anaLeft()
    desktop.service.answering = ({ operation }) => (operation === 'logout' ? 'unreachable' : 'reply')
    await desktop.start()
    await desktop.session.signOut()
    await settle()
    expect(desktop.pending).toEqual([expect.any(String)])
    desktop.kill()
    const pending = desktop.pending[0] ?? ''
    const keychain = await signedInWithout(desktop)
    await keychain.comes()
    // The revocation needed an access token. The refresh that got one may have replaced the refresh token.
    expect(desktop.pending).toHaveLength(1)
    const tokens = [pending, ...desktop.pending]
    desktop.service.answering = () => 'reply'
    await desktop.pass(HOUR)
    expect(tokens.map((each) => desktop.service.isValid(each))).toEqual([false, false])
    expect(desktop.pending).toEqual([])
    expect(desktop.entry?.username).toBe('ben')
  })

  it('keeps an entry that a newer version wrote', async () => {
    const desktop = new ModelDesktop()
    const newer = JSON.stringify({ version: 3 })
    desktop.store.entries.set(desktop.entryName, newer)
    const keychain = await signedInWithout(desktop)
    await keychain.comes()
    expect(desktop.store.entries.get(desktop.entryName)).toBe(newer)
    expect(desktop.state).toMatchObject({ kind: 'active', kept: 'memory' })
  })

  it('causes the earlier run’s session to be revoked at the next start, even if the user has signed out', async () => {
    const { desktop, token } = await anaLeft()
    const keychain = await signedInWithout(desktop)
    await desktop.session.signOut()
    await keychain.comes()
    await desktop.restart()
    await desktop.session.refresh()
    await desktop.pass(HOUR)
    expect(desktop.state.kind).toBe('signedOut')
    expect(desktop.service.isValid(token)).toBe(false)
  })
})

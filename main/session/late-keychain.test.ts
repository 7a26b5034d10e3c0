/**
 * The keychain may become available only after a sign-in. It may then contain an entry of an earlier run, so the entry
 * is read before it is changed.
 */
import { expect, it } from 'vitest'
import { settle } from '../../test/support/manual-time.ts'
import { type ModelDesktop, startedDesktop } from '../../test/support/session/model-desktop.ts'
import { FallbackStore } from '../keychain/fallback-store.ts'

const HOUR = 60 * 60_000

/** Starts again without a keychain, and signs in ben. `comes` makes the keychain available to the app. */
async function signedInWithout(desktop: ModelDesktop): Promise<{ comes(): Promise<void> }> {
  let isThere = false
  let late: FallbackStore | undefined
  desktop.kill()
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
    async comes() {
      isThere = true
      await late?.read('an entry of something else')
    },
  }
}

it('a keychain that comes after the sign-in gets the session on wake, and the earlier run’s session is revoked', async () => {
  const desktop = await startedDesktop('ana')
  const token = desktop.entry?.refreshToken.reveal() ?? ''
  const keychain = await signedInWithout(desktop)
  expect(desktop.service.isValid(token)).toBe(true)
  await keychain.comes()
  desktop.session.wake()
  await settle()
  expect(desktop.service.isValid(token)).toBe(false)
  expect([desktop.entry?.username, desktop.mark]).toEqual(['ben', 'stored'])
  expect(desktop.state).toMatchObject({ kind: 'active', kept: 'keychain' })
})

it('a keychain that comes late keeps pending revocations in its entry until the service has responded', async () => {
  const desktop = await startedDesktop('ana')
  desktop.answer({ logout: 'unreachable' })
  await desktop.session.signOut()
  await settle()
  const [pending = ''] = desktop.pending
  const keychain = await signedInWithout(desktop)
  await keychain.comes()
  await desktop.session.refresh()
  await desktop.pass(HOUR)
  // The revocation needed an access token. The refresh that got one may have replaced the refresh token.
  expect(desktop.pending).toHaveLength(1)
  const tokens = [pending, ...desktop.pending]
  desktop.answer({})
  await desktop.pass(HOUR)
  expect(tokens.map((each) => desktop.service.isValid(each))).toEqual([false, false])
  expect(desktop.pending).toEqual([])
  expect(desktop.entry?.username).toBe('ben')
})

it('if the user signs out before the keychain comes, the earlier run’s session is revoked at the next start', async () => {
  const desktop = await startedDesktop('ana')
  const token = desktop.entry?.refreshToken.reveal() ?? ''
  const keychain = await signedInWithout(desktop)
  await desktop.session.signOut()
  await keychain.comes()
  await desktop.session.refresh()
  await desktop.pass(HOUR)
  await desktop.restart()
  await desktop.pass(HOUR)
  expect(desktop.state.kind).toBe('signedOut')
  expect(desktop.service.isValid(token)).toBe(false)
})

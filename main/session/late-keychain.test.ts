/** An entry of an earlier run, in a keychain that comes after a sign-in, is read before it is changed. */
import { expect, it } from 'vitest'
import { settle } from '../../test/support/manual-time.ts'
import { HOUR, type ModelDesktop, restartedDesktop, startedDesktop } from '../../test/support/session/model-desktop.ts'
import { FallbackStore } from '../keychain/fallback-store.ts'

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
  return {
    async comes() {
      isThere = true
      await late?.read('an entry of something else')
    },
  }
}

it('a keychain that comes after the sign-in gets the session on wake, and the earlier run’s session is revoked', async () => {
  const desktop = await startedDesktop('ana')
  const keychain = await signedInWithout(desktop)
  expect(desktop.summary).toBe('active (memory), ana and ben, ana')
  await keychain.comes()
  desktop.session.wake()
  await settle()
  expect([desktop.summary, desktop.mark]).toEqual(['active (keychain), ben, ben', 'stored'])
})

it('if the user signs out before the keychain comes, the earlier run’s session is revoked at the next start', async () => {
  const desktop = await startedDesktop('ana')
  const keychain = await signedInWithout(desktop)
  await desktop.session.signOut()
  await keychain.comes()
  await desktop.session.refresh()
  await desktop.pass(HOUR)
  await desktop.restart()
  await desktop.pass(HOUR)
  expect(desktop.summary).toMatch(/^signedOut .*, nobody, nothing$/)
})

it('a keychain that comes after the sign-in keeps its pending revocations until the service has responded', async () => {
  const desktop = await startedDesktop('ana')
  desktop.answer({ logout: 'unreachable' })
  await desktop.session.signOut()
  const keychain = await signedInWithout(desktop)
  await keychain.comes()
  desktop.session.wake()
  await settle()
  expect([desktop.summary, desktop.pending.length]).toEqual(['active (keychain), ana and ben, ben', 1])
  desktop.answer({})
  await desktop.pass(HOUR)
  expect([desktop.summary, desktop.pending]).toEqual(['active (keychain), ben, ben', []])
})

it('a sign-in that is cancelled while the keychain is locked doesn’t revoke a token that the stored session has, too', async () => {
  const desktop = await startedDesktop()
  desktop.service.options.isOneTime = false
  await desktop.signIn('ana')
  desktop.store.mode = 'locked'
  await desktop.restart()
  desktop.answer({ login: undefined })
  await desktop.signIn('ana')
  desktop.session.signIn.cancel()
  await desktop.reply()
  desktop.store.mode = 'ok'
  await desktop.pass(HOUR)
  expect(desktop.summary).toBe('active (keychain), ana, ana')
})

it('a stored session is restored even during a sign-in', async () => {
  const desktop = await restartedDesktop('locked')
  desktop.answer({ login: undefined })
  await desktop.signIn('ben')
  desktop.store.mode = 'ok'
  await desktop.pass(20_000)
  expect([desktop.state.kind, desktop.session.hasValidToken]).toEqual(['signingIn', true])
  desktop.session.signIn.cancel()
  expect(desktop.state.kind).toBe('active')
})

/** Unit tests kill the session engine at every step. This shows that real keychain and settings keep what it needs. */
import { expect, it } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { runInto, withCrashPoints } from '../support/crash.ts'
import { storedToken } from '../support/entry.ts'
import { openTestDesktop } from '../support/test-desktop.ts'

it('after a crash, the next start offers the sign-in again, keeps the refreshed session, or completes the sign-out', async () => {
  const desk = await openTestDesktop({ alter: withCrashPoints })
  const { service } = desk
  const isStoredValid = async () => service.isRefreshTokenValid((await storedToken(desk)) ?? '')

  // The settings already say that the keychain has an entry, but the app crashes before it writes the entry.
  await runInto(desk, 'mark-stored:after:1', (window) => window.signIn(ANA))
  await expect(storedToken(desk)).resolves.toBeUndefined()

  // The next start finds no entry, so the window shows that the session is missing.
  await runInto(desk, 'refresh:after:1', async (window) => {
    await window.button('Sign in').click()
    await window.signIn(ANA)
    await window.choose('Renew now')
  })
  const stored = await storedToken(desk)
  expect(stored).toBeDefined()

  // The crash loses the service's response, so the next start may send the stored token again, but no other token.
  let replays = 0
  const isSignedIn = async () => {
    expect(await isStoredValid()).toBe(true)
    expect(desk.count('login')).toBe(2)
  }
  await runInto(desk, 'write:after:2', async (window) => {
    await window.signedIn.waitFor()
    replays = service.replayCount()
    await window.choose('Renew now')
  })
  expect(replays).toBe(service.replayCount(stored))
  await isSignedIn()

  // The new token was written before the crash, so the next start doesn't send the old one again.
  let token: string | undefined
  await runInto(desk, 'mark-signedOut:after:1', async (window) => {
    await window.signedIn.waitFor()
    token = await storedToken(desk)
    await window.choose('Sign out')
  })
  expect(service.replayCount()).toBe(replays)
  await isSignedIn()

  const app = await desk.start()
  await (await app.open()).username.waitFor()
  await expect.poll(() => token !== undefined && service.isRefreshTokenValid(token)).toBe(false)
  await expect.poll(() => storedToken(desk)).toBeUndefined()
})

/** The app is killed (kill -9) at each step that changes the session, and started again. */
import { describe, expect, it } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { runInto, withCrashPoints } from '../support/crash.ts'
import { openDesk } from '../support/desk.ts'
import { pendingTokens, storedToken } from '../support/entry.ts'
import type { LatchkeyWindow } from '../support/window.ts'

const refresh = async (window: LatchkeyWindow) => {
  await window.signIn(ANA)
  await window.button('Renew now').click()
}

describe('after a crash during a refresh, the session continues unless the service has ended it', () => {
  it.each([
    ['after the answer, before anything is written', 'refresh:after:1'],
    ['after the entry, before anything is announced', 'write:after:2'],
  ])('%s', async (_, point) => {
    const desk = await openDesk({ alter: withCrashPoints })
    await runInto(desk, point, refresh)
    const stored = await storedToken(desk)
    expect(stored).toBeDefined()

    const app = await desk.start()
    await (await app.open()).signedIn.waitFor()
    expect(desk.count('login')).toBe(1)
    // If the crash lost the service's answer, the app may send the stored token again, but no other token.
    expect(desk.service.replayCount()).toBe(point === 'write:after:2' ? 0 : desk.service.replayCount(stored))
    expect(desk.service.isRefreshTokenValid((await storedToken(desk)) ?? '')).toBe(true)
  })

  it('if a crash loses the answer of a service without a grace period, the user can sign in again', async () => {
    const desk = await openDesk({ alter: withCrashPoints, service: { grace: 0 } })
    await runInto(desk, 'refresh:after:1', refresh)

    const app = await desk.start()
    const window = await app.open()
    await window.password.waitFor()
    await window.signIn(ANA)
    expect(desk.service.isRefreshTokenValid((await storedToken(desk)) ?? '')).toBe(true)
  })
})

describe('a crash during sign-in leaves no half-written session', () => {
  it.each([
    ['after the answer', 'login:after:1'],
    ['between marker and entry', 'mark-stored:after:1'],
  ])('%s', async (_, point) => {
    const desk = await openDesk({ alter: withCrashPoints })
    await runInto(desk, point, (window) => window.signIn(ANA))
    await expect(storedToken(desk)).resolves.toBeUndefined()

    const window = await (await desk.start()).open()
    // A marker in the settings says that the keychain has an entry, but the app finds none. So the app shows the view
    // for a missing session, whose Sign in button opens the form.
    if (/^(mark|write)/.test(point)) await window.button('Sign in').click()
    await window.signIn(ANA)
  })
})

describe('an unreadable session that a sign-in has begun to revoke is not restored after a crash', () => {
  it.each([
    ['before the old session is marked as signed out', 'mark-signedOut:before:1'],
    ['after the old session leaves the entry, before the new one is marked', 'mark-revoking:before:1'],
    ['after the answer, before anything of it is written', 'refresh:after:1'],
    ['after the service was told', 'logout:after:1'],
  ])('%s', async (_, point) => {
    const desk = await openDesk({ alter: withCrashPoints })
    const { keyring, service } = desk
    const first = await desk.start()
    await (await first.open()).signIn(ANA)
    await first.quit()
    const old = (await storedToken(desk)) ?? ''
    await keyring.lock()
    await runInto(desk, point, async (window) => {
      await window.button('Sign in').click()
      await window.signIn(ANA)
      await keyring.unlock()
    })

    const stored = await storedToken(desk)
    const window = await (await desk.start()).open()
    const isCondemned = point !== 'mark-signedOut:before:1'
    // The app restores the new session if it was written. It restores the old session only if it had not begun to end
    // that session.
    const isRestored = stored !== undefined && (stored !== old || !isCondemned)
    await (isRestored ? window.signedIn : window.username).waitFor()
    if (isCondemned) {
      await expect.poll(() => desk.count('logout')).toBeGreaterThan(0)
      await expect.poll(() => pendingTokens(desk)).toEqual([])
      expect(service.isRefreshTokenValid(old)).toBe(false)
      await expect(storedToken(desk)).resolves.not.toBe(old)
    }
    if (isRestored) expect(service.isRefreshTokenValid((await storedToken(desk)) ?? '')).toBe(true)
    // The app may send a refresh token twice only if the crash lost the service's answer.
    expect(service.replayCount()).toBe(point === 'refresh:after:1' ? service.replayCount(old) : 0)
    expect(desk.count('login')).toBe(2)
  })
})

describe('after a crash during a sign-out, the user is signed out at the next start, and the token is revoked', () => {
  it.each([
    ['after the marker', 'mark-signedOut:after:1'],
    ['after the service was told', 'logout:after:1'],
    ['after the entry is deleted', 'delete:after:1'],
  ])('%s', async (_, point) => {
    const desk = await openDesk({ alter: withCrashPoints })
    let token: string | undefined
    await runInto(desk, point, async (window) => {
      await window.signIn(ANA)
      token = await storedToken(desk)
      await window.button('Sign out').click()
    })

    const app = await desk.start()
    await (await app.open()).username.waitFor()
    await expect.poll(() => token !== undefined && desk.service.isRefreshTokenValid(token)).toBe(false)
    await expect.poll(() => storedToken(desk)).toBeUndefined()
  })
})

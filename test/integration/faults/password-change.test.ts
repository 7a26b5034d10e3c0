/** Password changes, above all those whose answer is lost. */
import { describe, expect, it } from 'vitest'
import type { WireFault } from '../../../demo/faults.ts'
import { password } from '../../../main/session/secret.ts'
import { FAULTS, injectAt } from './faults.ts'
import { CREDENTIALS, MINUTE, NEW_PASSWORD, PASSWORDS, SECOND, withWorld } from './world.ts'

const LOST = { kind: 'reset', work: 'done' } as const
const NEVER_CAME = { kind: 'reset', work: 'undone' } as const
const PAGE = { kind: 'status', status: 502, type: 'html', work: 'done' } as const

const loginStatus = (requests: readonly { operation?: string; status?: number }[]) =>
  requests.filter(({ operation }) => operation === 'login').map(({ status }) => status)

describe('the user stays signed in; the app signs in again silently only if the change ended the session', () => {
  const rows: readonly (readonly [string, WireFault | undefined, boolean, readonly number[]])[] = [
    ['an answered change', undefined, false, [200, 200]],
    ['an answered change that ends every session', undefined, true, [200, 200, 200]],
    ['a lost answer', LOST, false, [200, 200]],
    ['a lost answer to a change that ends every session', LOST, true, [200, 200, 200]],
    ['a page instead of the answer to a change that ends every session', PAGE, true, [200, 200, 200]],
    ['a change that never reached the service', NEVER_CAME, false, [200, 200]],
    ['a change that never reached the service, and would have ended every session', NEVER_CAME, true, [200, 200]],
  ]
  it.for(rows)('%s', ([, fault, revokeOnPasswordChange, logins]) =>
    withWorld({ revokeOnPasswordChange }, async (world) => {
      const copy = await world.signedIn()
      if (fault !== undefined) injectAt(world, 'changePassword', fault, 1)
      const outcome = await copy.session.changePassword(PASSWORDS)
      expect(outcome.ok).toBe(fault === undefined)
      expect(copy.state).toMatchObject({ kind: 'active', kept: 'keychain' })
      // The logins are the sign-in, the proof of the current password, and the silent sign-in if there was one.
      expect(loginStatus(world.service.requests)).toEqual(logins)
      expect(world.service.isRefreshTokenValid(world.stored ?? '')).toBe(true)
      expect(world.service.replayCount()).toBe(0)
      const kinds = new Set(copy.states.map(({ kind }) => kind))
      expect([...kinds].sort()).toEqual(['active', 'restoring', 'signedOut', 'signingIn'])

      // The next sign-in shows which password is valid now.
      const isChanged = fault?.kind !== 'reset' || fault.work === 'done'
      const right = isChanged ? NEW_PASSWORD : CREDENTIALS.password
      expect(await copy.session.signIn('password', { ...CREDENTIALS, password: right })).toMatchObject({ ok: true })
    }),
  )
})

describe('the network is down after a password change that ended every session and whose answer is lost', () => {
  it.for([
    ['for minutes: the app signs in with the new password, which it still knows', 4 * MINUTE, 'active'],
    ['for longer: the app has forgotten the new password, and asks the user to sign in', 10 * MINUTE, 'ending'],
  ] as const)('%s', ([, outage, kind]) =>
    withWorld({ revokeOnPasswordChange: true }, async (world) => {
      const copy = await world.signedIn()
      injectAt(world, 'changePassword', LOST, 1)
      const change = copy.session.changePassword(PASSWORDS)
      await FAULTS['HTML 503']?.(world, copy, 'refresh')
      expect(await change).toMatchObject({ ok: false, failure: { code: 'unreachable' } })
      expect(copy.state.kind).toBe('unreachable')
      await world.pass(outage)
      world.heals(copy)
      await world.pass(MINUTE + SECOND)
      expect(copy.state.kind).toBe(kind)
      world.expectNoSecret(copy.states)
    }),
  )
})

it('a wrong current password changes nothing: neither the password nor the session', () =>
  withWorld({ revokeOnPasswordChange: true }, async (world) => {
    const copy = await world.signedIn()
    const before = world.stored
    const wrong = { ...PASSWORDS, currentPassword: password('not the current one') }
    expect(await copy.session.changePassword(wrong)).toMatchObject({ ok: false, failure: { code: 'rejected' } })
    expect(loginStatus(world.service.requests)).toEqual([200, 401])
    expect([world.sent('changePassword'), world.sent('refresh'), world.sent('logout')]).toEqual([0, 0, 0])
    expect(world.stored).toBe(before)
    expect(copy.state.kind).toBe('active')
    expect(await copy.session.signIn('password', CREDENTIALS)).toMatchObject({ ok: true })
  }))

it('a password that the service refuses changes nothing, and its reason is shown', () =>
  withWorld({ revokeOnPasswordChange: true }, async (world) => {
    const copy = await world.signedIn()
    const before = world.stored
    expect(await copy.session.changePassword({ ...PASSWORDS, newPassword: password('short') })).toMatchObject({
      ok: false,
      failure: { code: 'passwordRefused', serverText: 'The password must have at least 8 characters.' },
    })
    expect(world.stored).toBe(before)
    expect(world.sent('refresh')).toBe(0)
    expect(copy.state.kind).toBe('active')
  }))

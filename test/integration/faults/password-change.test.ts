/** Password changes, above all those whose answer is lost. */
import { describe, expect, it } from 'vitest'
import type { WireFault } from '../../../demo/faults.ts'
import { injectAt } from './faults.ts'
import { CREDENTIALS, NEW_PASSWORD, PASSWORDS, withWorld } from './world.ts'

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

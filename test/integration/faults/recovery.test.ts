/**
 * Wherever the matrix in expected.ts says that the session is kept, the app recovers automatically once the fault is
 * over.
 */
import { describe, expect, it } from 'vitest'
import { matrixRows, type Row } from './expected.ts'
import { FAULTS } from './faults.ts'
import { HOUR, MINUTE, REFRESH_DUE, SECOND, withWorld } from './world.ts'

const rowsIn = (state: string, ...operations: readonly Row['operation'][]) =>
  matrixRows().filter((row) => operations.includes(row.operation) && row.state === state)

/** Longer than every first retry delay and every fault's `Retry-After`. */
const SOON = 2 * MINUTE + SECOND

describe('a failed refresh is repeated once the fault is over, with the same refresh token', () => {
  it.for(rowsIn('unreachable', 'refresh', 'ssoRefresh'))('$operation, $fault', ({ operation, fault, requests }) =>
    withWorld({}, async (world) => {
      const [method, issuer] =
        operation === 'refresh' ? (['password', world.service] as const) : (['passwordRealm', world.provider] as const)
      const copy = await world.signedIn(method)
      const token = world.stored ?? ''
      await FAULTS[fault]?.(world, copy, operation)
      await world.pass(REFRESH_DUE)
      expect(copy.state).toMatchObject({ kind: 'unreachable', token: {}, kept: 'keychain' })
      expect(issuer.refreshCount(token)).toBe(requests === '-' ? 0 : 1)

      world.heals(copy)
      await world.pass(SOON)
      expect(copy.state).toMatchObject({ kind: 'active', kept: 'keychain' })
      expect(issuer.refreshCount(token)).toBe(requests === '-' ? 1 : 2)
      expect(issuer.replayCount()).toBe(0)
      expect(world.stored).not.toBe(token)
      expect(issuer.isRefreshTokenValid(world.stored ?? '')).toBe(true)
      expect(issuer.familyOf(world.stored ?? '')).toBe(issuer.familyOf(token))
    }),
  )
})

describe('an answer that names no reason ends the session after three times, and Renew now still works', () => {
  const unclear = ['400 without JSON', '400 empty', '403 empty', '422']
  it.for(rowsIn('unreachable', 'refresh').filter(({ fault }) => unclear.includes(fault)))(
    '$fault',
    ({ operation, fault }) =>
      withWorld({}, async (world) => {
        const copy = await world.signedIn()
        const token = world.stored ?? ''
        await FAULTS[fault]?.(world, copy, operation)
        await world.pass(3 * HOUR)
        expect(copy.state).toMatchObject({ kind: 'expired', failure: { code: 'sessionEnded' } })
        expect([world.stored, world.sent('refresh')]).toEqual([token, 3])
        world.heals(copy)
        await copy.session.refresh()
        expect(copy.state).toMatchObject({ kind: 'active', kept: 'keychain' })
      }),
  )
})

describe('a sign-out that the service did not confirm is repeated once the fault is over', () => {
  it.for(rowsIn('signedOut: pending', 'logout'))('$fault', ({ operation, fault }) =>
    withWorld({}, async (world) => {
      const copy = await world.signedIn()
      const token = world.stored ?? ''
      await FAULTS[fault]?.(world, copy, operation)
      const published = copy.states.length
      await copy.session.signOut()
      expect(copy.state).toMatchObject({ kind: 'signedOut', revocation: 'pending' })
      // If the service refuses the sign-out, the app gets a new token pair and tries again. Then only the new refresh
      // token is pending.
      expect(world.pending).toHaveLength(1)

      world.heals(copy)
      await world.pass(SOON)
      expect(copy.state).toMatchObject({ kind: 'signedOut', revocation: 'done' })
      for (const secret of world.service.issuedSecrets()) expect(world.service.isRefreshTokenValid(secret)).toBe(false)
      expect(world.service.isRefreshTokenValid(token)).toBe(false)
      expect(world.keychain.size).toBe(0)
      expect(new Set(copy.states.slice(published).map(({ kind }) => kind))).toEqual(new Set(['signedOut']))
    }),
  )
})

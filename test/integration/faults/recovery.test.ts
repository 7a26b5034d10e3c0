/** Wherever expected.ts says that the session is kept, the app recovers by itself once the fault is over. */
import { describe, expect, it } from 'vitest'
import { running } from '../../support/running.ts'
import { matrixRows, type Row } from './expected.ts'
import { FAULTS } from './faults.ts'
import { prepare } from './operations.ts'
import { MINUTE, REFRESH_DUE, Rig, SECOND } from './rig.ts'

const rowsIn = (state: string, ...operations: readonly Row['operation'][]) =>
  matrixRows().filter((row) => operations.includes(row.operation) && row.state === state)

/** A time longer than any first retry delay and any fault's `Retry-After`. */
const SOON = 2 * MINUTE + SECOND

describe('a failed refresh is repeated with the same refresh token once the fault is over', () => {
  it.for(rowsIn('unreachable', 'refresh', 'ssoRefresh'))(
    '$operation, $fault',
    async ({ operation, fault, requests }) => {
      const rig = await running(Rig.start())
      const issuer = operation === 'refresh' ? rig.service : rig.provider
      await prepare(rig, operation)
      const token = rig.stored ?? ''
      await FAULTS[fault]?.(rig, operation)
      await rig.pass(REFRESH_DUE)
      expect(rig.state).toMatchObject({ kind: 'unreachable', token: {}, kept: 'keychain' })
      expect(issuer.refreshCount(token)).toBe(requests === '-' ? 0 : 1)

      rig.heals()
      await rig.pass(SOON)
      expect(rig.state).toMatchObject({ kind: 'active', kept: 'keychain' })
      expect(issuer.refreshCount(token)).toBe(requests === '-' ? 1 : 2)
      expect(issuer.replayCount()).toBe(0)
      expect(rig.stored).not.toBe(token)
      expect(issuer.isRefreshTokenValid(rig.stored ?? '')).toBe(true)
      expect(issuer.familyOf(rig.stored ?? '')).toBe(issuer.familyOf(token))
    },
  )
})

describe('a sign-out that the service didn’t confirm is repeated once the fault is over', () => {
  it.for(rowsIn('signedOut: pending', 'logout'))('$fault', async ({ operation, fault }) => {
    const rig = await running(Rig.start())
    await prepare(rig, operation)
    await FAULTS[fault]?.(rig, operation)
    const published = rig.states.length
    await rig.session.signOut()
    expect(rig.state).toMatchObject({ kind: 'signedOut', revocation: 'pending' })
    // If the service refuses the sign-out, the app gets a new token pair and tries again. Only the new refresh token
    // is then pending.
    expect(rig.pending).toHaveLength(1)

    rig.heals()
    await rig.pass(SOON)
    expect(rig.state).toMatchObject({ kind: 'signedOut', revocation: 'done' })
    for (const secret of rig.service.issuedSecrets()) expect(rig.service.isRefreshTokenValid(secret)).toBe(false)
    expect(rig.entry).toBeUndefined()
    expect(new Set(rig.states.slice(published).map(({ kind }) => kind))).toEqual(new Set(['signedOut']))
  })
})

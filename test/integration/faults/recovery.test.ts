/**
 * Wherever the matrix in expected.ts says that the session is kept, the app recovers automatically once the fault is
 * over.
 */
import { describe, expect, it } from 'vitest'
import { matrixRows, type Row } from './expected.ts'
import { FAULTS } from './faults.ts'
import { CREDENTIALS, HOUR, MINUTE, REFRESH_DUE, SECOND, withWorld } from './world.ts'

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

describe('an outage longer than the access token’s life keeps the session, which recovers automatically', () => {
  const long = ['refused', 'HTML 200', 'HTML 401', 'HTML 403', '404', '451', '500']
  it.for(rowsIn('unreachable', 'refresh').filter(({ fault }) => long.includes(fault)))(
    '$fault',
    ({ operation, fault }) =>
      withWorld({}, async (world) => {
        const copy = await world.signedIn()
        const token = world.stored ?? ''
        await FAULTS[fault]?.(world, copy, operation)
        await world.pass(3 * HOUR)
        expect(copy.state).toMatchObject({ kind: 'unreachable', refresh: 'idle', kept: 'keychain' })
        expect(copy.state).not.toHaveProperty('token')
        expect(world.stored).toBe(token)
        world.heals(copy)
        await world.pass(5 * MINUTE)
        expect(copy.state).toMatchObject({ kind: 'active', kept: 'keychain' })
        expect(world.service.replayCount()).toBe(0)
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

it('an unconfirmed sign-out is repeated at the next start, even if the access token has expired', () =>
  withWorld({}, async (world) => {
    const copy = await world.signedIn()
    const token = world.stored ?? ''
    await FAULTS['reset after the work']?.(world, copy, 'refresh')
    await FAULTS['503']?.(world, copy, 'logout')
    await copy.session.signOut()
    await copy.session.stop()
    world.time.sleep(10 * HOUR)
    world.heals(copy)

    const next = await world.copy()
    await world.pass(SOON)
    expect(next.state).toEqual({ kind: 'signedOut', revocation: 'done' })
    expect(world.service.isRefreshTokenValid(token)).toBe(false)
    expect(world.keychain.size).toBe(0)
  }))

it('a sign-out does not wait for a refresh that hangs, and revokes the token that the refresh returns later', () =>
  withWorld({}, async (world) => {
    const copy = await world.signedIn()
    let answer = (): void => {}
    copy.hold = (at, call) =>
      at === 'answered' && call === 'refresh'
        ? new Promise<void>((resolve) => {
            answer = resolve
          })
        : undefined
    void copy.session.refresh()
    await world.rest()
    const before = world.stored ?? ''
    void copy.session.signOut()
    await world.rest()
    expect(copy.state).toMatchObject({ kind: 'signedOut', revocation: 'pending' })
    answer()
    await world.rest()
    expect(copy.state).toMatchObject({ kind: 'signedOut', revocation: 'done' })
    expect(world.service.isRefreshTokenValid(before)).toBe(false)
    for (const secret of world.service.issuedSecrets()) expect(world.service.isRefreshTokenValid(secret)).toBe(false)
    expect(world.keychain.size).toBe(0)
  }))

it('a sign-in whose answer is lost leaves no session, and is not tried again', () =>
  withWorld({}, async (world) => {
    for (const fault of ['reset after the work', 'hang after the work', 'garbage JSON']) {
      const copy = await world.copy()
      await FAULTS[fault]?.(world, copy, 'login')
      const before = world.sent('login')
      await copy.session.signIn('password', CREDENTIALS)
      await world.pass(3 * HOUR)
      expect(copy.state).toEqual({ kind: 'signedOut', revocation: 'none' })
      expect(world.sent('login')).toBe(before + 1)
      expect(world.keychain.size).toBe(0)
      world.heals(copy)
      await copy.session.stop()
    }
  }))

/** With unusual tokens and clocks, there is still one refresh, when it is due. */
import { describe, expect, it } from 'vitest'
import type { Fault } from '../../../demo/faults.ts'
import { DAY, HOUR, MINUTE, REFRESH_DUE, type Rig, SECOND, withRig } from './rig.ts'

/** Latchkey assumes that a token without an expiry lasts 5 minutes, and refreshes it at this age. */
const REFRESH_DUE_UNTOLD = 210 * SECOND

function issueWith(rig: Rig, fault: Fault): void {
  for (const operation of ['login', 'refresh'] as const) {
    rig.service.inject(operation, fault, { times: Number.POSITIVE_INFINITY })
  }
}

describe('a token is refreshed at the right time, even with wrong clocks or missing claims', () => {
  const rows: readonly (readonly [string, Fault | undefined, number, number])[] = [
    ['all clocks right', undefined, 0, REFRESH_DUE],
    ['the desktop an hour ahead', undefined, HOUR, REFRESH_DUE],
    ['the desktop an hour behind', undefined, -HOUR, REFRESH_DUE],
    ['the desktop a year behind', undefined, -365 * DAY, REFRESH_DUE],
    ['the Date of the answers an hour behind', { kind: 'skewedDate', seconds: -3600 }, 0, REFRESH_DUE],
    ['the claims an hour ahead', { kind: 'skewedClaims', seconds: 3600 }, 0, REFRESH_DUE],
    ['the claims an hour ahead, the desktop behind', { kind: 'skewedClaims', seconds: 3600 }, -HOUR, REFRESH_DUE],
    ['no iat: by the Date', { kind: 'missingClaims', claims: ['iat'] }, 0, REFRESH_DUE],
    ['no iat, the desktop an hour ahead', { kind: 'missingClaims', claims: ['iat'] }, HOUR, REFRESH_DUE],
    ['no iat, the desktop an hour behind', { kind: 'missingClaims', claims: ['iat'] }, -HOUR, REFRESH_DUE],
    ['no exp', { kind: 'missingClaims', claims: ['exp'] }, 0, REFRESH_DUE_UNTOLD],
    ['no exp and no iat', { kind: 'missingClaims', claims: ['exp', 'iat'] }, -HOUR, REFRESH_DUE_UNTOLD],
    ['no claim at all', { kind: 'missingClaims', claims: ['exp', 'iat', 'sub', 'name'] }, 0, REFRESH_DUE_UNTOLD],
    ['not a JWT', { kind: 'notJwt' }, HOUR, REFRESH_DUE_UNTOLD],
  ]
  it.for(rows)('%s', ([, fault, desktopAhead, refresh]) =>
    withRig({}, async (rig) => {
      rig.time.step(desktopAhead)
      if (fault !== undefined) issueWith(rig, fault)
      const copy = await rig.signedIn()
      await rig.pass(refresh - SECOND)
      expect(rig.sent('refresh')).toBe(0)
      await rig.pass(SECOND)
      expect(rig.sent('refresh')).toBe(1)
      await rig.pass(4 * refresh)
      expect(rig.sent('refresh')).toBe(5)
      expect(copy.state).toMatchObject({ kind: 'active', kept: 'keychain' })
      expect(rig.service.replayCount()).toBe(0)
    }),
  )
})

// In the last two rows, the token has expired by the server's own clock. Latchkey trusts that clock, because the token
// may have been issued long ago.
it.for([
  ['that lives for one second', { tokenLifetime: 1 }, undefined],
  ['that expired an hour before the Date of its response', {}, { kind: 'skewedDate', seconds: 7200 }],
  ['whose claims are two hours behind the Date of its response', {}, { kind: 'skewedClaims', seconds: -7200 }],
] as const)('a token %s is refreshed every 30 seconds, and no more often', ([, options, fault]) =>
  withRig(options, async (rig) => {
    if (fault !== undefined) issueWith(rig, fault)
    const copy = await rig.signedIn()
    await rig.pass(10 * MINUTE)
    expect(rig.sent('refresh')).toBeGreaterThanOrEqual(19)
    expect(rig.sent('refresh')).toBeLessThanOrEqual(20)
    expect(copy.state.kind).toBe('active')
    expect(rig.service.replayCount()).toBe(0)
  }),
)

describe('a refresh that returns the token of another account', () => {
  it('ends the session with a reason, and both token pairs are revoked', () =>
    withRig({}, async (rig) => {
      const copy = await rig.signedIn()
      const before = rig.stored ?? ''
      rig.service.inject('refresh', { kind: 'changedSubject' })
      await rig.pass(REFRESH_DUE)
      expect(copy.state).toMatchObject({
        kind: 'signedOut',
        revocation: 'done',
        failure: { code: 'sessionEnded', details: { cause: 'the service answered with the token of another account' } },
      })
      // The sign-in issued a refresh token and an access token, so this is the next refresh token.
      const foreign = rig.service.issuedSecrets()[2]
      expect(copy.loggedOut).toEqual([foreign, before])
      expect(rig.service.isRefreshTokenValid(before)).toBe(false)
      for (const secret of rig.service.issuedSecrets()) expect(rig.service.isRefreshTokenValid(secret)).toBe(false)
      expect(rig.keychain.size).toBe(0)
      await rig.pass(3 * HOUR)
      expect(rig.sent('refresh')).toBe(1)
    }))

  it('is followed by attempts to revoke until both token pairs are revoked', () =>
    withRig({}, async (rig) => {
      const copy = await rig.signedIn()
      rig.service.inject('refresh', { kind: 'changedSubject' })
      rig.service.inject('logout', { kind: 'reset', work: 'undone' }, { times: 3 })
      await rig.pass(REFRESH_DUE)
      expect(copy.state).toMatchObject({ kind: 'signedOut', revocation: 'pending', failure: { code: 'sessionEnded' } })
      await rig.pass(MINUTE)
      expect(copy.state).toMatchObject({ kind: 'signedOut', revocation: 'done' })
      for (const secret of rig.service.issuedSecrets()) expect(rig.service.isRefreshTokenValid(secret)).toBe(false)
    }))
})

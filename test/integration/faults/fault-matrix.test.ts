import { describe, expect, it } from 'vitest'
import type { Failure } from '../../../contract/failures.ts'
import type { SessionState } from '../../../main/session/state.ts'
import { running } from '../../support/running.ts'
import { matrixRows, type Row } from './expected.ts'
import { FAULTS } from './faults.ts'
import { ACT, callOf, OPERATIONS, prepare } from './operations.ts'
import { type Call, Rig } from './rig.ts'

function stateLine(state: SessionState): string {
  return state.kind === 'signedOut' && state.revocation !== 'none' ? `signedOut: ${state.revocation}` : state.kind
}

function keychainLine(rig: Rig, before: string | undefined): string {
  const { stored, pending } = rig
  const session = stored === undefined ? [] : [stored === before ? 'same' : 'new']
  const others = pending.map((token) => (token === before ? 'to revoke' : 'another to revoke'))
  return [...session, ...others].join(', ') || 'nothing'
}

/** The name of a call in a failure's details, if it isn't the name that these tests use. */
const NAMED: { readonly [C in Call]?: string } = {
  ...{ ssoLogin: 'login', ssoRefresh: 'refresh', factor: 'secondFactor' },
  ...{ browser: 'browserSignIn', browserRefresh: 'refresh', browserLogout: 'logout' },
}

/** The faults that happen after a request was sent, so that its effect is unknown. */
const LEFT = /^(?:reset|hang|too slow)/

/** Expects the details that an administrator needs to find the cause. */
function expectDetails(call: Call, { code, details = {} }: Failure, fault: string): void {
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/)
  const name = expect.stringMatching(/^CN=./)
  const { status, cause } = details
  expect(details).toEqual({
    operation: NAMED[call] ?? call,
    host: expect.stringMatching(/^(?:127\.0\.0\.1:\d+|latchkey\.invalid:443)$/),
    at: '2023-11-14T22:13:20.000Z',
    ...(fault.includes('proxy') && { proxy: expect.stringMatching(/^127\.0\.0\.1:\d+$/) }),
    ...(code === 'untrustedCertificate' && {
      certificate: { subject: name, issuer: name, validFrom: time, validTo: time },
    }),
    ...(status !== undefined && { status: expect.any(Number) }),
    ...(cause !== undefined && { cause: expect.stringMatching(/./) }),
    ...(LEFT.test(fault) && { sent: true }),
  })
  expect(status ?? cause).toBeDefined()
  // With these codes, an HTTP status alone explains nothing, so the details must name a cause.
  if (code === 'unreachable' || code === 'untrustedCertificate' || code === 'malformedResponse') {
    expect(cause).toBeDefined()
  }
}

/**
 * Holds back the request that changes the password. Before that request, the app proves the current password and
 * revokes the tokens from this proof; then `act` runs.
 */
function beforeChange(rig: Rig, act: () => Promise<void> = async () => {}): void {
  rig.hold = (call) => {
    if (call !== 'changePassword') return undefined
    rig.hold = () => undefined
    return rig.rest().then(act)
  }
}

async function play({ operation, fault }: Row, rig: Rig) {
  await prepare(rig, operation)
  const before = rig.stored
  const requests = () => [...rig.service.requests, ...rig.provider.requests].map((each) => each.operation ?? 'other')
  const skipped = requests().length
  const occurs = async () => FAULTS[fault]?.(rig, operation)
  if (operation === 'changePassword') beforeChange(rig, occurs)
  else {
    if (operation === 'proof') beforeChange(rig)
    await occurs()
  }
  const acting = ACT[operation](rig)
  await rig.rest()
  const outcome = await acting
  await rig.rest()
  const sent = requests().slice(skipped)
  const count = (name: string) => `${name} ${sent.filter((each) => each === name).length}`
  const failure = rig.failures.find(({ call }) => call === callOf(operation))?.failure
  return {
    outcome,
    failure,
    observed: {
      operation,
      fault,
      code: [failure?.code ?? '-', failure?.problem ?? []].flat().join(': '),
      state: stateLine(rig.state),
      keychain: keychainLine(rig, before),
      requests: [...new Set(sent)].map(count).join(', ') || '-',
    },
  }
}

describe.each(OPERATIONS)('%s', (operation) => {
  const rows = matrixRows().filter((row) => row.operation === operation)

  it.for(rows)('$fault: $code, $state, keychain: $keychain, sent: $requests', async (row) => {
    const rig = await running(Rig.start())
    const { outcome, failure, observed } = await play(row, rig)
    expect(observed).toEqual(row)
    if (!/logout/i.test(operation)) {
      // The service refused even a fresh access token, so it refuses the change. The service client says
      // `sessionEnded`, but the user is told `passwordRefused`.
      const isChange = operation === 'changePassword' && failure?.code === 'sessionEnded'
      const told = isChange ? { ...failure, code: 'passwordRefused' } : failure
      expect(outcome).toEqual(told ? { ok: false, failure: told } : { ok: true, value: undefined })
    }
    for (const each of rig.failures) expectDetails(each.call, each.failure, row.fault)
    expect(rig.overheard).toEqual([])
    rig.expectNoSecret([outcome, rig.failures, rig.states])
  })
})

it('every fault is in the table', () => {
  expect(new Set(matrixRows().map(({ fault }) => fault))).toEqual(new Set(Object.keys(FAULTS)))
})

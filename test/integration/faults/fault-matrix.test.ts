import { describe, expect, it } from 'vitest'
import type { SessionState } from '../../../main/session/state.ts'
import { running } from '../../support/running.ts'
import { matrixRows, type Row } from './expected.ts'
import { FAULTS } from './faults.ts'
import { ACT, OPERATIONS, prepare } from './operations.ts'
import { Rig } from './rig.ts'

function stateLine(state: SessionState): string {
  return state.kind === 'signedOut' && state.revocation !== 'none' ? `signedOut: ${state.revocation}` : state.kind
}

function keychainLine(rig: Rig, before: string | undefined): string {
  const { stored, pending } = rig
  const session = stored === undefined ? [] : [stored === before ? 'same' : 'new']
  const others = pending.map((token) => (token === before ? 'to revoke' : 'another to revoke'))
  return [...session, ...others].join(', ') || 'nothing'
}

async function play({ operation, fault }: Row, rig: Rig) {
  await prepare(rig, operation)
  const before = rig.stored
  const requests = () => [...rig.service.requests, ...rig.provider.requests].map((each) => each.operation ?? 'other')
  const skipped = requests().length
  const occurs = async () => FAULTS[fault]?.(rig, operation)
  // The app first proves the current password and revokes the tokens from this proof. Then the fault occurs.
  if (operation !== 'changePassword') await occurs()
  else {
    rig.hold = (call) => {
      if (call !== 'changePassword') return undefined
      rig.hold = () => undefined
      return rig.rest().then(occurs)
    }
  }
  const acting = ACT[operation](rig)
  await rig.rest()
  const outcome = await acting
  await rig.rest()
  const sent = requests().slice(skipped)
  const count = (name: string) => `${name} ${sent.filter((each) => each === name).length}`
  const failure = rig.failures.find(({ call }) => call === operation)?.failure
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
    expect(rig.overheard).toEqual([])
    rig.expectNoSecret([outcome, rig.failures, rig.states])
  })
})

it('every fault is in the table', () => {
  expect(new Set(matrixRows().map(({ fault }) => fault))).toEqual(new Set(Object.keys(FAULTS)))
})

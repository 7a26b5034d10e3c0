import { describe, expect, it } from 'vitest'
import { selfSignedCertificate } from '../../../demo/certificate.ts'
import type { SessionState } from '../../../main/session/state.ts'
import { loadTexts } from '../../../text/index.ts'
import { running } from '../../support/running.ts'
import { matrixRows, type Row } from './expected.ts'
import { FAULTS } from './faults.ts'
import { echoServer } from './odd-servers.ts'
import { ACT, OPERATIONS, prepare } from './operations.ts'
import { MINUTE, REFRESH_DUE, Rig, SECOND } from './rig.ts'

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

/** The refreshes after which the session is kept. The app must recover by itself once the fault is over. */
const KEPT = matrixRows().filter(
  ({ operation, state }) => /^(r|ssoR)efresh$/.test(operation) && state === 'unreachable',
)

/** A time longer than any first retry delay and any fault's `Retry-After`. */
const SOON = 2 * MINUTE + SECOND

it.for(KEPT)(
  'a failed refresh is repeated with the same refresh token once the fault is over: $operation, $fault',
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

it.for(OPERATIONS)(
  'SECURITY: a server’s text that repeats credentials is shown without them: %s',
  async (operation) => {
    const rig = await running(Rig.start())
    await prepare(rig, operation)
    const identity = selfSignedCertificate()
    const { port, stop } = await echoServer(identity, 401)
    const address = `https://127.0.0.1:${port}`
    rig.connectivity = { baseAddress: address, authAddress: address, trusted: async () => [identity.cert] }
    const acting = ACT[operation](rig).finally(stop)
    await rig.rest()
    // After a refusal, the app waits five seconds, because another instance of the app may be writing a newer token.
    await rig.pass(5 * SECOND)
    const outcome = await acting
    const { failure } = rig.failures[0] ?? {}
    const texts = await loadTexts('en')
    const said = failure && texts.failure(failure, 'session', 'data.example')
    expect(failure?.serverText).toContain('[secret]')
    rig.expectNoSecret([outcome, rig.failures, rig.states, said])
  },
)

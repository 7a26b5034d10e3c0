import { expect, it } from 'vitest'
import { fail, OK, type Outcome } from '../../contract/failures.ts'
import { ManualTime, settle } from '../../test/support/manual-time.ts'
import { DeadlineClock } from '../base/clock.ts'
import type { Keychain } from '../keychain/open.ts'
import type { Connection } from '../session/connection.ts'
import { ClientSecrets } from './client-secrets.ts'

it('`prepare` waits a second for a secret, which one call then reads again with doubling delays', async () => {
  const connection: Connection = { baseAddress: 'https://data.test', host: 'data.test', source: 'user' }
  const time = new ManualTime()
  const told: string[] = []
  let [answerRead, signOut] = [(_: Outcome) => {}, () => {}]
  const reading = (name: string) => () => {
    told.push(name)
    return new Promise<Outcome>((resolve) => (answerRead = resolve))
  }
  const answer = async (outcome: Outcome) => {
    answerRead(outcome)
    await settle()
  }
  const methods = { readClientSecret: reading('read'), findClientSecret: reading('find') }
  const own = { connection, usesClientSecret: true, ...methods }
  const keychain = { opened: async () => ({ state: { kind: 'unlocked' } }) } as unknown as Keychain
  const clientSecrets = new ClientSecrets({ keychain, settings: { of: () => own }, clock: new DeadlineClock(time) })
  clientSecrets.onConnectionChange(() => told.push('connection changed'))
  const unused = () => new Promise<void>((resolve) => (signOut = resolve))
  const preparation = { restored: async () => {}, unused, onChange: () => {} }

  void clientSecrets.prepare('default', preparation).then(() => told.push('prepared'))
  await settle()
  await time.passSettling(999)
  expect(told).toEqual(['read'])
  await time.passSettling(1)
  expect(told).toEqual(['read', 'prepared'])
  const locked = fail({ code: 'keychainUnavailable' })
  await answer(locked)
  void clientSecrets.prepare('default', preparation)
  await settle()
  await answer(locked)
  await time.passSettling(10_000)
  await answer(locked)
  await time.passSettling(19_999)
  expect(told).toEqual(['read', 'prepared', 'read', 'find'])
  await time.passSettling(1)
  await answer(locked)
  void clientSecrets.prepare('default', preparation)
  await time.passSettling(1_000)
  own.connection = { ...connection, baseAddress: 'https://other.test' }
  await answer(OK)
  expect(told).toEqual(['read', 'prepared', 'read', 'find', 'find', 'read'])
  signOut()
  await time.passSettling(39_000)
  expect(told.slice(6)).toEqual(['connection changed', 'find'])
})

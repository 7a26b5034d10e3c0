import { expect, it } from 'vitest'
import { fail, OK, type Outcome } from '../../contract/failures.ts'
import { ManualTime, settle } from '../../test/support/manual-time.ts'
import { DeadlineClock } from '../base/clock.ts'
import type { Keychain } from '../keychain/open.ts'
import type { Connection } from '../session/connection.ts'
import { ClientSecrets } from './client-secrets.ts'

const PLAIN: Connection = { baseAddress: 'https://data.test', host: 'data.test', source: 'user' }

/** Prepares a connection. `told` gets each read of its client secret, and what follows from the read. */
async function prepare(usesClientSecret = true) {
  const time = new ManualTime()
  const told: string[] = []
  const pending = new Map<string, (value?: unknown) => void>()
  /** A promise that the test resolves with `answer`. */
  const waitFor = <T = void>(name: string) => new Promise<T>((resolve) => pending.set(name, resolve as () => void))
  const answer = async (name: string, value?: unknown) => {
    pending.get(name)?.(value)
    await settle()
  }
  const reading = (name: string) => () => {
    told.push(name)
    return waitFor<Outcome>('read')
  }
  const own = {
    connection: PLAIN,
    usesClientSecret,
    readClientSecret: reading('read'),
    findClientSecret: reading('find'),
  }
  const keychain = { opened: async () => ({ state: { kind: 'unlocked' } }) } as unknown as Keychain
  const clientSecrets = new ClientSecrets({ keychain, settings: { of: () => own }, clock: new DeadlineClock(time) })
  clientSecrets.onConnectionChange(() => told.push('connection changed'))
  const onChange = () => told.push('shown')
  const preparation = { restored: () => waitFor('restored'), unused: () => waitFor('signed out'), onChange }
  void clientSecrets.prepare('default', preparation).then(() => told.push('prepared'))
  await settle()
  return { time, told, own, answer }
}

it('`prepare` waits a second for a secret, which is read again with doubling delays; its change waits for a sign-out', async () => {
  const { time, told, own, answer } = await prepare()
  await time.passSettling(999)
  expect(told).toEqual(['read'])
  await time.passSettling(1)
  const locked = fail({ code: 'keychainUnavailable' })
  await answer('read', locked)
  await time.passSettling(10_000)
  await answer('read', locked)
  await time.passSettling(19_999)
  expect(told).toEqual(['read', 'prepared', 'find'])
  await time.passSettling(1)
  own.connection = { ...PLAIN, baseAddress: 'https://other.test' }
  await answer('read', OK)
  expect(told).toEqual(['read', 'prepared', 'find', 'find'])
  await answer('signed out')
  expect(told.at(-1)).toBe('connection changed')
})

it('a client secret that the connection doesn’t need is only read after the sessions are restored', async () => {
  const { told, answer } = await prepare(false)
  expect(told).toEqual(['prepared'])
  await answer('restored')
  await answer('read', OK)
  expect(told).toEqual(['prepared', 'find', 'shown'])
})

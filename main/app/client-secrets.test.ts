import { expect, it } from 'vitest'
import { fail, OK, type Outcome } from '../../contract/failures.ts'
import { ManualTime, settle } from '../../test/support/manual-time.ts'
import { DeadlineClock } from '../base/clock.ts'
import type { Keychain } from '../keychain/open.ts'
import type { Connection } from '../session/connection.ts'
import { ClientSecrets } from './client-secrets.ts'

const PLAIN: Connection = { baseAddress: 'https://data.test', host: 'data.test', source: 'user' }

/** Prepares a connection. `told` gets each read of its client secret, and what follows from the read. */
async function prepare({ usesClientSecret = true, keychainState = 'unlocked' } = {}) {
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
  const keychain = { opened: async () => ({ state: { kind: keychainState } }) } as unknown as Keychain
  const clientSecrets = new ClientSecrets({ keychain, settings: { of: () => own }, clock: new DeadlineClock(time) })
  clientSecrets.onConnectionChange(() => told.push('connection changed'))
  const onChange = () => told.push('shown')
  const preparation = { restored: () => waitFor('restored'), unused: () => waitFor('signed out'), onChange }
  void clientSecrets.prepare('default', preparation).then(() => told.push('prepared'))
  await settle()
  return { time, told, own, answer }
}

it('`prepare` waits a second for a secret; a late secret’s change is announced once nobody is signed in', async () => {
  const { time, told, own, answer } = await prepare()
  await time.passSettling(999)
  expect(told).toEqual(['read'])
  await time.passSettling(1)
  own.connection = { ...PLAIN, baseAddress: 'https://other.test' }
  await answer('read', OK)
  expect(told).toEqual(['read', 'prepared'])
  await answer('signed out')
  expect(told).toEqual(['read', 'prepared', 'connection changed'])
})

it('if the keychain can’t be opened, `prepare` doesn’t wait, and the delay before each new read doubles', async () => {
  const { time, told, answer } = await prepare({ keychainState: 'unavailable' })
  const locked = fail({ code: 'keychainUnavailable' })
  await time.passSettling(1)
  await answer('read', locked)
  expect(told).toEqual(['read', 'prepared'])
  await time.passSettling(10_000)
  await answer('read', locked)
  await time.passSettling(19_999)
  expect(told).toEqual(['read', 'prepared', 'find'])
  await time.passSettling(1)
  expect(told).toEqual(['read', 'prepared', 'find', 'find'])
})

it('a client secret that the connection doesn’t need is only read after the sessions are restored', async () => {
  const { told, answer } = await prepare({ usesClientSecret: false })
  expect(told).toEqual(['prepared'])
  await answer('restored')
  await answer('read', OK)
  expect(told).toEqual(['prepared', 'find', 'shown'])
})

import { beforeEach, expect, it } from 'vitest'
import { fail, OK, type Outcome } from '../../contract/failures.ts'
import { ManualTime, settle } from '../../test/support/manual-time.ts'
import { DeadlineClock } from '../base/clock.ts'
import { entryText } from '../base/secret.ts'
import { MemoryStore } from '../keychain/fallback-store.ts'
import { Keychain, type OpenedKeychain } from '../keychain/open.ts'
import type { Connection } from '../session/connection.ts'
import { ClientSecrets } from './client-secrets.ts'

const PLAIN: Connection = { baseAddress: 'https://data.test', host: 'data.test', source: 'user' }
const OTHER: Connection = { ...PLAIN, source: 'policy', baseAddress: 'https://other.test', host: 'other.test' }

let time: ManualTime
let store: MemoryStore
let told: string[]
let own: { connection: Connection | undefined; usesClientSecret: boolean }
let answer: (outcome?: Outcome) => void
let answerRestored: () => void
let unused: Promise<void>

beforeEach(() => {
  time = new ManualTime()
  store = new MemoryStore()
  told = []
  own = { connection: PLAIN, usesClientSecret: true }
  answer = () => {}
  answerRestored = () => {}
  unused = Promise.resolve()
})

function open(state: OpenedKeychain['state'] = { kind: 'unlocked' }): ClientSecrets {
  const read = (name: string) => () => {
    told.push(name)
    return new Promise<Outcome>((resolve) => {
      answer = (outcome = OK) => resolve(outcome)
    })
  }
  const opened: OpenedKeychain = {
    store,
    probe: async () => ({ kind: 'works' }),
    state,
    busy: () => false,
    allowPrompts: () => {},
  }
  const clientSecrets = new ClientSecrets({
    keychain: new Keychain(async () => opened),
    settings: {
      of: () => ({
        get connection() {
          return own.connection
        },
        usesClientSecret: own.usesClientSecret,
        readClientSecret: read('read'),
        findClientSecret: read('find'),
      }),
    },
    clock: new DeadlineClock(time),
  })
  clientSecrets.onConnectionChange(() => told.push('connection changed'))
  return clientSecrets
}

function prepare(clientSecrets: ClientSecrets) {
  const restored = () =>
    new Promise<void>((resolve) => {
      answerRestored = resolve
    })
  const preparation = { restored, unused: () => unused, onChange: () => told.push('shown') }
  void clientSecrets.prepare('default', preparation).then(() => told.push('prepared'))
}

it('`prepare` waits a second for a client secret; a secret that is read later is announced', async () => {
  prepare(open())
  await settle()
  await time.passSettling(999)
  expect(told).toEqual(['read'])
  await time.passSettling(1)
  expect(told).toEqual(['read', 'prepared'])
  own.connection = OTHER
  answer()
  await settle()
  expect(told).toEqual(['read', 'prepared', 'connection changed'])
})

it('while the keychain is locked, the delay before each new read of the secret doubles', async () => {
  prepare(open())
  await settle()
  answer(fail({ code: 'keychainUnavailable' }))
  await settle()
  expect(told).toEqual(['read', 'prepared'])
  await time.passSettling(10_000)
  answer(fail({ code: 'keychainUnavailable' }))
  await settle()
  await time.passSettling(19_999)
  expect(told).toEqual(['read', 'prepared', 'find'])
  await time.passSettling(1)
  own.connection = OTHER
  answer()
  await settle()
  expect(told).toEqual(['read', 'prepared', 'find', 'find', 'connection changed'])
})

it('if the keychain can’t be opened, `prepare` doesn’t wait; a late secret’s change waits until the user has signed out', async () => {
  let signOut = () => {}
  unused = new Promise((resolve) => {
    signOut = resolve
  })
  prepare(open({ kind: 'unavailable', cause: 'no answer' }))
  await settle()
  await time.passSettling(1)
  own.connection = OTHER
  answer()
  await settle()
  expect(told).toEqual(['read', 'prepared'])
  signOut()
  await settle()
  expect(told).toEqual(['read', 'prepared', 'connection changed'])
})

it('a client secret that the connection doesn’t need is only read after the sessions are restored', async () => {
  own.usesClientSecret = false
  prepare(open())
  await settle()
  expect(told).toEqual(['prepared'])
  answerRestored()
  await settle()
  answer()
  await settle()
  expect(told).toEqual(['prepared', 'find', 'shown'])
})

it('if reading the client secret changes the connection, the entry of its session is reported as locked', async () => {
  const clientSecrets = open()
  await store.write('entry', entryText('session'))
  const reading = clientSecrets.storeFor('default', PLAIN).read('entry')
  await settle()
  own.connection = OTHER
  answer()
  expect(await reading).toEqual({ kind: 'locked' })
  expect(told).toEqual(['find', 'connection changed'])
})

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

/** The state of a keychain that didn't answer when it was opened. */
const SILENT = { kind: 'unavailable', cause: 'no answer' } as const

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

it.each([
  [{ kind: 'unlocked' } as const, 1_000],
  [SILENT, 0],
])('with the keychain %o, `prepare` waits %i ms; a secret that is read later is announced', async (state, ms) => {
  prepare(open(state))
  await settle()
  await time.passSettling(Math.max(0, ms - 1))
  expect(told.includes('prepared')).toBe(ms === 0)
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

it('if a late client secret changes a connection, the change is announced after the user has signed out', async () => {
  let signOut = () => {}
  unused = new Promise((resolve) => {
    signOut = resolve
  })
  prepare(open(SILENT))
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
  expect(told).toEqual(['prepared', 'find'])
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

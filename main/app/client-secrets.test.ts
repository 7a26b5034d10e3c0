import { beforeEach, expect, it } from 'vitest'
import { fail, OK, type Outcome } from '../../contract/failures.ts'
import { ManualTime, settle } from '../../test/support/manual-time.ts'
import { DeadlineClock } from '../base/clock.ts'
import { Keychain, type OpenedKeychain } from '../keychain/open.ts'
import type { Connection } from '../session/connection.ts'
import { ClientSecrets } from './client-secrets.ts'

const PLAIN: Connection = { baseAddress: 'https://data.test', host: 'data.test', source: 'user' }
const OTHER: Connection = { ...PLAIN, source: 'policy', baseAddress: 'https://other.test', host: 'other.test' }
const LOCKED = fail({ code: 'keychainUnavailable' })

let time: ManualTime
let told: string[]
let own: { connection: Connection; usesClientSecret: boolean }
let answerRead: (outcome: Outcome) => void
let restore: () => void
let signOut: () => void

beforeEach(() => {
  time = new ManualTime()
  told = []
  own = { connection: PLAIN, usesClientSecret: true }
})

function open(state: OpenedKeychain['state'] = { kind: 'unlocked' }): ClientSecrets {
  const read = (name: string) => () => {
    told.push(name)
    return new Promise<Outcome>((resolve) => {
      answerRead = resolve
    })
  }
  const opened: Partial<OpenedKeychain> = { state }
  const clientSecrets = new ClientSecrets({
    keychain: new Keychain(async () => opened as OpenedKeychain),
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

/** Prepares the default connection. The user is signed in until `signOut` is called. */
async function prepare(clientSecrets: ClientSecrets): Promise<void> {
  const restored = new Promise<void>((resolve) => {
    restore = resolve
  })
  const unused = new Promise<void>((resolve) => {
    signOut = resolve
  })
  const preparation = { restored: () => restored, unused: () => unused, onChange: () => told.push('shown') }
  void clientSecrets.prepare('default', preparation).then(() => told.push('prepared'))
  await settle()
}
async function answer(outcome: Outcome = OK): Promise<void> {
  answerRead(outcome)
  await settle()
}

it('`prepare` waits a second for a secret; a late secret’s change is announced once nobody is signed in', async () => {
  await prepare(open())
  await time.passSettling(999)
  expect(told).toEqual(['read'])
  await time.passSettling(1)
  own.connection = OTHER
  await answer()
  expect(told).toEqual(['read', 'prepared'])
  signOut()
  await settle()
  expect(told).toEqual(['read', 'prepared', 'connection changed'])
})

it('if the keychain can’t be opened, `prepare` doesn’t wait, and the delay before each new read doubles', async () => {
  await prepare(open({ kind: 'unavailable', cause: 'no answer' }))
  await time.passSettling(1)
  await answer(LOCKED)
  expect(told).toEqual(['read', 'prepared'])
  await time.passSettling(10_000)
  await answer(LOCKED)
  await time.passSettling(19_999)
  expect(told).toEqual(['read', 'prepared', 'find'])
  await time.passSettling(1)
  expect(told).toEqual(['read', 'prepared', 'find', 'find'])
})

it('a client secret that the connection doesn’t need is only read after the sessions are restored', async () => {
  own.usesClientSecret = false
  await prepare(open())
  expect(told).toEqual(['prepared'])
  restore()
  await settle()
  await answer()
  expect(told).toEqual(['prepared', 'find', 'shown'])
})

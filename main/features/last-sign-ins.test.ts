import { beforeEach, expect, it } from 'vitest'
import { GRANTS } from '../../contract/grants.ts'
import type { AccountView } from '../../contract/views.ts'
import { remembered } from '../base/key-value-store.ts'
import { Listeners } from '../base/listeners.ts'
import type { ConnectionAccount } from '../session/connection-manager.ts'
import { LastSignIns } from './last-sign-ins.ts'

const signedIn = (username: string): AccountView => ({ username, displayName: username, grant: GRANTS.password })
const at = (name: string, account?: AccountView): ConnectionAccount => ({
  name,
  address: `https://${name}.example.com`,
  account,
})
const ANA = { username: 'ana', grant: 'password' }

let kept: unknown
let isFull: boolean
let accounts: readonly ConnectionAccount[]
/** What the view contained at each announcement. */
let announced: unknown[]
let changes: Listeners

const open = () => {
  const store = {
    get: () => kept,
    set: (_: string, value: unknown) => {
      if (isFull) throw new Error('ENOSPC')
      kept = value
    },
  }
  const feature: LastSignIns = new LastSignIns({
    connections: {
      get shown() {
        return accounts[0]?.name ?? ''
      },
      get accounts() {
        return accounts
      },
      subscribe(listener) {
        listener()
        return changes.subscribe(listener)
      },
    },
    stored: remembered(store, 'lastSignIns'),
    changed: () => void announced.push(feature.view()),
  })
  feature.start()
  return feature
}
const show = (...next: readonly ConnectionAccount[]) => {
  accounts = next
  changes.tell()
}

beforeEach(() => {
  kept = undefined
  isFull = false
  announced = []
  accounts = [at('data')]
  changes = new Listeners()
})

it('the last sign-in of each connection is remembered after a sign-out and a restart, until the connection is removed', () => {
  const feature = open()
  show(at('data', signedIn('ana')), at('staging', signedIn('ana.test')))
  show(at('data'), at('staging'))
  expect(feature.view()).toEqual({ lastSignIn: ANA })
  expect(open().view()).toEqual({ lastSignIn: ANA })
  expect(announced).toEqual([{ lastSignIn: ANA }])
  show(at('staging'))
  expect(feature.view()).toEqual({ lastSignIn: { ...ANA, username: 'ana.test' } })
  show(at('data'))
  expect(feature.view()).toEqual({})
})

it('a sign-in in the browser has no username, because the user doesn’t type one in Latchkey', () => {
  const feature = open()
  show(at('data', { ...signedIn('e66b9be5-7b39'), grant: GRANTS.browser }))
  expect(feature.view()).toEqual({ lastSignIn: { username: '', grant: 'browser' } })
})

it('if the disk is full, the last sign-in stays in memory, and no error is thrown', () => {
  const feature = open()
  isFull = true
  show(at('data', signedIn('ana')))
  show(at('data'))
  expect(feature.view()).toEqual({ lastSignIn: ANA })
  expect(open().view()).toEqual({})
})

it.each(['ana', { 'https://data.example.com': { ...ANA, password: 'x' } }])(
  'the last sign-in is ignored if its stored value is invalid: %j',
  (other) => {
    kept = other
    expect(open().view()).toEqual({})
  },
)

import { expect, it } from 'vitest'
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

/** The feature with these stored values, and a function that changes the accounts of the connections. */
function open(stored = new Map<string, unknown>(), isFull = false) {
  let accounts = [at('data')]
  const changes = new Listeners()
  const set = (key: string, value: unknown) => {
    if (isFull) throw new Error('ENOSPC')
    stored.set(key, value)
  }
  /** What the view contained at each announcement. */
  const announced: unknown[] = []
  const feature: LastSignIns = new LastSignIns({
    connections: {
      get shown() {
        return accounts[0]?.name ?? ''
      },
      get accounts() {
        return accounts
      },
      subscribe: changes.subscribe,
    },
    stored: remembered({ get: (key) => stored.get(key), set }, 'lastSignIns'),
    changed: () => void announced.push(feature.view().lastSignIn),
  })
  feature.start()
  const show = (...next: ConnectionAccount[]) => {
    accounts = next
    changes.tell()
    return feature.view().lastSignIn
  }
  return { show, shown: () => feature.view().lastSignIn, announced }
}

it('the last sign-in of each connection is remembered after a sign-out and a restart, until the connection is removed', () => {
  const stored = new Map<string, unknown>()
  const { show, announced } = open(stored)
  show(at('data', signedIn('ana')), at('staging', signedIn('ana.test')))
  expect(show(at('data'), at('staging'))).toEqual(ANA)
  expect(announced).toEqual([ANA])
  expect(open(stored).shown()).toEqual(ANA)
  expect(show(at('staging'))).toEqual({ ...ANA, username: 'ana.test' })
  expect(show(at('data'))).toBeUndefined()
})

it('if the disk is full, the last sign-in stays in memory; an invalid stored value is ignored', () => {
  expect(open(new Map(), true).show(at('data', signedIn('ana')))).toEqual(ANA)
  const invalid = { 'https://data.example.com': { ...ANA, password: 'x' } }
  expect(open(new Map([['lastSignIns', invalid]])).shown()).toBeUndefined()
})

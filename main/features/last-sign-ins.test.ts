import { beforeEach, describe, expect, it } from 'vitest'
import { GRANTS } from '../../contract/grants.ts'
import type { AccountView } from '../../contract/views.ts'
import { remembered } from '../base/key-value-store.ts'
import { Listeners } from '../base/listeners.ts'
import type { ConnectionAccount } from '../session/connection-manager.ts'
import { LastSignIns } from './last-sign-ins.ts'

const signedOut = undefined
const signedIn = (username: string): AccountView => ({ username, displayName: username, grant: GRANTS.password })
const at = (name: string, account: AccountView | undefined): ConnectionAccount => ({
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
    stored: remembered(
      {
        get: () => kept,
        set: (_, value) => {
          if (isFull) throw new Error('ENOSPC')
          kept = value
        },
      },
      'lastSignIns',
    ),
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
  accounts = [at('data', signedOut)]
  changes = new Listeners()
})

describe('the last sign-in', () => {
  it('is remembered after a sign-out, and after a restart', () => {
    const feature = open()
    expect(feature.view()).toEqual({})
    show(at('data', signedIn('ana')))
    show(at('data', signedOut))
    expect(feature.view()).toEqual({ lastSignIn: ANA })
    expect(open().view()).toEqual({ lastSignIn: ANA })
  })

  it('is remembered separately for each connection', () => {
    const feature = open()
    show(at('data', signedIn('ana')), at('staging', signedIn('ana.test')))
    show(at('staging', signedOut), at('data', signedOut))
    expect(feature.view()).toEqual({ lastSignIn: { ...ANA, username: 'ana.test' } })
  })

  it('has no username after a sign-in in the browser, because the user doesn’t type one in Latchkey', () => {
    const feature = open()
    show(at('data', { ...signedIn('e66b9be5-7b39'), grant: GRANTS.browser }))
    show(at('data', signedOut))
    expect(feature.view()).toEqual({ lastSignIn: { username: '', grant: 'browser' } })
  })

  it('is removed with its connection', () => {
    const feature = open()
    show(at('data', signedIn('ana')))
    show(at('staging', signedOut))
    show(at('data', signedOut))
    expect(feature.view()).toEqual({})
  })

  it('is announced after it has changed', () => {
    open()
    show(at('data', signedIn('ana')))
    show(at('data', signedOut))
    expect(announced).toEqual([{ lastSignIn: ANA }])
  })

  it('stays in memory if the disk is full, and no error is thrown', () => {
    const feature = open()
    isFull = true
    expect(() => show(at('data', signedIn('ana')))).not.toThrow()
    show(at('data', signedOut))
    expect(feature.view()).toEqual({ lastSignIn: ANA })
    expect(open().view()).toEqual({})
  })

  it.each([{ 'https://data.example.com': 'ana' }, 'ana', { 'https://data.example.com': { ...ANA, password: 'x' } }])(
    'is ignored if the stored value is invalid: %j',
    (other) => {
      kept = other
      expect(open().view()).toEqual({})
    },
  )
})

import { beforeEach, describe, expect, it } from 'vitest'
import { GRANTS } from '../../contract/grants.ts'
import type { ConnectionSessionView, SessionView } from '../../contract/views.ts'
import { Listeners } from '../listeners.ts'
import { LastSignIns } from './last-sign-ins.ts'

type Shown = Pick<ConnectionSessionView, 'name' | 'connection' | 'session'>

const signedOut: SessionView = { kind: 'signedOut', revocation: 'none' }
const signedIn = (username: string): SessionView => ({
  kind: 'expired',
  account: { username, displayName: username, grant: GRANTS.password },
  refresh: 'idle',
  failure: { code: 'sessionEnded' },
})
const at = (name: string, session: SessionView): Shown => ({
  name,
  session,
  connection: { baseAddress: `https://${name}.example.com`, host: '', source: 'user', grants: [] },
})
const ANA = { username: 'ana', grant: 'password' }

let kept: unknown
let writes: number
let isFull: boolean
let shown: readonly Shown[]
let changes: Listeners

const open = () => {
  const feature = new LastSignIns({
    connections: {
      get view() {
        return { shown: shown[0]?.name ?? '', connections: shown }
      },
      subscribe: changes.subscribe,
    },
    stored: {
      get: () => kept,
      set: (value) => {
        if (isFull) throw new Error('ENOSPC')
        kept = value
        writes += 1
      },
    },
  })
  feature.start()
  return feature
}
const show = (...next: readonly Shown[]) => {
  shown = next
  changes.tell()
}

beforeEach(() => {
  kept = undefined
  writes = 0
  isFull = false
  shown = [at('data', signedOut)]
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

  it('is removed with its connection', () => {
    const feature = open()
    show(at('data', signedIn('ana')))
    show(at('staging', signedOut))
    show(at('data', signedOut))
    expect(feature.view()).toEqual({})
  })

  it('is not written again if it has not changed', () => {
    open()
    for (const _ of [1, 2, 3]) show(at('data', signedIn('ana')))
    expect(writes).toBe(1)
  })

  it('stays in memory if the disk is full, and no error is thrown', () => {
    const feature = open()
    isFull = true
    expect(() => show(at('data', signedIn('ana')))).not.toThrow()
    show(at('data', signedOut))
    expect(feature.view()).toEqual({ lastSignIn: ANA })
    expect(open().view()).toEqual({})
  })

  it('is not recorded after the feature has stopped', () => {
    const feature = open()
    feature.stop()
    show(at('data', signedIn('ana')))
    expect(writes).toBe(0)
  })

  it.each([{ 'https://data.example.com': 'ana' }, 'ana', { 'https://data.example.com': { ...ANA, password: 'x' } }])(
    'is ignored if the stored value is invalid: %j',
    (other) => {
      kept = other
      expect(open().view()).toEqual({})
    },
  )
})

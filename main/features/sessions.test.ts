import { beforeEach, expect, it } from 'vitest'
import { OK } from '../../contract/failures.ts'
import { Listeners } from '../listeners.ts'
import { settle } from '../session/testing/manual-time.ts'
import { Sessions } from './sessions.ts'

type Ports = ConstructorParameters<typeof Sessions>[0]

const NO_SETTINGS = {} as ReturnType<Ports['settings']['of']>['view']

let done: string[]
let changes: number
let connectionChanges: Listeners
let policyChanges: Listeners
let endReading: () => void
let sessions: Sessions

beforeEach(() => {
  done = []
  changes = 0
  connectionChanges = new Listeners()
  policyChanges = new Listeners()
  const handlers = new Proxy({} as Ports['connections']['handlers'], {
    get: (_, name) => async () => {
      done.push(String(name))
      return OK
    },
  })
  const reading = new Promise<void>((resolve) => {
    endReading = resolve
  })
  sessions = new Sessions({
    connections: {
      handlers,
      view: { connections: [], mayAddConnections: true, shown: 'staging', session: { kind: 'notConfigured' } },
      shown: 'staging',
      show: (name) => done.push(`show ${name}`) > 0,
      callsOf: (name) => {
        done.push(`calls of ${name}`)
        return handlers
      },
      subscribe: connectionChanges.subscribe,
      restored: async () => {},
      start: async () => void done.push('start'),
      stop: async () => void done.push('stop'),
    },
    prepared: () => reading,
    settings: {
      of: (name) => {
        done.push(`settings of ${name}`)
        return { view: NO_SETTINGS }
      },
    },
    onPolicyChange: policyChanges.subscribe,
    changed: () => {
      changes += 1
    },
  })
})

it('the view has all connections, and the settings of the one that the window shows', () => {
  expect(sessions.view()).toEqual({
    connections: [],
    mayAddConnections: true,
    shown: 'staging',
    session: { kind: 'notConfigured' },
    settings: NO_SETTINGS,
  })
  expect(done).toEqual(['settings of staging'])
})

it('every change of a connection is announced, until the feature is stopped', async () => {
  await sessions.start()
  connectionChanges.tell()
  expect(changes).toBe(1)
  endReading()
  await sessions.stop()
  connectionChanges.tell()
  expect(changes).toBe(1)
})

it('the configured connections are opened at the start and when the policy changes', async () => {
  await sessions.start()
  await sessions.opened()
  policyChanges.tell()
  expect(done).toEqual(['start', 'start'])
})

it('stopping waits until the connections have stopped and no keychain read is pending', async () => {
  await sessions.start()
  let isStopped = false
  const stopped = sessions.stop().then(() => {
    isStopped = true
  })
  await settle()
  expect([done, isStopped]).toEqual([['start', 'stop'], false])
  endReading()
  await stopped
})

it('a call acts on the named connection or, without a name, on the one that the window shows', () => {
  sessions.show('default')
  sessions.refreshNow('default')
  sessions.refreshNow()
  sessions.signOut()
  expect(done).toEqual([
    'show default',
    'calls of default',
    'refreshNow',
    'calls of staging',
    'refreshNow',
    'calls of staging',
    'signOut',
  ])
})

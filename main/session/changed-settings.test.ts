import { beforeEach, describe, expect, it } from 'vitest'
import { OK, type Outcome } from '../../contract/failures.ts'
import { GRANTS } from '../../contract/grants.ts'
import { ManualTime, settle } from '../../test/support/manual-time.ts'
import { ModelMarker, ModelStore } from '../../test/support/session/model-store.ts'
import { DeadlineClock } from '../base/clock.ts'
import { password } from '../base/secret.ts'
import type { Connection } from './connection.ts'
import { ConnectionManager } from './connection-manager.ts'
import { grantsByName, stepOf } from './grants/grant.ts'
import type { TokenPair } from './ports.ts'
import { SessionEngine } from './session-engine.ts'

const A: Connection = { baseAddress: 'https://a.example', host: 'a.example', source: 'user' }
const B: Connection = { baseAddress: 'https://b.example', host: 'b.example', source: 'user' }
const withProvider = (clientId: string): Connection => ({
  ...A,
  identityProvider: { flow: 'browser', authUrl: 'https://login.example', scope: 'openid', clientId },
})
let set: Connection | undefined
let connections: ConnectionManager
let opened: string[]
let keychain: ModelStore
let answerLogin: ((answer: Outcome<TokenPair>) => void) | undefined

beforeEach(() => {
  set = undefined
  opened = []
  answerLogin = undefined
  const clock = new DeadlineClock(new ManualTime())
  keychain = new ModelStore()
  const store = keychain.open(clock)
  const marker = new ModelMarker()
  const login = () =>
    new Promise<Outcome<TokenPair>>((resolve) => {
      answerLogin = resolve
    })
  const refresh = async () => ({ ok: false, failure: { code: 'unreachable' } }) as const
  connections = new ConnectionManager({
    settings: { names: ['default'], mayAdd: false, isOwn: () => false, add: async () => OK, remove: async () => OK },
    removed: { installation: 'here', markers: () => ({}), openRemoved: () => expect.unreachable() },
    configured: () => set,
    prepare: async () => {},
    open: (_, { baseAddress }) => {
      opened.push(baseAddress)
      return new SessionEngine({
        address: baseAddress,
        installation: 'here',
        grants: grantsByName([
          { description: GRANTS.password, issuer: baseAddress, begin: async () => stepOf(await login()), refresh },
        ]),
        store,
        marker,
        clock,
        random: () => 0.5,
      })
    },
    clock,
  })
})

const configure = async (connection: Connection) => {
  set = connection
  await connections.apply('default')
  await settle()
}
const signIn = () => connections.session()?.signIn.begin('password', { username: 'ana', password: password('x') })

describe('applying the settings', () => {
  it('keeps the running session if none of its settings changed', async () => {
    await configure(A)
    const session = connections.session()
    await configure(A)
    expect(connections.session()).toBe(session)
    expect(opened).toHaveLength(1)
  })

  it.each([B, withProvider('another')])('opens a new session if one of its settings changed: %j', async (input) => {
    await configure(A)
    await configure(input)
    expect(opened).toEqual([A.baseAddress, input.baseAddress])
  })
})

describe('an old session with pending work', () => {
  it('ends before a new session begins at the same address', async () => {
    await configure(A)
    void signIn()
    await configure(withProvider('another'))
    expect(connections.view.session).toEqual({ kind: 'restoring' })
    expect(opened).toHaveLength(1)
    answerLogin?.({ ok: false, failure: { code: 'rejected' } })
    await settle()
    expect(opened).toHaveLength(2)
  })
})

it('a stopped connection opens no session', async () => {
  set = A
  const starting = connections.start()
  await connections.stop()
  await starting
  expect(opened).toEqual([])
})

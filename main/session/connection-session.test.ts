import { beforeEach, describe, expect, it } from 'vitest'
import type { Outcome } from '../../contract/failures.ts'
import { GRANTS } from '../../contract/grants.ts'
import { DeadlineClock } from '../base/clock.ts'
import { password } from '../base/secret.ts'
import type { Connection } from './connection.ts'
import { ConnectionSession } from './connection-session.ts'
import { grantsByName, stepOf } from './grants/grant.ts'
import type { TokenPair } from './ports.ts'
import { SessionEngine } from './session-engine.ts'
import { ManualTime, settle } from './testing/manual-time.ts'
import { ModelMarker, ModelStore } from './testing/model-store.ts'

const A: Connection = { baseAddress: 'https://a.example', host: 'a.example', source: 'user' }
const B: Connection = { baseAddress: 'https://b.example', host: 'b.example', source: 'user' }
const withProvider = (clientId: string): Connection => ({
  ...A,
  identityProvider: { flow: 'browser', authUrl: 'https://login.example', scope: 'openid', clientId },
})
let set: Connection | undefined
let named: ConnectionSession
let closing: Map<string, Promise<void>>
/** The addresses of the opened sessions, in order. */
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
  closing = new Map()
  named = new ConnectionSession({
    configured: () => set,
    prepare: async () => {},
    open: ({ baseAddress }) => {
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
    closing,
    release: (address) => closing.get(address),
    onMoved: () => {},
    onChange: () => {},
  })
})

/** Changes the settings and applies them. */
const configure = async (connection: Connection) => {
  set = connection
  await named.apply()
  await settle()
}
const signIn = () => named.session?.signIn.begin('password', { username: 'ana', password: password('x') })

describe('applying the settings', () => {
  it('keeps the running session if none of its settings changed', async () => {
    await configure(A)
    const { session } = named
    await configure(A)
    expect(named.session).toBe(session)
    expect(opened).toHaveLength(1)
  })

  it.each([B, withProvider('another')])('opens another session if one of its settings changed: %j', async (input) => {
    await configure(A)
    await configure(input)
    expect(opened).toEqual([A.baseAddress, input.baseAddress])
  })
})

describe('an old session with pending work', () => {
  it('ends before a new session at the same address begins', async () => {
    await configure(A)
    void signIn()
    await configure(withProvider('another'))
    expect(named.view.session).toEqual({ kind: 'restoring' })
    expect(opened).toHaveLength(1)
    answerLogin?.({ ok: false, failure: { code: 'rejected' } })
    await settle()
    expect(opened).toHaveLength(2)
  })
})

it('a connection opens no session after it was stopped', async () => {
  set = A
  const starting = named.start()
  await named.stop()
  await starting
  expect(opened).toEqual([])
})

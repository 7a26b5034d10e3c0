/** The real agent over the real engine, signed in to a service, in plain Node. */

import { Agent } from '../../main/agent/agent.ts'
import { SessionSource } from '../../main/agent/session-source.ts'
import { MemoryStore } from '../../main/keychain/memory-store.ts'
import { createAuthService } from '../../main/service/auth-service.ts'
import { createHttpClient } from '../../main/service/http-client.ts'
import { DeadlineClock, systemTime } from '../../main/session/clock.ts'
import type { Marker } from '../../main/session/ports.ts'
import { password } from '../../main/session/secret.ts'
import { Session } from '../../main/session/session.ts'
import { viewOf } from '../../main/session/state.ts'
import { only } from '../../test/agent/only.ts'
import { ready, takeOrder } from './serve.ts'

export interface AgentOrder {
  readonly socket: string
  readonly baseAddress: string
  readonly username: string
  readonly password: string
}

const order = await takeOrder<AgentOrder>()
const { socket, baseAddress, username } = order
const clock = new DeadlineClock(systemTime)
const markers = new Map<string, Marker>()
const session = new Session({
  name: baseAddress,
  services: {
    password: createAuthService({ baseAddress, http: createHttpClient({ userAgent: 'Latchkey/bench', clock }) }),
  },
  store: new MemoryStore(),
  marker: {
    get: (name) => markers.get(name),
    set: (name, marker) => void markers.set(name, marker),
    clear: (name) => void markers.delete(name),
  },
  clock,
  random: Math.random,
})
const agent = new Agent({
  location: { kind: 'socket', path: socket },
  connections: only(
    new SessionSource(
      { session: () => session, subscribe: (listener) => session.subscribe(() => listener()) },
      'default',
    ),
  ),
  view: () => ({ version: 'bench', session: viewOf(session.state, clock) }),
  clock,
  uid: process.getuid?.(),
})

await session.start()
const signedIn = await session.signIn('password', { username, password: password(order.password) })
if (!signedIn.ok) throw new Error(`not signed in: ${signedIn.failure.code}`)
const state = await agent.start()
if (state.kind !== 'on') throw new Error(`the agent is ${JSON.stringify(state)}`)
ready()

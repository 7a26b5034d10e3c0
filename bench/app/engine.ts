/**
 * The session engine beside bare got calls, in plain Node, in a process of its own: from the call until the state that it
 * leads to is published. The keychain is memory. Prints the figures as JSON.
 */
import { Agent } from 'node:http'
import got from 'got'
import { MemoryStore } from '../../main/keychain/memory-store.ts'
import { createAuthService } from '../../main/service/auth-service.ts'
import { createHttpClient } from '../../main/service/http-client.ts'
import { DeadlineClock, systemTime } from '../../main/session/clock.ts'
import type { Marker } from '../../main/session/ports.ts'
import { password as secret } from '../../main/session/secret.ts'
import { Session } from '../../main/session/session.ts'
import type { SessionState } from '../../main/session/state.ts'
import { median } from '../statistics.ts'
import { alternate, type Figure } from './rounds.ts'

export interface EngineOrder {
  readonly baseAddress: string
  readonly username: string
  readonly password: string
  readonly rounds: number
  /** Sessions, from login to logout, of each side in a round. */
  readonly sessions: number
}

interface Pair {
  readonly token: string
  readonly refreshToken: string
}

const STEPS = ['login', 'refresh', 'logout'] as const
type Times = Record<(typeof STEPS)[number], number>

const { baseAddress, username, password, rounds, sessions }: EngineOrder = JSON.parse(process.argv[2] ?? '')
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

/** Milliseconds from a call until the state that it leads to is published; resolves when the call has ended, too. */
async function until(call: () => Promise<unknown>, isThere: (state: SessionState) => boolean): Promise<number> {
  let undo = () => {}
  const published = new Promise<number>((resolve) => {
    let isFirst = true
    undo = session.subscribe((state) => {
      // The present one comes at once.
      if (isFirst) isFirst = false
      else if (isThere(state)) resolve(performance.now())
    })
  })
  const begun = performance.now()
  const [at] = await Promise.all([published, call()])
  undo()
  return at - begun
}

const isActive = (state: SessionState) => state.kind === 'active' && state.renewal === 'idle'

async function ours(): Promise<Times> {
  const credentials = { username, password: secret(password) }
  return {
    login: await until(() => session.signIn('password', credentials), isActive),
    refresh: await until(() => session.renew(), isActive),
    logout: await until(
      () => session.signOut(),
      (state) => state.kind === 'signedOut' && state.revocation === 'done',
    ),
  }
}

/** A connection a call: between calls that are an hour apart none is kept. */
const apart = got.extend({ agent: { http: new Agent({ keepAlive: false }) } })

async function bare(): Promise<Times> {
  const time = async <T>(step: () => Promise<T>): Promise<[number, T]> => {
    const begun = performance.now()
    const value = await step()
    return [performance.now() - begun, value]
  }
  const [login, first] = await time(() => apart(`${baseAddress}/auth/login`, { username, password }).json<Pair>())
  const { refreshToken } = first
  const [refresh, pair] = await time(() =>
    apart.post(`${baseAddress}/auth/refresh`, { json: { refreshToken } }).json<Pair>(),
  )
  const [logout] = await time(() =>
    apart
      .post(`${baseAddress}/auth/logout`, {
        headers: { authorization: `Bearer ${pair.token}` },
        json: { refreshToken: pair.refreshToken },
      })
      .json(),
  )
  return { login, refresh, logout }
}

/** The median of several sessions. */
const repeat = (once: () => Promise<Times>) => async (): Promise<Times> => {
  const taken: Times[] = []
  for (let count = 0; count < sessions; count++) taken.push(await once())
  const of = (step: keyof Times) => median(taken.map((each) => each[step]))
  return { login: of('login'), refresh: of('refresh'), logout: of('logout') }
}

await session.start()
const taken = await alternate(rounds, { ours: repeat(ours), floor: repeat(bare) })
await session.stop()
const figures = STEPS.map(
  (step): Figure => ({
    name: `${step}, call to published state`,
    unit: 'ms',
    most: 1.1,
    ours: taken.ours.map((each) => each[step]),
    floor: taken.floor.map((each) => each[step]),
  }),
)
console.log(JSON.stringify(figures))

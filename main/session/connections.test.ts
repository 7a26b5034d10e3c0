import { beforeEach, describe, expect, it } from 'vitest'
import type { Outcome } from '../../preload/contract.ts'
import { DeadlineClock } from './clock.ts'
import { Connections } from './connections.ts'
import { NamedConnection } from './named-connection.ts'
import type { Issued } from './ports.ts'
import { accessToken, refreshToken } from './secret.ts'
import { Session } from './session.ts'
import { HandTime, settle } from './testing/hand-time.ts'
import { ModelMarker, ModelStore } from './testing/model-store.ts'

interface Connection {
  readonly baseAddress: string
}

const OK: Outcome = { ok: true, value: undefined }
const UNREACHABLE = { ok: false, failure: { code: 'unreachable', details: { cause: 'ECONNREFUSED' } } } as const

let addresses: Map<string, string>
let mayAdd: boolean
let connections: Connections<Connection>
let opened: string[]
let logouts: string[]
let isReachable: boolean

beforeEach(() => {
  addresses = new Map([['default', 'https://a.example']])
  mayAdd = true
  opened = []
  logouts = []
  isReachable = true
  const clock = new DeadlineClock(new HandTime())
  const store = new ModelStore().open(clock)
  const marker = new ModelMarker()
  const open = ({ baseAddress }: Connection) => {
    opened.push(baseAddress)
    const issued: Issued = {
      accessToken: accessToken(`access ${baseAddress}`),
      refreshToken: refreshToken(`refresh ${baseAddress}`),
    }
    const password = {
      login: async (): Promise<Outcome<Issued>> => ({ ok: true, value: issued }),
      refresh: async (): Promise<Outcome<Issued>> => (isReachable ? { ok: true, value: issued } : UNREACHABLE),
      logout: async (): Promise<Outcome> => {
        logouts.push(baseAddress)
        return isReachable ? OK : UNREACHABLE
      },
    }
    return new Session({ name: baseAddress, services: { password }, store, marker, clock, random: () => 0.5 })
  }
  connections = new Connections<Connection>({
    settings: {
      get names() {
        return [...addresses.keys()]
      },
      get mayAdd() {
        return mayAdd
      },
      isOwn: (name) => name !== 'default',
      add(name, baseAddress) {
        if (addresses.has(name)) return { ok: false, failure: { code: 'invalidInput', fields: { name: 'taken' } } }
        addresses.set(name, baseAddress)
        return OK
      },
      remove: async (name) => void addresses.delete(name),
    },
    make: (name, around) =>
      new NamedConnection({
        ...around,
        settings: {
          connection: () => {
            const baseAddress = addresses.get(name)
            return baseAddress ? { baseAddress } : undefined
          },
          view: ({ baseAddress }) => ({
            baseAddress,
            host: new URL(baseAddress).host,
            source: 'user',
            methods: ['password'],
          }),
          isSame: (one, other) => one?.baseAddress === other?.baseAddress,
          save: async () => OK,
          check: () => OK,
        },
        prepare: async () => {},
        open,
        onStep: () => {},
        clock,
      }),
  })
})

const add = async (name: string, baseAddress: string) => {
  const outcome = await connections.handlers.addConnection({ name, baseAddress })
  await settle()
  return outcome
}
const signIn = () => connections.handlers.signIn({ method: 'password', username: 'ana', password: 'x' })
const kinds = () => Object.fromEntries(connections.view.connections.map(({ name, session }) => [name, session.kind]))

it('shows the first that is configured, where nobody has chosen another', async () => {
  addresses = new Map([
    ['default', ''],
    ['staging', 'https://b.example'],
    ['other', 'https://c.example'],
  ])
  await connections.start()
  expect(connections.shown).toBe('staging')
  await connections.handlers.showConnection({ name: 'other' })
  expect(connections.shown).toBe('other')
  addresses.delete('other')
  await connections.start()
  expect(connections.shown).toBe('staging')
})

describe('connections beside one another', () => {
  it('each has a session of its own, and what the window asks is about the shown one', async () => {
    await connections.start()
    await settle()
    await signIn()
    expect(await add('staging', 'https://b.example')).toEqual(OK)
    expect(connections.view).toMatchObject({ shown: 'staging', session: { kind: 'signedOut' } })
    expect(kinds()).toEqual({ default: 'active', staging: 'signedOut' })
    await signIn()
    expect(kinds()).toEqual({ default: 'active', staging: 'active' })
    expect(connections.session('default')?.accessToken?.reveal()).toBe('access https://a.example')
    expect(connections.session('staging')?.accessToken?.reveal()).toBe('access https://b.example')

    await connections.handlers.showConnection({ name: 'default' })
    await connections.handlers.signOut(undefined)
    expect(kinds()).toEqual({ default: 'signedOut', staging: 'active' })
    expect(logouts).toEqual(['https://a.example'])
  })

  it('one that there is not is not shown', async () => {
    await expect(connections.handlers.showConnection({ name: 'nowhere' })).resolves.toMatchObject({ ok: false })
    expect(connections.view.shown).toBe('default')
  })

  it('what can’t be added changes nothing', async () => {
    await connections.start()
    await expect(add('default', 'https://b.example')).resolves.toMatchObject({ ok: false })
    expect(connections.view.connections).toHaveLength(1)
    expect(opened).toEqual(['https://a.example'])
  })
})

describe('a connection that is taken away', () => {
  it('is signed out at its service first, and the others go on', async () => {
    await connections.start()
    await settle()
    await signIn()
    await add('staging', 'https://b.example')
    await signIn()
    await expect(connections.handlers.removeConnection({ name: 'staging' })).resolves.toEqual(OK)
    expect(logouts).toEqual(['https://b.example'])
    expect(kinds()).toEqual({ default: 'active' })
    expect(connections.view.shown).toBe('default')
  })

  it('stays where its service could not be told, and says why', async () => {
    await connections.start()
    await add('staging', 'https://b.example')
    await signIn()
    isReachable = false
    const outcome = await connections.handlers.removeConnection({ name: 'staging' })
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'unreachable' } })
    expect(kinds()).toMatchObject({ staging: 'signedOut' })
  })

  it('is not the administrator’s, nor the default one', async () => {
    await connections.start()
    await expect(connections.handlers.removeConnection({ name: 'default' })).resolves.toMatchObject({ ok: false })
    expect(addresses.has('default')).toBe(true)
  })

  it('by the administrator is closed, and signs nobody out', async () => {
    await connections.start()
    await add('staging', 'https://b.example')
    await signIn()
    addresses.delete('staging')
    await connections.start()
    expect(connections.session('staging')).toBeUndefined()
    expect(connections.view).toMatchObject({ shown: 'default' })
    expect(logouts).toEqual([])
    addresses.set('staging', 'https://b.example')
    await connections.start()
    await settle()
    expect(kinds()).toMatchObject({ staging: 'active' })
  })
})

it('is busy while somebody signs in, whatever comes of it', async () => {
  await connections.start()
  await settle()
  const signingIn = signIn()
  expect(connections.isBusy).toBe(true)
  await signingIn
  expect(connections.isBusy).toBe(false)
})

it('opens nothing after it was stopped', async () => {
  await connections.stop()
  await connections.start()
  await settle()
  expect(opened).toEqual([])
})

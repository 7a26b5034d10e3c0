import type { EventEmitter } from 'node:events'
import type { MessageBus } from '@jellybrick/dbus-next'
import * as v from 'valibot'
import type { Clock } from '../base/clock.ts'
import { withTimeout } from '../base/waits.ts'
import { callOn, openSessionBus } from '../dbus/session-bus.ts'
import { KEYCHAIN_SERVICE, messageOf, type SecretServiceState } from './keytar-store.ts'

interface SecretServiceOptions {
  readonly clock: Pick<Clock, 'now' | 'at'>
  /** The D-Bus address to use; by default, that of the session bus. */
  readonly busAddress?: string
}

const TIMEOUT_MS = 2_000
export const SECRET_SERVICE_NAME = 'org.freedesktop.secrets'
const ROOT = '/org/freedesktop/secrets'
/** How many queries in a row must find no default collection: gnome-keyring 42 sometimes finds none by mistake. */
const REPEATS = 3
/** What the bus says if no Secret Service runs and none can be started. */
const NOBODY = /^org\.freedesktop\.DBus\.Error\.(ServiceUnknown|NameHasNoOwner|Spawn\..*)$/

const pathReply = v.tuple([v.string()])
const booleanReply = v.tuple([v.object({ value: v.boolean() })])
const searchReply = v.tuple([v.array(v.string()), v.array(v.string())])

const KEPT_MS = 500

const LATE: SecretServiceState = { kind: 'unavailable', cause: 'the Secret Service did not answer in time' }

interface BusConnection {
  readonly bus: Promise<MessageBus>
  /** Resolves when the connection breaks. The value is then the result of all pending queries. */
  readonly broken: Promise<SecretServiceState>
  close(): void
  pending: number
  cancelIdle: () => void
}

/** Whether the default collection is locked. libsecret can't tell: a locked entry looks missing to it. */
export class SecretService {
  readonly #options: SecretServiceOptions
  #connection: BusConnection | undefined

  constructor(options: SecretServiceOptions) {
    this.#options = options
  }

  /** Never prompts or rejects (Secret Service API 0.2: `ReadAlias`, `Collection.Locked`, `SearchItems`). */
  async ask(account?: string): Promise<SecretServiceState> {
    const { clock } = this.#options
    this.#connection ??= this.#open()
    const connection = this.#connection
    connection.cancelIdle()
    connection.pending += 1
    const asked = connection.bus.then((bus) => stateOf(bus, account))
    const state = await withTimeout(clock, TIMEOUT_MS, Promise.race([asked, connection.broken]), LATE)
    connection.pending -= 1
    // The next query opens a new connection.
    if (state.kind === 'absent' || state.kind === 'unavailable') this.#drop(connection)
    if (connection.pending === 0) this.#keep(connection)
    return state
  }

  #open(): BusConnection {
    const controller = new AbortController()
    const bus = openSessionBus({ busAddress: this.#options.busAddress, signal: controller.signal })
    const broken = new Promise<SecretServiceState>((resolve) => {
      const fail = (kind: 'absent' | 'unavailable') => (error: unknown) => {
        this.#drop(connection)
        resolve({ kind, cause: messageOf(error) })
      }
      bus.then((opened: EventEmitter) => opened.on('error', fail('unavailable')), fail('absent'))
    })
    const connection: BusConnection = { bus, broken, close: () => controller.abort(), pending: 0, cancelIdle: () => {} }
    return connection
  }

  #drop(connection: BusConnection): void {
    if (this.#connection === connection) this.#connection = undefined
  }

  #keep(connection: BusConnection): void {
    const { clock } = this.#options
    if (this.#connection !== connection) connection.close()
    else connection.cancelIdle = clock.at(clock.now() + KEPT_MS, () => this.#close(connection))
  }

  #close(connection: BusConnection): void {
    this.#drop(connection)
    connection.close()
  }
}

async function stateOf(bus: MessageBus, account: string | undefined): Promise<SecretServiceState> {
  const call = (path: string, iface: string, member: string, signature: string, body: unknown[]) =>
    callOn(bus, { destination: SECRET_SERVICE_NAME, path, interface: iface, member, signature, body })
  const defaultCollection = async (): Promise<string | undefined> => {
    for (let asked = 0; asked < REPEATS; asked++) {
      const alias = await call(ROOT, 'org.freedesktop.Secret.Service', 'ReadAlias', 's', ['default'])
      const [collection] = v.parse(pathReply, alias)
      if (collection !== '/') return collection
    }
    return undefined
  }
  try {
    const collection = await defaultCollection()
    if (collection === undefined) return { kind: 'uncreated' }
    const property = ['org.freedesktop.Secret.Collection', 'Locked']
    const locked = await call(collection, 'org.freedesktop.DBus.Properties', 'Get', 'ss', property)
    if (v.parse(booleanReply, locked)[0].value) return { kind: 'locked' }
    if (account === undefined) return { kind: 'unlocked' }
    const attributes = { service: KEYCHAIN_SERVICE, account }
    const found = await call(ROOT, 'org.freedesktop.Secret.Service', 'SearchItems', 'a{ss}', [attributes])
    const [, lockedItems] = v.parse(searchReply, found)
    return { kind: lockedItems.length === 0 ? 'unlocked' : 'withheld' }
  } catch (error) {
    const isNobody = error instanceof Error && 'type' in error && NOBODY.test(String(error.type))
    return { kind: isNobody ? 'absent' : 'unavailable', cause: messageOf(error) }
  }
}

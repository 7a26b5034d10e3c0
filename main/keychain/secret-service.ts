import type { EventEmitter } from 'node:events'
import type { MessageBus } from '@jellybrick/dbus-next'
import * as v from 'valibot'
import type { Clock } from '../session/ports.ts'
import { withTimeout } from '../session/with-timeout.ts'
import { messageOf } from './storable.ts'

/** What the Secret Service says of its default collection, where keytar writes. */
export type SecretServiceState =
  | { readonly kind: 'unlocked' }
  | { readonly kind: 'locked' }
  /** There is no default collection yet: the first write asks the user to make one. */
  | { readonly kind: 'uncreated' }
  /** No session bus, or no Secret Service on it. */
  | { readonly kind: 'absent'; readonly cause: string }
  /** It is there and didn't answer, or not in time. */
  | { readonly kind: 'unavailable'; readonly cause: string }

export interface SecretServiceOptions {
  readonly clock: Pick<Clock, 'now' | 'at'>
  /** Milliseconds. */
  readonly patience?: number
  /** A D-Bus address; the session's own where absent. */
  readonly busAddress?: string
}

const PATIENCE = 2_000
const NAME = 'org.freedesktop.secrets'
const ROOT = '/org/freedesktop/secrets'
/**
 * How often the service has to say that there is no default collection: to one caller in some thousands gnome-keyring 42
 * says so at first where there is one, and tells the same caller better when it asks again.
 */
const BELIEVED = 3
/** What the bus says when nobody owns the name and nobody can be started to. */
const NOBODY = /^org\.freedesktop\.DBus\.Error\.(ServiceUnknown|NameHasNoOwner|Spawn\..*)$/

const pathReply = v.tuple([v.string()])
const booleanReply = v.tuple([v.object({ value: v.boolean() })])

/** How long a connection is kept for the next question: milliseconds. At a start several follow each other. */
const KEPT = 500

const LATE: SecretServiceState = { kind: 'unavailable', cause: 'the Secret Service did not answer in time' }

type DBus = typeof import('@jellybrick/dbus-next')

/** A connection to the bus. It ends when nothing is asked over it any more. */
interface Line {
  readonly bus: MessageBus
  /** What becomes of the questions when it breaks. */
  readonly broken: Promise<SecretServiceState>
  /** How many questions are under way. */
  asking: number
  cancelIdle: () => void
}

/**
 * The Secret Service, asked whether its default collection is locked, because libsecret answers "nothing" for a locked entry
 * and for a missing one alike.
 */
export class SecretService {
  readonly #options: SecretServiceOptions
  /** The one that the next question takes. */
  #line: Line | undefined

  constructor(options: SecretServiceOptions) {
    this.#options = options
  }

  /** As of now (Secret Service API 0.2, `ReadAlias` and `Collection.Locked`). Never makes a prompt appear; never rejects. */
  async ask(): Promise<SecretServiceState> {
    const dbus = await import('@jellybrick/dbus-next')
    const { clock, patience = PATIENCE } = this.#options
    this.#line ??= this.#open(dbus)
    const line = this.#line
    line.cancelIdle()
    line.asking += 1
    const state = await withTimeout(clock, patience, Promise.race([stateOf(line.bus, dbus), line.broken]), LATE)
    line.asking -= 1
    // Whatever has become of it, the next question has a new one.
    if (state.kind === 'absent' || state.kind === 'unavailable') this.#forget(line)
    if (line.asking === 0) this.#rest(line)
    return state
  }

  #open({ sessionBus }: DBus): Line {
    const { busAddress } = this.#options
    const bus = sessionBus(busAddress === undefined ? {} : { busAddress })
    const broken = new Promise<SecretServiceState>((resolve) => {
      // Within this very turn: an error that nobody hears ends the process.
      const events: EventEmitter = bus
      events.on('error', (error: unknown) => {
        this.#forget(line)
        // Until the bus has given us a name there is no bus for us.
        resolve({ kind: bus.name === null ? 'absent' : 'unavailable', cause: messageOf(error) })
      })
    })
    const line = { bus, broken, asking: 0, cancelIdle: () => {} }
    return line
  }

  #forget(line: Line): void {
    if (this.#line === line) this.#line = undefined
  }

  /** Nobody waits for an answer over it: kept for the next question, if there is one that takes it. */
  #rest(line: Line): void {
    const { clock } = this.#options
    if (this.#line !== line) hangUp(line.bus)
    else line.cancelIdle = clock.at(clock.now() + KEPT, () => this.#hangUp(line))
  }

  #hangUp(line: Line): void {
    this.#forget(line)
    hangUp(line.bus)
  }
}

function hangUp(bus: MessageBus): void {
  bus.disconnect()
  // A connection that comes about only now is ended too.
  bus.once('connect', () => bus.disconnect())
}

async function stateOf(bus: MessageBus, { Message }: DBus): Promise<SecretServiceState> {
  const call = async (path: string, iface: string, member: string, signature: string, body: string[]) => {
    const reply = await bus.call(
      new Message({ destination: NAME, path, interface: iface, member, signature, body: [...body] }),
    )
    return reply?.body
  }
  const defaultCollection = async (): Promise<string | undefined> => {
    for (let asked = 0; asked < BELIEVED; asked++) {
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
    return { kind: v.parse(booleanReply, locked)[0].value ? 'locked' : 'unlocked' }
  } catch (error) {
    const isNobody = error instanceof Error && 'type' in error && NOBODY.test(String(error.type))
    return { kind: isNobody ? 'absent' : 'unavailable', cause: messageOf(error) }
  }
}

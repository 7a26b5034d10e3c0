import type { EventEmitter } from 'node:events'
import type { MessageBus } from '@jellybrick/dbus-next'
import * as v from 'valibot'
import type { Clock } from '../session/ports.ts'
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

/**
 * Asks the Secret Service whether its default collection is locked (Secret Service API 0.2, `ReadAlias` and
 * `Collection.Locked`), because libsecret answers "nothing" for a locked entry and for a missing one alike.
 * Neither question makes a prompt appear. One short connection; never throws.
 */
export async function askSecretService(options: SecretServiceOptions): Promise<SecretServiceState> {
  const { clock, patience = PATIENCE, busAddress } = options
  const { Message, sessionBus } = await import('@jellybrick/dbus-next')
  const bus = sessionBus(busAddress === undefined ? {} : { busAddress })

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

  const ask = async (): Promise<SecretServiceState> => {
    const collection = await defaultCollection()
    if (collection === undefined) return { kind: 'uncreated' }
    const property = ['org.freedesktop.Secret.Collection', 'Locked']
    const locked = await call(collection, 'org.freedesktop.DBus.Properties', 'Get', 'ss', property)
    return { kind: v.parse(booleanReply, locked)[0].value ? 'locked' : 'unlocked' }
  }

  return new Promise((resolve) => {
    const cancelDeadline = clock.at(clock.now() + patience, () => {
      settle({ kind: 'unavailable', cause: 'the Secret Service did not answer in time' })
    })
    const settle = (state: SecretServiceState): void => {
      cancelDeadline()
      hangUp(bus)
      resolve(state)
    }
    // Until the bus has given us a name there is no bus for us.
    const events: EventEmitter = bus
    events.on('error', (error: unknown) => {
      settle({ kind: bus.name === null ? 'absent' : 'unavailable', cause: messageOf(error) })
    })
    ask().then(settle, (error: unknown) => {
      const nobody = error instanceof Error && 'type' in error && NOBODY.test(String(error.type))
      settle({ kind: nobody ? 'absent' : 'unavailable', cause: messageOf(error) })
    })
  })
}

function hangUp(bus: MessageBus): void {
  bus.disconnect()
  // A connection that comes about only now is ended too.
  bus.once('connect', () => bus.disconnect())
}

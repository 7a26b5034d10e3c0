import { type EventEmitter, once } from 'node:events'
import type { Message, MessageBus } from '@jellybrick/dbus-next'
import * as v from 'valibot'
import type { Clock } from '../base/clock.ts'
import { openSessionBus, ownerChanges, receiveMessages } from '../dbus/session-bus.ts'
import { SECRET_SERVICE_NAME } from './secret-service.ts'

interface WatchOptions {
  readonly clock: Pick<Clock, 'now' | 'at'>
  /** The D-Bus address to use; by default, that of the session bus. */
  readonly busAddress?: string
}

/** A new service needs a moment to open its collections, and deletions come in groups. */
const SETTLE_MS = 2_000
/** The wait before connecting again is long, because the bus usually ends with the desktop's session. */
const RECONNECT_MS = 60_000
const SIGNALS = [
  ownerChanges(SECRET_SERVICE_NAME),
  `type='signal',sender='${SECRET_SERVICE_NAME}',member='CollectionDeleted'`,
  `type='signal',sender='${SECRET_SERVICE_NAME}',member='ItemDeleted'`,
]
const newOwner = v.tuple([v.literal(SECRET_SERVICE_NAME), v.string(), v.pipe(v.string(), v.minLength(1))])

const isLoss = ({ member, body }: Message): boolean =>
  member === 'NameOwnerChanged' ? v.is(newOwner, body) : member === 'CollectionDeleted' || member === 'ItemDeleted'

/**
 * Calls `lost` soon after the Secret Service was replaced, or after an entry or a collection was deleted. Returns a
 * function that stops watching; if a call to `lost` is pending then, the returned function makes it at once.
 */
export function watchSecretService({ clock, busAddress }: WatchOptions, lost: () => void): () => void {
  const over = new AbortController()
  let cancelReconnect = (): void => {}
  let cancelTelling: (() => void) | undefined
  const tell = () => {
    cancelTelling = undefined
    lost()
  }
  const tellSoon = () => {
    cancelTelling ??= clock.at(clock.now() + SETTLE_MS, tell)
  }
  const watch = async (bus: MessageBus, isAgain: boolean) => {
    const ended = once(bus as EventEmitter, 'error')
    await Promise.race([ended, receiveMessages(bus, SIGNALS, (message) => isLoss(message) && tellSoon())])
    // Changes may have been missed while the bus was gone.
    if (isAgain) tellSoon()
    await ended
  }
  const connect = async (isAgain: boolean) => {
    const own = new AbortController()
    const signal = AbortSignal.any([over.signal, own.signal])
    const opened = await openSessionBus({ busAddress, signal }).catch(() => undefined)
    if (opened !== undefined) await watch(opened, isAgain).catch(() => {})
    own.abort()
    if (over.signal.aborted || (opened === undefined && !isAgain)) return
    cancelReconnect = clock.at(clock.now() + RECONNECT_MS, () => void connect(true))
  }
  void connect(false)
  return () => {
    over.abort()
    cancelReconnect()
    cancelTelling?.()
    if (cancelTelling !== undefined) tell()
  }
}

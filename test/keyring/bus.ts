import { EventEmitter } from 'node:events'
import { Message, type MessageBus, type MessageLike, sessionBus } from '@jellybrick/dbus-next'

export type Call = (call: MessageLike) => Promise<readonly unknown[]>

/** Rejects if nobody listens at the address. */
export async function connect(busAddress: string): Promise<MessageBus> {
  const bus = sessionBus({ busAddress })
  const events: EventEmitter = bus
  // Without a listener, a later error would be thrown.
  events.on('error', () => {})
  await EventEmitter.once(events, 'connect')
  return bus
}

export async function onBus<T>(busAddress: string, use: (call: Call) => Promise<T>): Promise<T> {
  const bus = await connect(busAddress)
  try {
    return await use(async (call) => (await bus.call(new Message(call)))?.body ?? [])
  } finally {
    bus.disconnect()
  }
}

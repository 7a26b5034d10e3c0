/** Calls over the session bus (D-Bus). They never block this thread. */
import type { EventEmitter } from 'node:events'
import type { Message, MessageBus } from '@jellybrick/dbus-next'
import { openSessionBus } from './session-bus.ts'

export type Bus = 'session' | { readonly busAddress: string }

/** The fields that address a message to the bus itself (D-Bus specification: Message Bus Messages). */
export const BUS_DAEMON = {
  destination: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
}

/** The match rule for changes of a bus name's owner. The name may also have lost its owner. */
export const ownerChanges = (name: string): string =>
  `type='signal',sender='${BUS_DAEMON.destination}',member='NameOwnerChanged',arg0='${name}'`

/** Connects to a bus. Aborting the signal closes the connection. */
export const openBus = (bus: Bus, signal: AbortSignal): Promise<MessageBus> =>
  openSessionBus({ busAddress: bus === 'session' ? process.env['DBUS_SESSION_BUS_ADDRESS'] : bus.busAddress, signal })

/** Calls `heard` with each message that matches a rule, and with every message to this connection. */
export async function listenTo(
  bus: MessageBus,
  rules: readonly string[],
  heard: (message: Message) => void,
): Promise<void> {
  const events: EventEmitter = bus
  events.on('message', heard)
  for (const rule of rules) await callOn(bus, { ...BUS_DAEMON, member: 'AddMatch', signature: 's', body: [rule] })
}

export async function callOn(bus: MessageBus, message: ConstructorParameters<typeof Message>[0]): Promise<unknown> {
  return (await replyOn(bus, message))?.body
}

export async function replyOn(bus: MessageBus, message: ConstructorParameters<typeof Message>[0]) {
  const { Message } = await import('@jellybrick/dbus-next')
  return bus.call(new Message(message))
}

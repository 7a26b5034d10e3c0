/** D-Bus, as far as the desktop is asked about itself. */
import type { EventEmitter } from 'node:events'
import type { Message, MessageBus } from '@jellybrick/dbus-next'
import * as v from 'valibot'
import type { Clock } from '../session/ports.ts'

/** The user's session bus, or the bus at an address. */
export type Bus = 'session' | { readonly busAddress: string }

export interface Question<T> {
  readonly bus: Bus
  readonly ask: (bus: MessageBus) => Promise<T>
  /** The answer where there is no bus, or none in time. */
  readonly otherwise: T
  readonly clock: Pick<Clock, 'now' | 'at'>
  /** Milliseconds. */
  readonly patience?: number | undefined
}

/** Who answers for the bus itself (D-Bus specification: Message Bus Messages). */
export const DAEMON = {
  destination: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
}

const PATIENCE = 2_000
const booleanReply = v.tuple([v.boolean()])

/** Asks over one short connection; never throws. */
export function askBus<T>({ bus, ask, otherwise, clock, patience = PATIENCE }: Question<T>): Promise<T> {
  return new Promise((resolve) => {
    let connection: MessageBus | undefined
    let isOver = false
    const settle = (answer: T): void => {
      isOver = true
      cancelDeadline()
      if (connection !== undefined) hangUp(connection)
      resolve(answer)
    }
    const fail = () => settle(otherwise)
    const cancelDeadline = clock.at(clock.now() + patience, fail)
    const use = async (opened: MessageBus) => {
      connection = opened
      if (isOver) hangUp(opened)
      else settle(await ask(opened))
    }
    openBus(bus, fail).then(use).catch(fail)
  })
}

/** A connection that comes about later; its calls wait for it. */
export async function openBus(bus: Bus, onError: () => void): Promise<MessageBus> {
  const { sessionBus } = await import('@jellybrick/dbus-next')
  const opened = sessionBus(bus === 'session' ? {} : bus)
  // Within this very turn: an error that nobody hears ends the process.
  const events: EventEmitter = opened
  events.on('error', onError)
  return opened
}

/** The reply's arguments. */
export async function callOn(bus: MessageBus, message: ConstructorParameters<typeof Message>[0]): Promise<unknown> {
  const { Message } = await import('@jellybrick/dbus-next')
  return (await bus.call(new Message(message)))?.body
}

/** Whether somebody has this name. */
export async function hasOwner(bus: MessageBus, name: string): Promise<boolean> {
  return v.parse(
    booleanReply,
    await callOn(bus, { ...DAEMON, member: 'NameHasOwner', signature: 's', body: [name] }),
  )[0]
}

export function hangUp(bus: MessageBus): void {
  bus.disconnect()
  // A connection that comes about only now is ended too.
  bus.once('connect', () => bus.disconnect())
}

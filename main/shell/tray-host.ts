import type { EventEmitter } from 'node:events'
import type { Message, MessageBus } from '@jellybrick/dbus-next'
import * as v from 'valibot'
import type { Clock } from '../session/ports.ts'

/** Whether a desktop shows tray icons. `unknown`: no session bus, or no answer in time. */
export type TrayHost = 'present' | 'absent' | 'unknown'

export interface TrayHostOptions {
  readonly clock: Pick<Clock, 'now' | 'at'>
  /** Milliseconds. */
  readonly patience?: number
  /** A D-Bus address; the session's own where absent. */
  readonly busAddress?: string
}

const PATIENCE = 2_000
const WATCHER = 'org.kde.StatusNotifierWatcher'
const BUS = { destination: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus', interface: 'org.freedesktop.DBus' }
/** What tells that a panel has come: it owns the name, or it says that it is ready. */
const SIGNALS = [
  `type='signal',sender='${BUS.destination}',member='NameOwnerChanged',arg0='${WATCHER}'`,
  `type='signal',interface='${WATCHER}',member='StatusNotifierHostRegistered'`,
]

const booleanReply = v.tuple([v.boolean()])
const propertyReply = v.tuple([v.object({ value: v.boolean() })])

/**
 * Asks a Linux desktop whether it shows tray icons (StatusNotifierItem: StatusNotifierWatcher). One short
 * connection; never throws.
 */
export function askTrayHost({ clock, patience = PATIENCE, busAddress }: TrayHostOptions): Promise<TrayHost> {
  return new Promise((resolve) => {
    let bus: MessageBus | undefined
    const settle = (host: TrayHost): void => {
      cancelDeadline()
      if (bus !== undefined) hangUp(bus)
      resolve(host)
    }
    const fail = () => settle('unknown')
    const cancelDeadline = clock.at(clock.now() + patience, fail)
    const use = async (opened: MessageBus) => {
      bus = opened
      settle(await ask(opened))
    }
    open(busAddress, fail).then(use).catch(fail)
  })
}

/**
 * Calls `appeared` once, when the desktop shows tray icons: at once, or as soon as it begins to. Returns the undo;
 * never throws. Holds a connection until then.
 */
export function awaitTrayHost(busAddress: string | undefined, appeared: () => void): () => void {
  let bus: MessageBus | undefined
  let isOver = false
  const stop = () => {
    isOver = true
    if (bus !== undefined) hangUp(bus)
  }
  const look = async (at: MessageBus) => {
    if (isOver || (await ask(at)) !== 'present' || isOver) return
    stop()
    appeared()
  }
  const listen = async (opened: MessageBus) => {
    bus = opened
    if (isOver) return hangUp(opened)
    const events: EventEmitter = opened
    events.on('message', ({ member }: Message) => {
      if (member === 'NameOwnerChanged' || member === 'StatusNotifierHostRegistered') look(opened).catch(stop)
    })
    for (const rule of SIGNALS) await call(opened, { ...BUS, member: 'AddMatch', signature: 's', body: [rule] })
    // It may have come before we listened.
    await look(opened)
  }
  open(busAddress, stop).then(listen).catch(stop)
  return stop
}

async function ask(bus: MessageBus): Promise<TrayHost> {
  const owner = await call(bus, { ...BUS, member: 'NameHasOwner', signature: 's', body: [WATCHER] })
  if (!v.parse(booleanReply, owner)[0]) return 'absent'
  const registered = await call(bus, {
    destination: WATCHER,
    path: '/StatusNotifierWatcher',
    interface: 'org.freedesktop.DBus.Properties',
    member: 'Get',
    signature: 'ss',
    body: [WATCHER, 'IsStatusNotifierHostRegistered'],
  })
  return v.parse(propertyReply, registered)[0].value ? 'present' : 'absent'
}

async function open(busAddress: string | undefined, onError: () => void): Promise<MessageBus> {
  const { sessionBus } = await import('@jellybrick/dbus-next')
  const bus = sessionBus(busAddress === undefined ? {} : { busAddress })
  // Within this very turn: an error that nobody hears ends the process.
  const events: EventEmitter = bus
  events.on('error', onError)
  return bus
}

async function call(bus: MessageBus, message: ConstructorParameters<typeof Message>[0]): Promise<unknown> {
  const { Message } = await import('@jellybrick/dbus-next')
  return (await bus.call(new Message(message)))?.body
}

function hangUp(bus: MessageBus): void {
  bus.disconnect()
  // A connection that comes about only now is ended too.
  bus.once('connect', () => bus.disconnect())
}

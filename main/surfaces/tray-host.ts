/** Asks a Linux desktop over D-Bus whether it shows tray icons (StatusNotifierItem: StatusNotifierWatcher). */
import type { EventEmitter } from 'node:events'
import type { Message, MessageBus } from '@jellybrick/dbus-next'
import * as v from 'valibot'
import { openSessionBus } from '../dbus/session-bus.ts'
import type { Clock } from '../session/ports.ts'
import { withTimeout } from '../session/with-timeout.ts'

/** The session bus that Electron uses, or the bus at an address. */
export type Bus = 'session' | { readonly busAddress: string }

/** `present`: the desktop shows tray icons. `unknown`: there is no session bus, or no answer in time. */
export type TrayHost = 'present' | 'absent' | 'unknown'

export interface TrayHostOptions {
  readonly clock: Pick<Clock, 'now' | 'at'>
  readonly timeoutMs?: number
  /** The session bus by default. */
  readonly bus?: Bus
}

const TIMEOUT_MS = 2_000

/** The fields that address a message to the bus itself (D-Bus specification: Message Bus Messages). */
const DAEMON = {
  destination: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
}
const WATCHER = 'org.kde.StatusNotifierWatcher'
/** The signals when a panel starts: the watcher's bus name gets an owner, or a panel registers with the watcher. */
const SIGNALS = [
  `type='signal',sender='${DAEMON.destination}',member='NameOwnerChanged',arg0='${WATCHER}'`,
  `type='signal',interface='${WATCHER}',member='StatusNotifierHostRegistered'`,
]

const booleanReply = v.tuple([v.boolean()])
const propertyReply = v.tuple([v.object({ value: v.boolean() })])

/** Asks whether the desktop shows tray icons, over one short connection. Never throws. */
export async function askTrayHost({
  clock,
  timeoutMs = TIMEOUT_MS,
  bus = 'session',
}: TrayHostOptions): Promise<TrayHost> {
  const over = new AbortController()
  const asking = openBus(bus, over.signal).then(ask)
  try {
    return await withTimeout(clock, timeoutMs, asking, 'unknown')
  } catch {
    return 'unknown'
  } finally {
    over.abort()
  }
}

/**
 * Calls `appeared` once, as soon as the desktop shows tray icons, and keeps a connection open until then. Returns a
 * function that stops waiting. Never throws.
 */
export function awaitTrayHost(bus: Bus, appeared: () => void): () => void {
  const over = new AbortController()
  const stop = () => over.abort()
  const check = async (opened: MessageBus) => {
    if (over.signal.aborted || (await ask(opened)) !== 'present' || over.signal.aborted) return
    stop()
    appeared()
  }
  const listen = async (opened: MessageBus) => {
    const events: EventEmitter = opened
    events.on('error', stop)
    events.on('message', ({ member }: Message) => {
      if (member === 'NameOwnerChanged' || member === 'StatusNotifierHostRegistered') check(opened).catch(stop)
    })
    for (const rule of SIGNALS) await callOn(opened, { ...DAEMON, member: 'AddMatch', signature: 's', body: [rule] })
    // A panel may have started before we listened.
    await check(opened)
  }
  openBus(bus, over.signal).then(listen).catch(stop)
  return stop
}

const openBus = (bus: Bus, signal: AbortSignal): Promise<MessageBus> =>
  openSessionBus({ busAddress: bus === 'session' ? process.env['DBUS_SESSION_BUS_ADDRESS'] : bus.busAddress, signal })

async function ask(bus: MessageBus): Promise<TrayHost> {
  const hasOwner = await callOn(bus, { ...DAEMON, member: 'NameHasOwner', signature: 's', body: [WATCHER] })
  if (!v.parse(booleanReply, hasOwner)[0]) return 'absent'
  const registered = await callOn(bus, {
    destination: WATCHER,
    path: '/StatusNotifierWatcher',
    interface: 'org.freedesktop.DBus.Properties',
    member: 'Get',
    signature: 'ss',
    body: [WATCHER, 'IsStatusNotifierHostRegistered'],
  })
  return v.parse(propertyReply, registered)[0].value ? 'present' : 'absent'
}

/** Calls a method over the bus and returns the reply's arguments. */
async function callOn(bus: MessageBus, message: ConstructorParameters<typeof Message>[0]): Promise<unknown> {
  const { Message } = await import('@jellybrick/dbus-next')
  return (await bus.call(new Message(message)))?.body
}

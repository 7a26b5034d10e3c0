import type { EventEmitter } from 'node:events'
import type { Message, MessageBus } from '@jellybrick/dbus-next'
import * as v from 'valibot'
import type { Clock } from '../session/ports.ts'
import { askBus, type Bus, callOn, DAEMON, hangUp, hasOwner, openBus } from './bus.ts'

/** Whether a desktop shows tray icons. `unknown`: no session bus, or no answer in time. */
export type TrayHost = 'present' | 'absent' | 'unknown'

export interface TrayHostOptions {
  readonly clock: Pick<Clock, 'now' | 'at'>
  /** Milliseconds. */
  readonly patience?: number
  /** The session's where absent. */
  readonly bus?: Bus
}

const WATCHER = 'org.kde.StatusNotifierWatcher'
/** What tells that a panel has come: it owns the name, or it says that it is ready. */
const SIGNALS = [
  `type='signal',sender='${DAEMON.destination}',member='NameOwnerChanged',arg0='${WATCHER}'`,
  `type='signal',interface='${WATCHER}',member='StatusNotifierHostRegistered'`,
]

const propertyReply = v.tuple([v.object({ value: v.boolean() })])

/**
 * Asks a Linux desktop whether it shows tray icons (StatusNotifierItem: StatusNotifierWatcher). One short
 * connection; never throws.
 */
export function askTrayHost({ clock, patience, bus = 'session' }: TrayHostOptions): Promise<TrayHost> {
  return askBus<TrayHost>({ bus, ask, otherwise: 'unknown', clock, patience })
}

/**
 * Calls `appeared` once, when the desktop shows tray icons: at once, or as soon as it begins to. Returns the undo;
 * never throws. Holds a connection until then.
 */
export function awaitTrayHost(bus: Bus, appeared: () => void): () => void {
  let connection: MessageBus | undefined
  let isOver = false
  const stop = () => {
    isOver = true
    if (connection !== undefined) hangUp(connection)
  }
  const look = async (opened: MessageBus) => {
    if (isOver || (await ask(opened)) !== 'present' || isOver) return
    stop()
    appeared()
  }
  const listen = async (opened: MessageBus) => {
    connection = opened
    if (isOver) return hangUp(opened)
    const events: EventEmitter = opened
    events.on('message', ({ member }: Message) => {
      if (member === 'NameOwnerChanged' || member === 'StatusNotifierHostRegistered') look(opened).catch(stop)
    })
    for (const rule of SIGNALS) await callOn(opened, { ...DAEMON, member: 'AddMatch', signature: 's', body: [rule] })
    // It may have come before we listened.
    await look(opened)
  }
  openBus(bus, stop).then(listen).catch(stop)
  return stop
}

async function ask(bus: MessageBus): Promise<TrayHost> {
  if (!(await hasOwner(bus, WATCHER))) return 'absent'
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

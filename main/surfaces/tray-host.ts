import type { EventEmitter } from 'node:events'
import type { MessageBus } from '@jellybrick/dbus-next'
import * as v from 'valibot'
import type { Clock } from '../base/clock.ts'
import { withTimeout } from '../base/waits.ts'
import { BUS_DAEMON, type Bus, callOn, openBus, ownerChanges, receiveMessages } from '../dbus/session-bus.ts'

/** `present`: the desktop shows tray icons. `unknown`: there is no session bus, or no answer in time. */
export type TrayHost = 'present' | 'absent' | 'unknown'

interface TrayHostOptions {
  readonly clock: Pick<Clock, 'now' | 'at'>
  readonly bus?: Bus
}

const TIMEOUT_MS = 2_000

const WATCHER = 'org.kde.StatusNotifierWatcher'
/** The signals that tell of a new panel: the watcher's bus name gets an owner, or a panel registers with the watcher. */
const SIGNALS = [ownerChanges(WATCHER), `type='signal',interface='${WATCHER}',member='StatusNotifierHostRegistered'`]

const booleanReply = v.tuple([v.boolean()])
const propertyReply = v.tuple([v.object({ value: v.boolean() })])

/** Asks whether the desktop shows tray icons. Never throws. */
export async function askTrayHost({ clock, bus = 'session' }: TrayHostOptions): Promise<TrayHost> {
  const over = new AbortController()
  const asking = openBus(bus, over.signal).then(ask)
  try {
    return await withTimeout(clock, TIMEOUT_MS, asking, 'unknown')
  } catch {
    return 'unknown'
  } finally {
    over.abort()
  }
}

/** Calls `appeared` once, as soon as the desktop shows tray icons. Returns a function that stops waiting. */
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
    await receiveMessages(opened, SIGNALS, ({ member }) => {
      if (member === 'NameOwnerChanged' || member === 'StatusNotifierHostRegistered') check(opened).catch(stop)
    })
    // Perhaps a panel started before the connection listened for the signals.
    await check(opened)
  }
  openBus(bus, over.signal).then(listen).catch(stop)
  return stop
}

async function ask(bus: MessageBus): Promise<TrayHost> {
  const hasOwner = await callOn(bus, { ...BUS_DAEMON, member: 'NameHasOwner', signature: 's', body: [WATCHER] })
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

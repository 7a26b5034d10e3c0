/** Finds the session bus and connects to it. Only Linux desktops have one. */
import { EventEmitter } from 'node:events'
import { closeSync, constants, openSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { MessageBus } from '@jellybrick/dbus-next'
import { type BusAddress, findBus, NO_BUS, parseAddresses } from './addresses.ts'

const VARIABLE = 'DBUS_SESSION_BUS_ADDRESS'
const MACHINE_ID_FILES = ['/etc/machine-id', '/var/lib/dbus/machine-id']

/**
 * The addresses of the session bus; `disabled:` if there is none. Reads the variable each time, because `settleBus` may
 * have changed it.
 */
export const findSessionBus = (env: NodeJS.ProcessEnv, uid = process.getuid?.() ?? -1): string =>
  findBus(env[VARIABLE], { runtime: runtimeSocket(env, uid), launched: launchedAddress(env) })

/**
 * Gives Electron and its libraries a variable that they understand. Must run before they use the bus: with an empty
 * variable they may start `dbus-launch`, and Electron's children crash when they do. If there is no variable, Electron
 * has set its own value, which its libdbus may have read already. That value stays, so that the variable always says
 * which bus Electron's tray icons and notifications use.
 */
export function settleSessionBus(env: NodeJS.ProcessEnv): void {
  if (env[VARIABLE] !== NO_BUS) env[VARIABLE] = findSessionBus(env)
}

/** SECURITY: a socket of another user is not used, because an inherited variable may name their folder. */
function runtimeSocket({ XDG_RUNTIME_DIR: folder }: NodeJS.ProcessEnv, uid: number): string | undefined {
  if (!folder) return undefined
  const socket = path.join(folder, 'bus')
  try {
    const found = statSync(socket)
    return found.isSocket() && found.uid === uid ? socket : undefined
  } catch {
    return undefined
  }
}

/** What `dbus-launch` has saved for the X11 display (dbus-launch(1), "Automatic launching"). */
function launchedAddress({ HOME = '', DISPLAY = '' }: NodeJS.ProcessEnv): string | undefined {
  const display = /:(\d+)(?:\.\d+)?$/.exec(DISPLAY)?.[1]
  if (display === undefined) return undefined
  for (const file of MACHINE_ID_FILES) {
    try {
      const machine = readFileSync(file, 'utf8').trim()
      const saved = readFileSync(path.join(HOME, '.dbus/session-bus', `${machine}-${display}`), 'utf8')
      return new RegExp(`^${VARIABLE}=(['"]?)(.*)\\1$`, 'm').exec(saved)?.[2]
    } catch {}
  }
  return undefined
}

export interface OpenOptions {
  /** A list of addresses; by default the session bus, wherever it is. */
  readonly busAddress?: string | undefined
  /** Aborting it gives up, and closes the connection. */
  readonly signal: AbortSignal
}

/** Connects to the first address of the list that works. Rejects if none does; the error is the last one's. */
export async function openSessionBus({ busAddress, signal }: OpenOptions): Promise<MessageBus> {
  const list = busAddress ?? findSessionBus(process.env)
  let cause: unknown = new Error(`there is no session bus (${list})`)
  for (const address of parseAddresses(list)) {
    try {
      return await connect(address, signal)
    } catch (error) {
      cause = error
    }
  }
  throw cause
}

async function connect(address: BusAddress, signal: AbortSignal): Promise<MessageBus> {
  const { sessionBus } = await import('@jellybrick/dbus-next')
  signal.throwIfAborted()
  const target = nameFor(address)
  const bus = sessionBus({ busAddress: target.name })
  const events: EventEmitter = bus
  // Without a listener, an error event would end the process.
  events.on('error', () => {})
  signal.addEventListener('abort', () => hangUp(bus))
  try {
    await EventEmitter.once(events, 'connect', { signal })
    return bus
  } catch (error) {
    hangUp(bus)
    throw error
  } finally {
    target.close()
  }
}

/**
 * The address in the words of dbus-next, which doesn't decode values. A path with a character that it takes for a
 * separator is named by an open file (proc(5), /proc/pid/fd).
 */
function nameFor({ transport, values }: BusAddress): { readonly name: string; close(): void } {
  const socket = values.get('path')
  if (transport === 'unix' && socket !== undefined && /[:;,]/.test(socket)) {
    const descriptor = openSync(socket, O_PATH)
    return { name: `unix:path=/proc/self/fd/${descriptor}`, close: () => closeSync(descriptor) }
  }
  const pairs = [...values].map(([key, value]) => `${key}=${value}`)
  return { name: `${transport}:${pairs.join(',')}`, close: () => {} }
}

/** Opens the file's place without the file itself: a socket can't be opened (open(2)). */
const O_PATH = constants.O_RDONLY | 0x20_00_00

function hangUp(bus: MessageBus): void {
  bus.disconnect()
  // A connection that is not established yet is closed as soon as it is established.
  bus.once('connect', () => bus.disconnect())
}

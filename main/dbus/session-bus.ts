/** Finds the session bus and connects to it. Only Linux desktops have one. */
import { EventEmitter } from 'node:events'
import { closeSync, constants, openSync, readFileSync, readSync, statSync, writeSync } from 'node:fs'
import { connect as connectTo } from 'node:net'
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
  deafBus ?? findBus(env[VARIABLE], { runtime: runtimeSocket(env, uid), launched: launchedAddress(env) })

/**
 * Gives Electron and its libraries a variable that they understand, before they use the bus: with an empty one they may
 * start `dbus-launch`, and Electron's children crash when they do. Without one, Electron has set its own value, which
 * libdbus may have read already. It stays, so that the variable always says which bus Electron's tray icons and
 * notifications use.
 */
export function settleSessionBus(env: NodeJS.ProcessEnv): void {
  if (env[VARIABLE] !== NO_BUS) env[VARIABLE] = findSessionBus(env)
}

/** The bus that Electron doesn't use, because it didn't answer at the start. Latchkey's own calls have deadlines. */
let deafBus: string | undefined
/** A wrong result costs the tray icon, so a busy bus gets more time than any other call. */
const DEAF_MS = 10_000
const PAUSE_MS = 2

/**
 * Keeps Electron from a bus that accepts connections and doesn't answer, for which its libraries would wait for ever on
 * the main thread. Runs before Electron is ready, when the event loop doesn't run yet, so it is synchronous. True if
 * the bus is such a one.
 */
export function avoidDeafBus(env: NodeJS.ProcessEnv, timeoutMs = DEAF_MS): boolean {
  const list = env[VARIABLE] ?? ''
  for (const address of parseAddresses(list)) {
    const isDeaf = refusesToAnswer(address, timeoutMs)
    // The libraries use the first address that they reach.
    if (isDeaf === undefined) continue
    if (isDeaf) {
      deafBus = list
      env[VARIABLE] = NO_BUS
    }
    return isDeaf
  }
  return false
}

/** True if nothing answers to the first line of a connection; `undefined` if nothing accepts the connection. */
function refusesToAnswer({ transport, values }: BusAddress, timeoutMs: number): boolean | undefined {
  // Over TCP a connection can't be made synchronously.
  if (transport !== 'unix') return false
  // A connection to a Unix socket is made before the call returns.
  const socket = connectTo(values.get('path') ?? `\0${values.get('abstract')}`).on('error', () => {})
  const { fd = -1 } = (socket as unknown as { readonly _handle?: { readonly fd?: number } })._handle ?? {}
  try {
    writeSync(fd, '\0AUTH\r\n')
    for (const deadline = performance.now() + timeoutMs; performance.now() < deadline; ) {
      if (hasAnswer(fd)) return false
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
    }
    return true
  } catch {
    return undefined
  } finally {
    socket.destroy()
  }
}

function hasAnswer(fd: number): boolean {
  try {
    readSync(fd, Buffer.alloc(1))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return false
    throw error
  }
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
    // The library doesn't say that the bus has hung up (its `MessageBus` ignores the connection's `end`).
    const { _connection: connection } = bus as unknown as { readonly _connection: EventEmitter }
    connection.once('end', () => events.emit('error', new Error('the session bus has hung up')))
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

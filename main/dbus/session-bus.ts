/** Finds the session bus, which only Linux desktops have, connects to it, and makes calls over it. */
import { EventEmitter } from 'node:events'
import { closeSync, constants, openSync, readFileSync, readSync, statSync, writeSync } from 'node:fs'
import { connect as connectTo } from 'node:net'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Message, MessageBus } from '@jellybrick/dbus-next'
import { type BusAddress, findBus, NO_BUS, parseAddresses } from './addresses.ts'

const VARIABLE = 'DBUS_SESSION_BUS_ADDRESS'
const MACHINE_ID_FILES = ['/etc/machine-id', '/var/lib/dbus/machine-id']

/** The addresses of the session bus; `disabled:` if there is none. */
export const findSessionBus = (env: NodeJS.ProcessEnv, uid = process.getuid?.() ?? -1): string =>
  unresponsiveBus ?? findBus(env[VARIABLE], { runtime: runtimeSocket(env, uid), launched: launchedAddress(env) })

/**
 * Gives Electron and its libraries a value that they understand, before they use the bus. With an empty one they may
 * start `dbus-launch`, which crashes Electron's children. A value set by Electron stays: libdbus may have read it.
 */
export function settleSessionBus(env: NodeJS.ProcessEnv): void {
  if (env[VARIABLE] !== NO_BUS) env[VARIABLE] = findSessionBus(env)
}

/** The bus that Electron avoids, because it didn't answer at the start. Only the keychain still tries it. */
let unresponsiveBus: string | undefined
/** This timeout is longer than those of other calls, because Electron shows no tray icon if it avoids the bus. */
const UNRESPONSIVE_AFTER_MS = 10_000
const PAUSE_MS = 2

/**
 * Keeps Electron from a bus that accepts connections but doesn't answer, for which its libraries would wait for ever on
 * the main thread. True for such a bus. Synchronous, because the event loop doesn't run before Electron is ready.
 */
export function avoidUnresponsiveBus(env: NodeJS.ProcessEnv, timeoutMs = UNRESPONSIVE_AFTER_MS): boolean {
  const list = env[VARIABLE] ?? ''
  for (const address of parseAddresses(list)) {
    const isUnresponsive = refusesToAnswer(address, timeoutMs)
    // The libraries use the first address that they reach, so the bus at a later one doesn't matter.
    if (isUnresponsive === undefined) continue
    if (isUnresponsive) {
      unresponsiveBus = list
      env[VARIABLE] = NO_BUS
    }
    return isUnresponsive
  }
  return false
}

/** True if the first line or call stays unanswered; `undefined` if nothing accepts the connection. */
function refusesToAnswer({ transport, values }: BusAddress, timeoutMs: number): boolean | undefined {
  if (transport === 'tcp') return refusesOverTcp(values, timeoutMs)
  if (transport !== 'unix') return false
  // For a Unix socket, `connectTo` has connected when it returns.
  const socket = connectTo(values.get('path') ?? `\0${values.get('abstract')}`).on('error', () => {})
  const { fd = -1 } = (socket as unknown as { readonly _handle?: { readonly fd?: number } })._handle ?? {}
  try {
    const deadline = performance.now() + timeoutMs
    writeSync(fd, authLine())
    const answer = answerBefore(fd, deadline)
    if (!answer?.startsWith('OK')) return answer === undefined
    writeSync(fd, Buffer.concat([Buffer.from('BEGIN\r\n'), HELLO]))
    return answerBefore(fd, deadline) === undefined
  } catch {
    return undefined
  } finally {
    socket.destroy()
  }
}

/** Calls the bus while the main thread waits. Sets the flag to 1 if the bus answers, to 2 if it can't connect. */
const TCP_CALLER = `
const { flag, host, port, auth, hello } = require('node:worker_threads').workerData
const say = (said) => { Atomics.compareExchange(flag, 0, 0, said); Atomics.notify(flag, 0) }
let isCalled = false
require('node:net').connect({ host, port })
  .on('error', () => say(2))
  .on('connect', function () { this.write(auth) })
  .on('data', function (data) {
    if (isCalled || !String(data).startsWith('OK')) say(1)
    else { isCalled = true; this.write(hello) }
  })
`

function refusesOverTcp(values: BusAddress['values'], timeoutMs: number): boolean | undefined {
  const flag = new Int32Array(new SharedArrayBuffer(4))
  const workerData = {
    flag,
    host: values.get('host') ?? 'localhost',
    port: Number(values.get('port')),
    auth: authLine(),
    hello: Buffer.concat([Buffer.from('BEGIN\r\n'), HELLO]),
  }
  const caller = new Worker(TCP_CALLER, { eval: true, workerData })
  caller.on('error', () => {}).unref()
  Atomics.wait(flag, 0, 0, timeoutMs)
  const said = Atomics.load(flag, 0)
  void caller.terminate()
  return said === 2 ? undefined : said === 0
}

const authLine = (): string => `\0AUTH EXTERNAL ${Buffer.from(`${process.getuid?.()}`).toString('hex')}\r\n`

function answerBefore(fd: number, deadline: number): string | undefined {
  const bytes = Buffer.alloc(256)
  while (performance.now() < deadline) {
    try {
      return bytes.toString('latin1', 0, readSync(fd, bytes))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
  }
  return undefined
}

/** The first call of every connection (D-Bus specification, "Message Format" and "org.freedesktop.DBus.Hello"). */
const HELLO = helloMessage()

function helloMessage(): Buffer {
  const padded = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 7)])
  const field = ([code, type, text]: readonly [number, string, string]) => {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(text.length)
    return Buffer.concat([Buffer.from([code, 1, type.charCodeAt(0), 0]), length, Buffer.from(`${text}\0`)])
  }
  const path = field([1, 'o', '/org/freedesktop/DBus'])
  const others = [
    field([2, 's', 'org.freedesktop.DBus']),
    field([6, 's', 'org.freedesktop.DBus']),
    field([3, 's', 'Hello']),
  ]
  const fields = Buffer.concat([...[path, ...others.slice(0, -1)].map(padded), ...others.slice(-1)])
  // These bytes mean: little-endian, a method call, no flags, version 1, no body, serial number 1.
  const head = Buffer.from([0x6c, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0])
  head.writeUInt32LE(fields.length, 12)
  return padded(Buffer.concat([head, fields]))
}

/** SECURITY: an inherited variable may name another user's folder, whose socket must not be used. */
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

/** The address that `dbus-launch` has saved for the X11 display (dbus-launch(1), "Automatic launching"). */
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

interface SessionBusOptions {
  /** A list of addresses; by default, that of the session bus. */
  readonly busAddress?: string | undefined
  /** Aborting this signal gives up the attempt to connect, and closes the connection. */
  readonly signal: AbortSignal
}

/** Connects to the first address that works. If none works, rejects with the error of the last one. */
export async function openSessionBus({ busAddress, signal }: SessionBusOptions): Promise<MessageBus> {
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
    // The library doesn't report that the bus has hung up (its `MessageBus` ignores the connection's `end`).
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
 * dbus-next takes addresses without escapes and splits a path at `:`, `;` and `,`. If a path has one of these, the
 * socket is opened, and dbus-next gets the path `/proc/self/fd/N` (proc(5)).
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

/** Opens only a handle to the path: a socket itself can't be opened (open(2)). */
const O_PATH = constants.O_RDONLY | 0x20_00_00

function hangUp(bus: MessageBus): void {
  bus.disconnect()
  // A connection that is still being made is closed as soon as it is made.
  bus.once('connect', () => bus.disconnect())
}

export type Bus = 'session' | { readonly busAddress: string }

/** The fields that address a message to the bus itself (D-Bus specification: Message Bus Messages). */
export const BUS_DAEMON = {
  destination: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
}

/** The match rule for the signal that a bus name has a new owner or has lost its owner. */
export const ownerChanges = (name: string): string =>
  `type='signal',sender='${BUS_DAEMON.destination}',member='NameOwnerChanged',arg0='${name}'`

export const openBus = (bus: Bus, signal: AbortSignal): Promise<MessageBus> =>
  openSessionBus({ busAddress: bus === 'session' ? process.env['DBUS_SESSION_BUS_ADDRESS'] : bus.busAddress, signal })

/** Calls `heard` with each message that matches a rule, and with every message to this connection. */
export async function receiveMessages(
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

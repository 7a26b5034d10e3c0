import { closeSync, constants, openSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import path from 'node:path'
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'

export interface StartRequest {
  readonly argv: readonly string[]
  readonly displays: readonly string[]
}

export interface StartReply {
  readonly pid: number
  readonly displays: readonly string[]
  /** True if the process is about to end, so that the second start can soon have the lock. */
  readonly isEnding: boolean
}

/** The longest path of a socket: `sun_path` has 104 bytes on macOS and 108 on Linux, including a NUL. */
const LONGEST_PATH = 103
/** Longer than a quitting process waits for its unfinished work (`STOP_TIMEOUT_MS`). */
export const REPLY_TIMEOUT_MS = 15_000
const LARGEST_MESSAGE = 65_536

interface SocketFolder {
  readonly folder: string
  readonly platform: NodeJS.Platform
}

export type OnRequest = (request: StartRequest) => StartReply

/** Returns `undefined` if the folder can't contain sockets. */
export function listenForStarts(folder: SocketFolder, name: string, onRequest: OnRequest): Server | undefined {
  const server = createServer((socket) => answer(socket, onRequest))
  server.on('error', () => {})
  const before = process.umask(0o077)
  try {
    withAddress(folder, name, (address) => server.listen(address))
  } finally {
    process.umask(before)
  }
  // `listen` binds the socket before it returns. Only its event comes later.
  return server.listening ? server.unref() : undefined
}

function answer(socket: Socket, onRequest: OnRequest): void {
  let text = ''
  const end = () => socket.destroy()
  socket.setTimeout(REPLY_TIMEOUT_MS, end).on('error', end).setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    text += chunk
    if (text.length > LARGEST_MESSAGE) end()
    else if (text.endsWith('\n')) {
      const request = parseRequest(text)
      if (request === undefined) end()
      else socket.end(JSON.stringify(onRequest(request)))
    }
  })
}

function parseRequest(line: string): StartRequest | undefined {
  const { argv, displays } = parse(line)
  return isTexts(argv) && isTexts(displays) ? { argv, displays } : undefined
}

function parseReply(text: string): StartReply | undefined {
  const { pid, displays, isEnding } = parse(text)
  return typeof pid === 'number' && isTexts(displays) ? { pid, displays, isEnding: isEnding === true } : undefined
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

const NOBODY = 'nobody'
/** Sends the request and reports the reply. Runs in its own thread, because Node can't connect synchronously. */
const CALLER = `
const { port, flag, address, line } = require('node:worker_threads').workerData
const say = (said) => { port.postMessage(said); Atomics.store(flag, 0, 1); Atomics.notify(flag, 0) }
const meanings = { ECONNREFUSED: '${NOBODY}', ENOENT: '${NOBODY}', ECONNRESET: '', EPIPE: '' }
let text = ''
require('node:net').connect(address)
  .on('error', ({ code }) => say(meanings[code]))
  .on('connect', function () { this.write(line) })
  .setEncoding('utf8').on('data', (chunk) => { text += chunk }).on('end', () => say(text))
`

interface Listener {
  readonly reply?: StartReply
}

/** The result if the listening process ended during the call, for example because it was quitting. */
export const HUNG_UP: Listener = {}

/** Returns `undefined` if no process listens, or one that isn't Latchkey. */
export function sendStart(
  folder: SocketFolder,
  name: string,
  request: StartRequest,
  timeoutMs: number,
): Listener | undefined {
  return withAddress(folder, name, (address) => {
    const { port1, port2 } = new MessageChannel()
    const flag = new Int32Array(new SharedArrayBuffer(4))
    const workerData = { port: port2, flag, address, line: `${JSON.stringify(request)}\n` }
    const caller = new Worker(CALLER, { eval: true, workerData, transferList: [port2] })
    caller.on('error', () => {}).unref()
    Atomics.wait(flag, 0, 0, timeoutMs)
    const said: unknown = receiveMessageOnPort(port1)?.message
    port1.close()
    void caller.terminate()
    if (said === NOBODY) return undefined
    const reply = parseReply(String(said))
    if (reply !== undefined) return { reply }
    if (typeof said !== 'string') return {}
    // A text that isn't a reply comes from another program, which doesn't hold the lock.
    return said === '' ? HUNG_UP : undefined
  })
}

/** Calls `work` with a short enough address of the socket. On Linux, /proc has a short one (proc(5)). */
export function withAddress<T>({ folder, platform }: SocketFolder, name: string, work: (address: string) => T): T {
  const file = path.join(folder, name)
  if (platform !== 'linux' || Buffer.byteLength(file) <= LONGEST_PATH) return work(file)
  const opened = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    return work(`/proc/self/fd/${opened}/${name}`)
  } finally {
    closeSync(opened)
  }
}

/** The X and Wayland displays. Windows and macOS don't name theirs, so there the list is empty. */
export function displaysOf({ DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  if (platform !== 'linux') return []
  // The number after the dot is a screen of the same display (X(7)).
  return [DISPLAY?.replace(/\.\d+$/, '') ?? '', WAYLAND_DISPLAY ?? ''].filter((each) => /^[\w.:/-]{1,100}$/.test(each))
}

export const isSameDisplay = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === 0 || other.length === 0 || one.some((each) => other.includes(each))

/**
 * Lets only one process use a data folder. This process listens on a Unix socket in the folder, and the kernel knows
 * whether it still listens. So a crash leaves no lock, and a busy process keeps its lock. Chromium's own lock is only
 * used on Windows: elsewhere it is in a temporary folder that systems clean, and it kills a process that is busy for 20
 * s (Chromium: process_singleton_posix.cc). Everything is synchronous, so that a second process ends before Chromium
 * opens files in the folder.
 */
import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  type FSWatcher,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  watch,
} from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import path from 'node:path'
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'

interface Instance {
  readonly folder: string
  /** Identifies the computer, even after it was renamed. */
  readonly machine: string
  readonly hostname: string
  readonly pid: number
  readonly platform: NodeJS.Platform
}

/** What a second start sends to the process that has the lock. */
export interface StartRequest {
  readonly argv: readonly string[]
  readonly displays: readonly string[]
}

interface StartReply {
  readonly pid: number
  readonly displays: readonly string[]
  /** True if the process is about to end, so that the second start can soon have the lock. */
  readonly isEnding: boolean
}

export type InstanceLock =
  | { readonly kind: 'held'; release(): void }
  /** Another process on this computer has the lock. `reply` is absent if it didn't respond. */
  | { readonly kind: 'running'; readonly pid: number | undefined; readonly reply?: StartReply }
  /** Another computer has the lock, or crashed while it had it. */
  | { readonly kind: 'elsewhere'; readonly host: string }
  | { readonly kind: 'unsupported' }
  /** The folder can't be written to. `cause` is the system's error code. */
  | { readonly kind: 'refused'; readonly cause: string }

interface LockOptions {
  readonly request: StartRequest
  readonly onRequest: (request: StartRequest) => StartReply
  /** True once the user has agreed to take the folder from another computer. */
  readonly isTakenOver?: boolean
  /** How long a process may take to respond, or to end. */
  readonly timeoutMs?: number
}

/**
 * The link has the name and the form (`HOST-PID`) of Chromium's own link, because the client libraries look for that.
 */
const LINK = 'SingletonLock'
const SOCKET = /^lock-[0-9a-f]{16}\.sock$/
/** The longest path of a socket: `sun_path` has 104 bytes on macOS and 108 on Linux, including a NUL. */
const LONGEST_PATH = 103
/** This is longer than quitting waits for unfinished work. */
const TIMEOUT_MS = 15_000
const RETRY_DELAY_MS = 100
const REMAKE_DELAY_MS = 1_000
/** A guard older than this was left by a crash. */
const STALE_MS = 5_000
const LARGEST_MESSAGE = 65_536

export function lockInstance(instance: Instance, options: LockOptions): InstanceLock {
  try {
    mkdirSync(instance.folder, { recursive: true, mode: 0o700 })
    return lock(instance, options)
  } catch (error) {
    return { kind: 'refused', cause: (error as NodeJS.ErrnoException).code ?? String(error) }
  }
}

function lock(
  instance: Instance,
  { request, onRequest, isTakenOver = false, timeoutMs = TIMEOUT_MS }: LockOptions,
): InstanceLock {
  const { folder } = instance
  const own = `lock-${createHash('sha256').update(instance.machine).digest('hex').slice(0, 16)}.sock`
  const others = () => readdirSync(folder).filter((name) => SOCKET.test(name) && name !== own)
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const found = identityOf(path.join(folder, own))
    const names = found === undefined ? others() : [own, ...others()]
    const listener = names.map((name) => call(instance, name, request, timeoutMs)).find((each) => each !== undefined)
    if ((listener?.reply?.isEnding || listener === HUNG_UP) && performance.now() < deadline) {
      sleep(RETRY_DELAY_MS)
      continue
    }
    if (listener !== undefined) {
      return { kind: 'running', pid: listener.reply?.pid ?? holderOf(folder)?.pid, ...listener }
    }
    const host = holderOf(folder)?.host
    // If this computer's own socket exists, this computer also made the link, perhaps under an earlier name.
    if (!isTakenOver && found === undefined && host !== undefined && host !== instance.hostname) {
      return { kind: 'elsewhere', host }
    }
    const guard = path.join(folder, 'lock.new')
    const guardFile = takeGuard(guard)
    if (guardFile === undefined) {
      sleep(RETRY_DELAY_MS)
      continue
    }
    try {
      // If this is no longer the socket on which nobody answered, another process was faster.
      if (identityOf(path.join(folder, own)) !== found) continue
      for (const name of [own, ...others(), LINK]) rmSync(path.join(folder, name), { force: true })
      return hold(instance, own, onRequest)
    } finally {
      closeSync(guardFile)
      rmSync(guard, { force: true })
    }
  }
}

/** Takes the guard. Returns `undefined` while another process has it. Throws if the folder can't be written to. */
function takeGuard(guard: string): number | undefined {
  try {
    return openSync(guard, 'wx', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const made = lstatSync(guard, { throwIfNoEntry: false })
  // If the clock was set back, a guard may have a time in the future.
  if (made !== undefined && Math.abs(Date.now() - made.mtimeMs) > STALE_MS) rmSync(guard, { force: true })
  return undefined
}

/**
 * Identifies a file; `undefined` if it is missing. An inode number alone isn't enough, because the system reuses it.
 */
function identityOf(file: string): string | undefined {
  try {
    const stats = lstatSync(file, { bigint: true })
    return `${stats.ino}:${stats.ctimeNs}`
  } catch {
    return undefined
  }
}

function hold(instance: Instance, own: string, onRequest: LockOptions['onRequest']): InstanceLock {
  const { folder, hostname, pid } = instance
  const file = path.join(folder, own)
  const link = `${hostname}-${pid}`
  let server: Server | undefined
  let watcher: FSWatcher | undefined
  let isReleased = false
  /** The socket that this process has last made, or found to be its own. */
  let known: string | undefined
  const listen = (): boolean => {
    server?.close()
    rmSync(file, { force: true })
    server = listenAt(instance, own, onRequest)
    known = identityOf(file)
    if (server === undefined) return false
    try {
      symlinkSync(link, path.join(folder, LINK))
    } catch {
      // The lock works without the link. Only the client libraries need it, to say why the agent doesn't answer.
    }
    return true
  }
  /** Restores the socket after it was deleted or replaced, for example when a backup was restored. */
  const keep = (): void => {
    const found = identityOf(file)
    if (isReleased || (found !== undefined && found === known)) return
    known = found
    if (found === undefined) remake()
    else {
      // Perhaps only the socket's mode has changed. If another process listens there, this one has lost the lock.
      const probe = withAddress(instance, own, (address) => connect(address))
      probe.on('connect', () => probe.destroy())
      probe.on('error', () => {
        if (!isReleased && identityOf(file) === found) remake()
      })
    }
  }
  const remake = (): void => {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      listen()
      watchFolder()
    } catch {
      // The folder can't be made, so a second start can't use it either.
    }
    // The folder may have been deleted again before the watch began.
    if (identityOf(file) === undefined) setTimeout(keep, REMAKE_DELAY_MS).unref()
  }
  const watchFolder = (): void => {
    watcher?.close()
    try {
      watcher = watch(folder, { persistent: false }, keep).on('error', () => {})
    } catch {
      // The system has no watches left. The lock is still held.
    }
  }
  if (!listen()) {
    // Throws if the folder can't contain any file, for example on a full disk.
    closeSync(openSync(file, 'wx', 0o600))
    rmSync(file)
    return { kind: 'unsupported' }
  }
  watchFolder()
  return {
    kind: 'held',
    release() {
      isReleased = true
      watcher?.close()
      server?.close()
      try {
        // Node would remove the socket by its short address, which is no longer valid.
        rmSync(file, { force: true })
        if (readLink(path.join(folder, LINK)) === link) rmSync(path.join(folder, LINK), { force: true })
      } catch {
        // The folder can't be changed. Without a listener, what is left of the lock has no effect.
      }
    },
  }
}

/** Returns `undefined` if the folder can't contain sockets. */
function listenAt(instance: Instance, own: string, onRequest: LockOptions['onRequest']): Server | undefined {
  const server = createServer((socket) => answer(socket, onRequest))
  server.on('error', () => {})
  const before = process.umask(0o077)
  try {
    withAddress(instance, own, (address) => server.listen(address))
  } finally {
    process.umask(before)
  }
  // `listen` binds before it returns. Only the event comes later.
  return server.listening ? server.unref() : undefined
}

function answer(socket: Socket, onRequest: LockOptions['onRequest']): void {
  let text = ''
  const end = () => socket.destroy()
  socket.setTimeout(TIMEOUT_MS, end).on('error', end).setEncoding('utf8')
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

/** The listener ended during the call, as a copy does that is just quitting. */
const HUNG_UP: Listener = {}

/** Sends the request to the process that listens at a socket; `undefined` if there is none, or it isn't Latchkey. */
function call(instance: Instance, name: string, request: StartRequest, timeoutMs: number): Listener | undefined {
  return withAddress(instance, name, (address) => {
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
    // A text is from another program, which doesn't hold the lock.
    return said === '' ? HUNG_UP : undefined
  })
}

/** Calls `work` with a short enough address of the socket. Linux has such an address for each open folder (proc(5)). */
function withAddress<T>({ folder, platform }: Instance, name: string, work: (address: string) => T): T {
  const file = path.join(folder, name)
  if (platform !== 'linux' || Buffer.byteLength(file) <= LONGEST_PATH) return work(file)
  const opened = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    return work(`/proc/self/fd/${opened}/${name}`)
  } finally {
    closeSync(opened)
  }
}

/** The host and the process that the link names. A crash may have left the link. */
function holderOf(folder: string): { readonly host: string; readonly pid: number } | undefined {
  // SECURITY: a dialog shows the host, and a forged link could contain any text.
  const found = /^(?<host>[^\p{C}\p{Z}]{1,255})-(?<pid>\d{1,10})$/u.exec(readLink(path.join(folder, LINK)))?.groups
  return found && { host: found['host'] ?? '', pid: Number(found['pid']) }
}

function readLink(file: string): string {
  try {
    return readlinkSync(file)
  } catch {
    return ''
  }
}

const sleep = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

/**
 * The X and Wayland displays on which a process can show windows; none on other systems, which don't name their
 * displays.
 */
export function displaysOf({ DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  if (platform !== 'linux') return []
  // The number after the point is a screen of the same display (X(7)).
  return [DISPLAY?.replace(/\.\d+$/, '') ?? '', WAYLAND_DISPLAY ?? ''].filter((each) => /^[\w.:/-]{1,100}$/.test(each))
}

/** True if both name the same display, or one names none. */
export const isSameDisplay = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === 0 || other.length === 0 || one.some((each) => other.includes(each))

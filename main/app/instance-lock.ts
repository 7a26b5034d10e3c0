/**
 * Lets only one process use a data folder: the one that listens on a Unix socket there. After a crash, nobody listens.
 * Chromium's own lock is only used on Windows and where no socket can be: on POSIX systems, its socket is in a
 * temporary folder that the system empties, and a second start kills a process that is busy for 20 s (Chromium:
 * process_singleton_posix.cc). All calls are synchronous: a second process must end before Chromium opens files.
 */
import { createHash } from 'node:crypto'
import {
  closeSync,
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
import { connect, type Server } from 'node:net'
import path from 'node:path'
import {
  HUNG_UP,
  listenForStarts,
  type OnRequest,
  REPLY_TIMEOUT_MS,
  type StartReply,
  type StartRequest,
  sendStart,
  withAddress,
} from './start-request.ts'

interface Instance {
  readonly folder: string
  /** The computer's id, which stays the same if the computer is renamed. */
  readonly machine: string
  readonly hostname: string
  readonly pid: number
  readonly platform: NodeJS.Platform
}

export type InstanceLock =
  | { readonly kind: 'held'; release(): void }
  /** Another process on this computer has the lock. `reply` is absent if that process didn't respond. */
  | { readonly kind: 'running'; readonly pid: number | undefined; readonly reply?: StartReply }
  /** Another computer has the lock, or crashed while it held the lock. */
  | { readonly kind: 'onOtherComputer'; readonly host: string }
  | { readonly kind: 'unsupported' }
  /** The folder can't be written to. `cause` is the system's error code. */
  | { readonly kind: 'refused'; readonly cause: string }

interface LockOptions {
  readonly request: StartRequest
  readonly onRequest: OnRequest
  /** True once the user has agreed to take the folder from another computer. */
  readonly isTakenOver?: boolean
  readonly timeoutMs?: number
}

/** Names the process (`HOST-PID`), like the link of Chromium's own lock, for which the client libraries look. */
const LINK = 'SingletonLock'
const SOCKET = /^lock-[0-9a-f]{16}\.sock$/
const RETRY_DELAY_MS = 100
const REMAKE_DELAY_MS = 1_000
/** Before a process takes the lock, it creates another file, the guard. An older guard was left by a crash. */
const STALE_MS = 5_000

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
  { request, onRequest, isTakenOver = false, timeoutMs = REPLY_TIMEOUT_MS }: LockOptions,
): InstanceLock {
  const { folder } = instance
  const own = `lock-${createHash('sha256').update(instance.machine).digest('hex').slice(0, 16)}.sock`
  const others = () => readdirSync(folder).filter((name) => SOCKET.test(name) && name !== own)
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const found = identityOf(path.join(folder, own))
    const names = found === undefined ? others() : [own, ...others()]
    const listener = names
      .map((name) => sendStart(instance, name, request, timeoutMs))
      .find((each) => each !== undefined)
    if ((listener?.reply?.isEnding || listener === HUNG_UP) && performance.now() < deadline) {
      sleep(RETRY_DELAY_MS)
      continue
    }
    if (listener !== undefined) {
      return { kind: 'running', pid: listener.reply?.pid ?? holderOf(folder)?.pid, ...listener }
    }
    const host = holderOf(folder)?.host
    // If this computer's socket exists, the link is this computer's, too, perhaps under an earlier name.
    if (!isTakenOver && found === undefined && host !== undefined && host !== instance.hostname) {
      return { kind: 'onOtherComputer', host }
    }
    const guard = path.join(folder, 'lock.new')
    const guardFile = takeGuard(guard)
    if (guardFile === undefined) {
      sleep(RETRY_DELAY_MS)
      continue
    }
    try {
      // If the socket isn't the one that was asked (`found`), another process has taken the lock in the meantime.
      if (identityOf(path.join(folder, own)) !== found) continue
      for (const name of [own, ...others(), LINK]) rmSync(path.join(folder, name), { force: true })
      const lock = new HeldLock(instance, own, onRequest)
      if (lock.listen()) return { kind: 'held', release: () => lock.release() }
      // Throws if no file can be created either, as on a full disk. Otherwise, the folder just supports no sockets.
      const file = path.join(folder, own)
      closeSync(openSync(file, 'wx', 0o600))
      rmSync(file)
      return { kind: 'unsupported' }
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

/** `undefined` if the file is missing. The system reuses inode numbers, so the number alone isn't enough. */
function identityOf(file: string): string | undefined {
  try {
    const stats = lstatSync(file, { bigint: true })
    return `${stats.ino}:${stats.ctimeNs}`
  } catch {
    return undefined
  }
}

class HeldLock {
  readonly #instance: Instance
  readonly #socket: string
  readonly #onRequest: OnRequest
  readonly #file: string
  readonly #link: string
  readonly #owner: string
  readonly #released = new AbortController()
  #server: Server | undefined
  #watcher: FSWatcher | undefined
  /** The identity of the socket that this process has last created or checked. */
  #known: string | undefined

  constructor(instance: Instance, socket: string, onRequest: OnRequest) {
    this.#instance = instance
    this.#socket = socket
    this.#onRequest = onRequest
    this.#file = path.join(instance.folder, socket)
    this.#link = path.join(instance.folder, LINK)
    this.#owner = `${instance.hostname}-${instance.pid}`
  }

  /** Returns false if the folder can't contain sockets. */
  listen(): boolean {
    this.#server?.close()
    rmSync(this.#file, { force: true })
    this.#server = listenForStarts(this.#instance, this.#socket, this.#onRequest)
    this.#known = identityOf(this.#file)
    if (this.#server === undefined) return false
    try {
      symlinkSync(this.#owner, this.#link)
    } catch {
      // The lock works without the link, which only helps the client libraries to say why the agent doesn't answer.
    }
    this.#watcher?.close()
    try {
      this.#watcher = watch(this.#instance.folder, { persistent: false }, this.#keep).on('error', () => {})
    } catch {
      // The system's limit of file watches is reached. The lock is still held.
    }
    return true
  }

  release(): void {
    this.#released.abort()
    this.#watcher?.close()
    this.#server?.close()
    try {
      // Node doesn't remove a socket that it knows by its short address (`withAddress`), which is no longer valid.
      rmSync(this.#file, { force: true })
      if (readLink(this.#link) === this.#owner) rmSync(this.#link, { force: true })
    } catch {
      // The folder can't be changed. A socket on which nobody listens is no lock, so it may stay.
    }
  }

  /** Restores the socket after it was deleted or replaced, for example when a backup was restored. */
  readonly #keep = (): void => {
    const found = identityOf(this.#file)
    const { signal } = this.#released
    if (signal.aborted || (found !== undefined && found === this.#known)) return
    this.#known = found
    if (found === undefined) this.#remake()
    else {
      // If a process listens, only the socket's mode has changed, or another process has taken the lock.
      const probe = withAddress(this.#instance, this.#socket, (address) => connect(address))
      probe.on('connect', () => probe.destroy())
      probe.on('error', () => {
        if (!signal.aborted && identityOf(this.#file) === found) this.#remake()
      })
    }
  }

  #remake(): void {
    try {
      mkdirSync(this.#instance.folder, { recursive: true, mode: 0o700 })
      this.listen()
    } catch {
      // The folder can't be made, so a second start can't use it either.
    }
    // The folder may have been deleted again before the watch began.
    if (identityOf(this.#file) === undefined) setTimeout(this.#keep, REMAKE_DELAY_MS).unref()
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

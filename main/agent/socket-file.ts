import { randomBytes } from 'node:crypto'
import { renameSync } from 'node:fs'
import { chmod, lstat, mkdir, open, rename, rm, stat, unlink } from 'node:fs/promises'
import { connect, Server } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkFolder } from '../base/private-folder.ts'
import { type AgentProblem, refusedBy } from './location.ts'

interface SocketFile {
  readonly path: string
  /** The user's own id. */
  readonly uid: number
  /** Tests replace `livenessOf` with this. */
  readonly probe?: typeof livenessOf
}

/**
 * Listens at a Unix socket that only its owner can open. A socket with a listener is never taken over; a stale socket
 * is replaced. `server.close()` removes the new socket.
 */
export async function listenAtSocket(server: Server, file: SocketFile): Promise<AgentProblem | undefined> {
  const folder = path.dirname(file.path)
  try {
    const problem = await preparePrivateFolder(folder, file.uid)
    if (problem !== undefined) return problem
    const first = await listenPrivately(server, file.path)
    const isTaken = first?.code === 'EADDRINUSE'
    const error = isTaken ? await withLock(`${file.path}.lock`, () => takeOver(server, file)) : first
    if (error !== undefined && 'kind' in error) return error
    if (error?.code === 'EADDRINUSE') return { kind: 'inUse', path: file.path }
    if (error !== undefined) return refusedBy(file.path, error)
    await chmod(file.path, 0o600)
    return undefined
  } catch (error) {
    Server.prototype.close.call(server)
    return refusedBy(file.path, error as NodeJS.ErrnoException)
  }
}

/** What `identityAt` says of our socket as long as tools can reach it. */
export type SocketIdentity = string

/** Marks the socket at this path, so that `isReachable` can later say if it is still there. */
export const identityAt = (socket: string): Promise<SocketIdentity> => identityOf(socket).catch(() => 'unreadable')

/** True if tools still find this socket at its path, and only its owner can open it. */
export async function isReachable({ path: socket, uid }: SocketFile, identity: SocketIdentity): Promise<boolean> {
  try {
    const folder = path.dirname(socket)
    const [{ mode }, around] = await Promise.all([lstat(socket), stat(folder)])
    const isOpen = (mode & 0o777) === 0o600 && (around.mode & 0o700) === 0o700
    return isOpen && checkFolder(folder, uid).kind === 'private' && (await identityOf(socket)) === identity
  } catch {
    return false
  }
}

/**
 * Listens again, because the socket was deleted or replaced, or its folder was changed. Open connections go on. What is
 * now at the path is treated as at the start: another program's socket is never taken over.
 */
export async function listenAgain(
  server: Server,
  file: SocketFile,
  identity: SocketIdentity | undefined,
): Promise<AgentProblem | undefined> {
  const { path: socket, uid } = file
  await restoreFolder(path.dirname(socket), uid)
  if (identity !== undefined && (await identityAt(socket)) === identity) {
    // The socket may vanish at any moment; it is then made again.
    await chmod(socket, 0o600).catch(() => {})
    if (await isReachable(file, identity)) return undefined
  }
  if (server.listening) stopListening(server, socket)
  return listenAtSocket(server, file)
}

/**
 * Accepts no more connections. Open ones go on: `close` of an HTTP server would also end those that are idle. Keeps
 * what is at the path, which isn't ours: closing a socket deletes whatever is at its path (libuv: uv_pipe_bind).
 */
export function stopListening(server: Server, socket: string): void {
  const aside = `${socket}.${randomBytes(6).toString('hex')}`
  const isAside = moved(socket, aside)
  Server.prototype.close.call(server)
  if (isAside) moved(aside, socket)
}

function moved(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch {
    return false
  }
}

/** SECURITY: a folder of the user's own becomes private again. */
async function restoreFolder(folder: string, uid: number): Promise<void> {
  const found = await lstat(folder).catch(() => undefined)
  if (found?.isDirectory() && found.uid === uid && (found.mode & 0o722) !== 0o700)
    await chmod(folder, 0o700).catch(() => {})
}

/** Creates the folder if it is missing; the parent folder must exist. Checks the folder and every folder above it. */
async function preparePrivateFolder(folder: string, uid: number): Promise<AgentProblem | undefined> {
  const before = checkFolder(folder, uid)
  // SECURITY: creates nothing below a folder that others can write to.
  if (before.kind === 'unsafe') return { kind: 'folderUnsafe', path: before.path }
  if (before.kind === 'private') return undefined
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return { kind: 'folderMissing', path: path.dirname(folder) }
    if (code !== 'EEXIST') throw error
  }
  // SECURITY: if the parent folder is sticky, another user may have created this folder first.
  const after = checkFolder(folder, uid)
  return after.kind === 'private' ? undefined : { kind: 'folderUnsafe', path: after.path }
}

/**
 * Listens with a umask that keeps others out. `listen` binds the socket before it returns, so the socket is never open
 * to others.
 */
function listenPrivately(server: Server, socket: string) {
  const before = process.umask(0o077)
  try {
    return listen(server, socket)
  } finally {
    process.umask(before)
  }
}

/**
 * Removes a stale socket and listens at its path. The caller holds the lock, so only one process at a time does this.
 */
async function takeOver(server: Server, file: SocketFile): Promise<AgentProblem | NodeJS.ErrnoException | undefined> {
  const problem = await clearAway(file)
  // `problem` is set if, for example, another process was faster and already listens at the path.
  return problem ?? listenPrivately(server, file.path)
}

/** Removes a stale socket. */
async function clearAway({ path: socket, probe = livenessOf }: SocketFile): Promise<AgentProblem | undefined> {
  const found = await identityOf(socket)
  if (found === 'none') return undefined
  if (found === 'notASocket') return { kind: 'notASocket', path: socket }
  if ((await probe(socket)) === 'live') return { kind: 'inUse', path: socket }
  // Another process may have replaced the stale socket with its own by now. So the socket is first renamed, which is
  // atomic. Then the renamed socket is checked, and put back if it is not the stale one.
  const aside = `${socket}.${randomBytes(6).toString('hex')}`
  try {
    await rename(socket, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  if ((await identityOf(aside)) !== found) {
    await rename(aside, socket)
    return { kind: 'inUse', path: socket }
  }
  await unlink(aside)
  return undefined
}

/** Identifies a socket at a path. The inode number alone is not enough, because inode numbers are reused. */
async function identityOf(socket: string): Promise<string> {
  try {
    const stats = await lstat(socket, { bigint: true })
    return stats.isSocket() ? `${stats.dev}:${stats.ino}:${stats.mtimeNs}` : 'notASocket'
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'none'
    throw error
  }
}

/** The most connections that can wait to be accepted. */
const BACKLOG = 1_024

/** Starts listening; resolves to the error if that fails. */
export function listen(server: Server, path: string): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const done = (error?: NodeJS.ErrnoException) => {
      server.off('listening', done)
      server.off('error', done)
      resolve(error)
    }
    server.once('listening', done)
    server.once('error', done)
    server.listen({ path, backlog: BACKLOG })
  })
}

/** `dead`: no program listens at the path. `gone`: the path doesn't exist. In case of doubt, `live`. */
type Liveness = 'live' | 'dead' | 'gone'

/** Finds out, by connecting, if a program listens at this socket or pipe. */
export function livenessOf(path: string): Promise<Liveness> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve('live')
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'ENOENT' ? 'gone' : error.code === 'ECONNREFUSED' ? 'dead' : 'live')
    })
  })
}

/** A lock older than this was left by a process that died. Milliseconds. */
const STALE = 5_000
const RETRY_DELAY_MS = 20

/** Calls `work` while holding the lock. Rejects if the lock can't be taken. */
async function withLock<T>(lock: string, work: () => Promise<T>): Promise<T> {
  while (!(await take(lock))) await sleep(RETRY_DELAY_MS)
  try {
    return await work()
  } finally {
    await unlink(lock).catch(() => {})
  }
}

async function take(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', 0o600)).close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const made = await lstat(lock).catch(() => undefined)
  // If the clock was set back, an old lock may have a time in the future. Such a lock would stay valid for
  // too long.
  if (made !== undefined && Math.abs(Date.now() - made.mtimeMs) > STALE) await rm(lock, { force: true })
  return false
}

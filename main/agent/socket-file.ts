import { randomBytes } from 'node:crypto'
import { renameSync } from 'node:fs'
import { chmod, lstat, open, rename, rm, stat, unlink } from 'node:fs/promises'
import { connect, Server } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkFolder, preparePrivateFolder } from '../base/private-folder.ts'
import { type AgentProblem, refusedBy } from './location.ts'

interface SocketFile {
  readonly path: string
  readonly uid: number
}

/** Listens at a Unix socket that only its owner can open. Replaces a stale socket, but never one in use. */
export async function listenAtSocket(server: Server, file: SocketFile): Promise<AgentProblem | undefined> {
  try {
    const problem = prepareFolder(path.dirname(file.path), file.uid)
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

export type SocketIdentity = string

export const identityAt = (socket: string): Promise<SocketIdentity> => identityOf(socket).catch(() => 'unreadable')

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

/** Open connections stay, and so does a socket in the same place at which another program listens. */
export async function listenAgain(
  server: Server,
  file: SocketFile,
  identity: SocketIdentity | undefined,
): Promise<AgentProblem | undefined> {
  const { path: socket, uid } = file
  await restoreFolder(path.dirname(socket), uid)
  if (identity !== undefined && (await identityAt(socket)) === identity) {
    // A failure is ignored: if the socket is gone, the code below makes it again.
    await chmod(socket, 0o600).catch(() => {})
    if (await isReachable(file, identity)) return undefined
  }
  if (server.listening) stopListening(server, socket)
  return listenAtSocket(server, file)
}

/**
 * Accepts no more connections, but keeps the open ones. An HTTP server's own `close` would end the idle ones, so this
 * calls the `close` of `net.Server`. That deletes whatever is at the path (libuv: uv_pipe_bind), which may be another
 * program's socket by now, so the file is moved aside during the call.
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

/** SECURITY: makes the user's own folder private again. */
async function restoreFolder(folder: string, uid: number): Promise<void> {
  const found = await lstat(folder).catch(() => undefined)
  if (found?.isDirectory() && found.uid === uid && (found.mode & 0o722) !== 0o700)
    await chmod(folder, 0o700).catch(() => {})
}

/** Makes the folder if it is missing, but none above it. */
function prepareFolder(folder: string, uid: number): AgentProblem | undefined {
  const above = path.dirname(folder)
  if (checkFolder(above, uid).kind === 'missing') return { kind: 'folderMissing', path: above }
  const problem = preparePrivateFolder(folder, uid)
  if (problem?.code === 'notCreatable') return { kind: 'refused', path: problem.path, cause: problem.cause }
  return problem && { kind: 'folderUnsafe', path: problem.path }
}

/** `listen` binds the socket before it returns. So the umask applies, and the socket is never open to others. */
function listenPrivately(server: Server, socket: string) {
  const before = process.umask(0o077)
  try {
    return listen(server, socket)
  } finally {
    process.umask(before)
  }
}

/** The caller holds the lock, so only one process at a time takes over a socket. */
async function takeOver(server: Server, file: SocketFile): Promise<AgentProblem | NodeJS.ErrnoException | undefined> {
  return (await clearAway(file.path)) ?? listenPrivately(server, file.path)
}

async function clearAway(socket: string): Promise<AgentProblem | undefined> {
  const found = await identityOf(socket)
  if (found === 'none') return undefined
  if (found === 'notASocket') return { kind: 'notASocket', path: socket }
  if ((await livenessOf(socket)) === 'live') return { kind: 'inUse', path: socket }
  // Another process may have replaced the stale socket by now. So the socket is renamed, which is atomic, then checked,
  // and put back if it isn't the stale one.
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

/** The time is part of a socket's identity, because the system reuses inode numbers. */
async function identityOf(socket: string): Promise<string> {
  try {
    const stats = await lstat(socket, { bigint: true })
    return stats.isSocket() ? `${stats.dev}:${stats.ino}:${stats.mtimeNs}` : 'notASocket'
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'none'
    throw error
  }
}

/** How many connections can wait to be accepted. */
const BACKLOG = 1_024

/** Resolves to the error if that fails. */
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

/** `dead`: no program listens at the path. `gone`: nothing is at the path. In doubt, the socket is `live`. */
type Liveness = 'live' | 'dead' | 'gone'

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

/** A lock older than this was left by a process that died. */
const STALE_MS = 5_000
const RETRY_DELAY_MS = 20

async function withLock(lock: string, work: () => ReturnType<typeof takeOver>): ReturnType<typeof takeOver> {
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
  // `abs`: if the clock was set back, the lock's time may be in the future.
  if (made !== undefined && Math.abs(Date.now() - made.mtimeMs) > STALE_MS) await rm(lock, { force: true })
  return false
}

/** Finds a path to a socket that no other user can redirect to another socket after the check. */
import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync, type Stats, statSync } from 'node:fs'
import path from 'node:path'
import { LatchkeyError } from './error.ts'

export interface SafePath {
  readonly path: string
  release(): void
}

const GROUP_OR_OTHERS_MAY_WRITE = 0o022
const STICKY = 0o1000

/** Node can't tell which user listens at the socket. Throws errors of `fs` if there is none. */
export function safePathTo(socket: string, uid: number, platform = process.platform): SafePath {
  return platform === 'linux' ? inOpenFolder(socket, uid) : inFixedFolder(socket, uid)
}

/** On Linux, a path that begins at an open folder stays in that folder, even if the folder is renamed or replaced. */
function inOpenFolder(socket: string, uid: number): SafePath {
  const folder = openSync(path.dirname(socket), constants.O_RDONLY | constants.O_DIRECTORY)
  const release = () => closeSync(folder)
  try {
    const safe = `/proc/self/fd/${folder}/${path.basename(socket)}`
    checkOwn(socket, fstatSync(folder), lstatSync(safe), uid)
    return { path: safe, release }
  } catch (error) {
    release()
    throw error
  }
}

/** On other systems, the real path is used if no other user can rename a folder in it. */
function inFixedFolder(socket: string, uid: number): SafePath {
  const folder = realpathSync(path.dirname(socket))
  const safe = path.join(folder, path.basename(socket))
  for (let above = path.dirname(folder); ; above = path.dirname(above)) {
    // SECURITY: a user who can rename a parent folder can put another folder in its place.
    if (isChangeable(statSync(above), uid)) throw notOwn(socket)
    if (above === path.dirname(above)) break
  }
  checkOwn(socket, statSync(folder), lstatSync(safe), uid)
  return { path: safe, release: () => {} }
}

function isChangeable({ uid, mode }: Stats, user: number): boolean {
  if (uid !== user && uid !== 0) return true
  return (mode & GROUP_OR_OTHERS_MAY_WRITE) !== 0 && (mode & STICKY) === 0
}

/** SECURITY: another user who owns the socket or its folder could listen there instead of Latchkey. */
function checkOwn(socket: string, folder: Stats, file: Stats, uid: number): void {
  if (!file.isSocket()) throw Object.assign(new Error(`${socket} isn't a socket`), { code: 'ENOTSOCK' })
  // Latchkey's own folder is closed to others.
  if (file.uid !== uid || folder.uid !== uid || (folder.mode & GROUP_OR_OTHERS_MAY_WRITE) !== 0) throw notOwn(socket)
}

const notOwn = (socket: string) =>
  new LatchkeyError(
    'not_own',
    `${socket} belongs to another user, so nothing was sent. Run this as the user who runs Latchkey.`,
  )

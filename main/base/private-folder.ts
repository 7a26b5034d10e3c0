import { lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmdirSync, statSync } from 'node:fs'
import path from 'node:path'
import type { FolderProblem } from '../../contract/start-problem.ts'

interface Entry {
  readonly uid: number
  readonly mode: number
  isSymbolicLink(): boolean
  isDirectory(): boolean
}

interface FileSystem {
  readonly lstat: (path: string) => Entry
  readonly readlink: (path: string) => string
}

type FolderCheck =
  /** The folder belongs to the user, and no one else can write to it or replace it. */
  | { readonly kind: 'private' }
  /** `path` doesn't exist yet, or is a file. Every folder above it passed the check. */
  | { readonly kind: 'missing'; readonly path: string }
  /** Someone else owns `path` or can write to it: the checked folder, or a folder or link that leads to it. */
  | { readonly kind: 'unsafe'; readonly path: string }

const WRITABLE_BY_OTHERS = 0o022
const WRITABLE_BY_ALL = 0o002
const STICKY = 0o1000
/** The maximum number of links that are followed in one path. Linux has the same limit. */
const MOST_LINKS = 40

/**
 * Checks that only the user can write to a folder or replace it. Every folder and link in its path must belong to root
 * or the user. Nobody else may write to such a folder, unless it is sticky like `/tmp`. SECURITY: each entry is looked
 * up in a folder that has passed the check, so nobody else can change later where the path leads. This isn't used on
 * Windows, where modes have no meaning.
 */
export function checkFolder(
  folder: string,
  uid: number,
  { lstat, readlink }: FileSystem = { lstat: lstatSync, readlink: readlinkSync },
): FolderCheck {
  let here = '/'
  let entry = lstat(here)
  let links = 0
  if (!isTrusted(entry, uid)) return { kind: 'unsafe', path: here }
  // path.resolve would be wrong: the kernel follows a link before the `..` that comes after it.
  const names = (path.posix.isAbsolute(folder) ? folder : `${process.cwd()}/${folder}`).split('/')
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const next = path.posix.join(here, name)
    const found = lstatIfThere(lstat, next)
    if (found === undefined) return { kind: 'missing', path: next }
    if (!isTrusted(found, uid) || links > MOST_LINKS) return { kind: 'unsafe', path: next }
    if (found.isSymbolicLink()) {
      links++
      const target = readlink(next)
      if (path.posix.isAbsolute(target)) here = '/'
      names.unshift(...target.split('/'))
    } else if (found.isDirectory()) {
      here = next
      entry = found
    } else return { kind: 'missing', path: next }
  }
  const isOwn = entry.uid === uid && (entry.mode & WRITABLE_BY_OTHERS) === 0
  return isOwn ? { kind: 'private' } : { kind: 'unsafe', path: here }
}

/** Creates the folder and the missing folders above it. Returns the problem if the folder can't be used. */
export function preparePrivateFolder(folder: string, uid: number): FolderProblem | undefined {
  let check = checkFolder(folder, uid)
  if (check.kind === 'missing') {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
    } catch (error) {
      return { code: 'notCreatable', path: check.path, cause: (error as NodeJS.ErrnoException).code ?? String(error) }
    }
    // SECURITY: below a sticky folder, another user may have created the folder first.
    check = checkFolder(folder, uid)
  }
  return check.kind === 'private' ? undefined : { code: 'notPrivate', path: check.path }
}

/**
 * Returns a problem with the first folder that someone else owns or that everybody can write to. The folders above it
 * aren't checked, because the system or the environment has named the path. A link to the folder may belong to root.
 * The group may write to the folder, because on many systems each user has their own group and a umask of 002. A
 * missing folder passes.
 */
export function problemOfFolders(folders: readonly string[], uid: number): FolderProblem | undefined {
  const unsafe = folders.find((folder) => {
    const entry = lstatIfThere(lstatSync, folder)
    const target = statSync(folder, { throwIfNoEntry: false })
    if (entry === undefined || target === undefined) return false
    const isLinkTrusted = !entry.isSymbolicLink() || entry.uid === 0 || entry.uid === uid
    return !isLinkTrusted || target.uid !== uid || (target.mode & WRITABLE_BY_ALL) !== 0
  })
  return unsafe === undefined ? undefined : { code: 'notPrivate', path: unsafe }
}

export function problemOfWriting(folder: string): string | undefined {
  try {
    rmdirSync(mkdtempSync(path.join(folder, 'probe-')))
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  }
}

function isTrusted(entry: Entry, uid: number): boolean {
  if (entry.uid !== 0 && entry.uid !== uid) return false
  // The mode of a link has no meaning.
  return entry.isSymbolicLink() || (entry.mode & WRITABLE_BY_OTHERS) === 0 || (entry.mode & STICKY) !== 0
}

function lstatIfThere(lstat: FileSystem['lstat'], file: string): Entry | undefined {
  try {
    return lstat(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

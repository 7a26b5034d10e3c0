import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  type Stats,
} from 'node:fs'
import path from 'node:path'

type GuardedReading =
  | { readonly kind: 'read'; readonly content: Buffer }
  /** `unsafe` means that someone other than root can change or replace the file. */
  | { readonly kind: 'missing' | 'unreadable' | 'unsafe' }

export interface FileSystem {
  lstat(path: string): Pick<Stats, 'uid' | 'mode' | 'isSymbolicLink'>
  readlink(path: string): string
}

class UnsafeFile extends Error {
  readonly part: string

  constructor(part: string) {
    super('others than root can change it')
    this.part = part
  }
}

/** The maximum number of links that Linux follows in one path (path_resolution(7)). */
const MOST_LINKS = 40

/** Reads a file that only root can change. On Windows, the permissions of the file's folder protect it instead. */
export function readGuarded(file: string, platform: NodeJS.Platform): GuardedReading {
  try {
    return { kind: 'read', content: platform === 'win32' ? readFileSync(file) : readRoots(file) }
  } catch (error) {
    // A missing file sets nothing, so it is no problem if others could create it.
    if (error instanceof UnsafeFile) return { kind: existsSync(file) ? 'unsafe' : 'missing' }
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    return { kind: code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unreadable' }
  }
}

/** The first part of a path that someone other than root can change; `undefined` if there is none. */
export function unsafePart(file: string): string | undefined {
  try {
    resolveGuarded(file, { lstat: lstatSync, readlink: readlinkSync })
    return undefined
  } catch (error) {
    return error instanceof UnsafeFile ? error.part : undefined
  }
}

function readRoots(file: string): Buffer {
  const resolved = resolveGuarded(file, { lstat: lstatSync, readlink: readlinkSync })
  // SECURITY: opens the checked path, and follows no link that has replaced the file since.
  const opened = openSync(resolved, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    expectRoots(resolved, fstatSync(opened))
    return readFileSync(opened)
  } finally {
    closeSync(opened)
  }
}

/**
 * Throws if anyone but root can change the file, or a folder or link on the way. SECURITY: checks one name at a time
 * from `/` down, so that only root could change a checked part meanwhile.
 */
export function resolveGuarded(file: string, { lstat, readlink }: FileSystem): string {
  const names = file.split('/')
  let resolved = '/'
  for (let links = 0; names.length > 0; ) {
    const next = path.posix.join(resolved, names.shift() ?? '')
    const stats = lstat(next)
    if (!stats.isSymbolicLink()) {
      expectRoots(next, stats)
      resolved = next
    } else if (++links <= MOST_LINKS) {
      const target = readlink(next)
      if (target.startsWith('/')) resolved = '/'
      names.unshift(...target.split('/'))
    } else throw new Error('too many links')
  }
  return resolved
}

/** The sticky bit of a folder such as /tmp is no protection, because others can still add files. */
function expectRoots(part: string, { uid, mode }: Pick<Stats, 'uid' | 'mode'>): void {
  if (uid !== 0 || (mode & 0o022) !== 0) throw new UnsafeFile(part)
}

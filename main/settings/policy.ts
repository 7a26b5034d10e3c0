import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { type Layer, readLayer, type SettingsProblem } from './layer.ts'

/** Where the administrator's file lies. On Windows it is not under `%ProgramData%`, where every user may make folders. */
export function policyPath(platform: NodeJS.Platform, env: Record<string, string | undefined>): string {
  switch (platform) {
    case 'win32':
      return path.win32.join(env['ProgramFiles'] ?? 'C:\\Program Files', 'Latchkey', 'policy.json')
    case 'darwin':
      return '/Library/Application Support/Latchkey/policy.json'
    default:
      return '/etc/latchkey/policy.json'
  }
}

/** What the file system tells of one path. */
export interface Guard {
  readonly uid: number
  /** The permission bits, as in `st_mode`. */
  readonly mode: number
}

/** Nobody but root can change the file, or put another in its place: it and every folder above is root's alone. */
export function isGuarded(file: string, stat: (path: string) => Guard): boolean {
  for (let each = file; ; each = path.posix.dirname(each)) {
    const { uid, mode } = stat(each)
    // A sticky folder (/tmp) still lets others add files, so it is not enough.
    if (uid !== 0 || (mode & 0o022) !== 0) return false
    if (each === '/') return true
  }
}

/**
 * Reads the administrator's file. A file that isn't there says nothing; one that is there but can't be trusted,
 * read or parsed is named as a problem and none of it counts.
 */
export function readPolicy(file: string, platform: NodeJS.Platform) {
  let content: string
  try {
    content = readFileSync(file, 'utf8')
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
    return missing ? nothing() : problem(file, 'unreadable')
  }
  // SECURITY: a file that somebody else can write would let them choose where passwords are sent.
  if (platform !== 'win32' && !isGuarded(path.posix.resolve(file), (each) => statSync(each))) {
    return problem(file, 'unsafe')
  }
  let json: unknown
  try {
    json = JSON.parse(content)
  } catch {
    return problem(file, 'damaged')
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return problem(file, 'damaged')
  return readLayer('policy', json, (field) => `${file}: ${field}`)
}

interface Reading {
  readonly layer: Layer
  readonly problems: readonly SettingsProblem[]
}

function nothing(): Reading {
  return { layer: {}, problems: [] }
}

function problem(where: string, kind: SettingsProblem['problem']): Reading {
  return { layer: {}, problems: [{ source: 'policy', where, problem: kind }] }
}

import path from 'node:path'
import { assertNever } from '../../contract/assert-never.ts'

export type AgentLocation =
  | { readonly kind: 'socket'; readonly path: string }
  /** A named pipe with a random name. The file contains that name and a secret that tools must send. */
  | { readonly kind: 'pipe'; readonly file: string }

/** A problem that only the user or the administrator can correct. */
export type LocationProblem =
  | { readonly kind: 'pathTooLong'; readonly path: string; readonly bytes: number }
  | { readonly kind: 'pathNotAbsolute'; readonly path: string }

interface HostSystem {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly dataFolder: string
  readonly isDefaultDataFolder: boolean
}

/** In bytes. On macOS, `sun_path` has 104, one of them for the NUL, and the system would cut off a longer path. */
export const LONGEST_PATH = 103

/**
 * `LATCHKEY_SOCKET` overrides the path of the socket or, on Windows, of the pipe's file. If the data folder isn't the
 * default one, the path is in that folder, so that two copies of the app don't collide.
 */
export function locate(host: HostSystem): AgentLocation | LocationProblem {
  const { platform, env, dataFolder, isDefaultDataFolder } = host
  const override = env['LATCHKEY_SOCKET'] || undefined
  if (platform === 'win32') {
    const local = isDefaultDataFolder ? env['LOCALAPPDATA'] : undefined
    const file = override ?? path.win32.join(local ? path.win32.join(local, 'Latchkey') : dataFolder, 'agent.json')
    return path.win32.isAbsolute(file) ? { kind: 'pipe', file } : { kind: 'pathNotAbsolute', path: file }
  }
  const socket = override ?? path.posix.join(runtimeFolder(host) ?? dataFolder, 'agent.sock')
  if (!path.posix.isAbsolute(socket)) return { kind: 'pathNotAbsolute', path: socket }
  const bytes = Buffer.byteLength(socket)
  return bytes > LONGEST_PATH ? { kind: 'pathTooLong', path: socket, bytes } : { kind: 'socket', path: socket }
}

function runtimeFolder({ platform, env, isDefaultDataFolder }: HostSystem): string | undefined {
  const folder = env['XDG_RUNTIME_DIR']
  // A relative path must be ignored (XDG Base Directory Specification).
  const isUsable = platform !== 'darwin' && isDefaultDataFolder && folder !== undefined && path.posix.isAbsolute(folder)
  return isUsable ? path.posix.join(folder, 'latchkey') : undefined
}

export type AgentProblem =
  | LocationProblem
  /** `folderUnsafe`: the folder belongs to another user, or others can write to it. */
  | { readonly kind: 'inUse' | 'notASocket' | 'folderMissing' | 'folderUnsafe'; readonly path: string }
  /** The system didn't let the agent listen. `cause` is its error code. */
  | { readonly kind: 'refused'; readonly path: string; readonly cause: string }

export const refusedBy = (path: string, error: NodeJS.ErrnoException): AgentProblem => ({
  kind: 'refused',
  path,
  cause: error.code ?? error.message,
})

export function problemSentence(problem: AgentProblem): string {
  const { path } = problem
  switch (problem.kind) {
    case 'pathTooLong':
      return `The path of the agent's socket is too long (${problem.bytes} bytes): ${path}. Set LATCHKEY_SOCKET to a path of at most ${LONGEST_PATH} bytes.`
    case 'pathNotAbsolute':
      return 'LATCHKEY_SOCKET is not an absolute path. Set it to an absolute path, or remove it.'
    case 'inUse':
      return `Another Latchkey is already using ${path}. Quit it, or set LATCHKEY_SOCKET to another path.`
    case 'notASocket':
      return `${path} exists but isn't a socket. Move it elsewhere, or set LATCHKEY_SOCKET to another path.`
    case 'folderMissing':
      return `The folder ${path} doesn't exist. Create it, or set LATCHKEY_SOCKET to another path.`
    case 'folderUnsafe':
      return `${path} isn't private: the folder belongs to another user, or others can write to it. Ask your administrator.`
    case 'refused':
      return `Latchkey can't use ${path} (${problem.cause}). Ask your administrator.`
    default:
      return assertNever(problem)
  }
}

import { assertNever } from '../../contract/assert-never.ts'
import { LONGEST_PATH, type LocationProblem } from './location.ts'

/** Why the agent isn't running. */
export type AgentProblem =
  | LocationProblem
  /** Another copy of the app already listens at `path`. */
  | { readonly kind: 'inUse'; readonly path: string }
  /** The path exists but isn't a socket; it is not replaced. */
  | { readonly kind: 'notASocket'; readonly path: string }
  /** The parent folder `path` is missing. */
  | { readonly kind: 'folderMissing'; readonly path: string }
  /** The folder belongs to another user, or others can write to it. */
  | { readonly kind: 'folderUnsafe'; readonly path: string }
  /** The system returned another error; `cause` is its code. */
  | { readonly kind: 'refused'; readonly path: string; readonly cause: string }

export const refusedBy = (path: string, error: NodeJS.ErrnoException): AgentProblem => ({
  kind: 'refused',
  path,
  cause: error.code ?? error.message,
})

/** Says in English what happened and what to do. */
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

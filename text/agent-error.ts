/** Why the agent isn't running: the cases that each language has a sentence for. */
export type AgentError = {
  readonly path: string
  /** The maximum length of a socket's path, in bytes. */
  readonly most: number
} & (
  | { readonly kind: 'pathTooLong'; readonly bytes: number }
  | { readonly kind: 'pathNotAbsolute' }
  /** Another Latchkey already listens at the path. */
  | { readonly kind: 'inUse' }
  | { readonly kind: 'notASocket' }
  /** The parent folder of the socket's folder doesn't exist. */
  | { readonly kind: 'folderMissing' }
  | { readonly kind: 'folderUnsafe' }
  /** `cause` is the system's error code. */
  | { readonly kind: 'refused'; readonly cause: string }
)

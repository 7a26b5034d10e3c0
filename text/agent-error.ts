export type AgentError = {
  readonly path: string
  /** The longest path of a socket, in bytes. */
  readonly most: number
} & (
  | { readonly kind: 'pathTooLong'; readonly bytes: number }
  | { readonly kind: 'pathNotAbsolute' }
  | { readonly kind: 'inUse' }
  | { readonly kind: 'notASocket' }
  | { readonly kind: 'folderMissing' }
  | { readonly kind: 'folderUnsafe' }
  /** `cause`: the system's error code. */
  | { readonly kind: 'refused'; readonly cause: string }
)

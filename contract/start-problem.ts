export type FolderProblem =
  | { readonly code: 'notPrivate'; readonly path: string }
  /** `cause`: the system's error code. */
  | { readonly code: 'notCreatable'; readonly path: string; readonly cause: string }

export type StartProblem =
  | FolderProblem
  /** The shell hasn't expanded the `~` in the switch `--user-data-dir`. */
  | { readonly code: 'tilde'; readonly given: string }
  /** `source`: the switch or variable that names the folder. */
  | { readonly code: 'unusable'; readonly source: string; readonly cause: string }
  | { readonly code: 'notWritable'; readonly path: string; readonly cause: string }
  | { readonly code: 'settingsUnreadable'; readonly path: string; readonly cause: string }
  /** Another program listens at the address that Latchkey uses as the data folder's lock. */
  | { readonly code: 'otherListener'; readonly path: string }
  /** Latchkey is already running, and doesn't answer. */
  | { readonly code: 'notResponding'; readonly pid: number }

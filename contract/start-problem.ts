/** Why a folder can't be used. */
export type FolderProblem =
  | { readonly code: 'notPrivate'; readonly path: string }
  /** `cause` is the system's error code. */
  | { readonly code: 'notCreatable'; readonly path: string; readonly cause: string }

/** Why the app doesn't start. `cause` is the system's error code. */
export type StartProblem =
  | FolderProblem
  /** The shell didn't replace the `~` in the switch `--user-data-dir`. */
  | { readonly code: 'tilde'; readonly given: string }
  /** `source`: the switch or variable that names the folder. */
  | { readonly code: 'unusable'; readonly source: string; readonly cause: string }
  | { readonly code: 'notWritable'; readonly path: string; readonly cause: string }
  | { readonly code: 'settingsUnreadable'; readonly path: string; readonly cause: string }
  /** Another program listens at the data folder's lock. */
  | { readonly code: 'otherListener'; readonly path: string }
  /** Latchkey is already running. */
  | { readonly code: 'notResponding'; readonly pid: number }

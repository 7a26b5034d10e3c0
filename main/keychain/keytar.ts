/** What the app and the keychain's child process share, so that the child loads nothing else. */
import { createRequire } from 'node:module'

/** The service name of all entries. */
export const SERVICE = 'Latchkey'

/**
 * The part of keytar that is used. `findCredentials` is not used, because it crashes the process on a locked
 * collection.
 */
export interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>
  setPassword(service: string, account: string, password: string): Promise<void>
  deletePassword(service: string, account: string): Promise<boolean>
  /** Keeps the connection to the Secret Service: the user was asked about it, and would be asked about another. */
  keep?(): void
  /** Makes the next call on a new connection, so that the user is asked again. */
  reconnect?(): void
}

/**
 * Loads the native module; throws if libsecret is missing on Linux. By `require`, because `import` would load Node's ES
 * module loader, which nothing else needs and which takes longer than keytar itself.
 */
export const loadKeytar = async (): Promise<Keytar> => createRequire(import.meta.url)('keytar')

/**
 * True if keytar runs in a child process. On Linux that process has to be ended in two cases: after a restart of the
 * Secret Service every further call fails, because libsecret keeps its first connection, and a call that waits for an
 * unlock prompt can't be cancelled. On macOS there must be none: a keychain item trusts the program that created it
 * (Apple: Security, Access Control Lists), and Electron's helper is another program. On Windows there is no need.
 */
export const hasOwnProcess = (platform: NodeJS.Platform): boolean => platform === 'linux'

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

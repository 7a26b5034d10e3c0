/** What the app and the keychain's child process share, so that the child loads nothing else. */
import { createRequire } from 'node:module'

/** The service name of all entries. */
export const SERVICE = 'Latchkey'

/** Without `findCredentials`, which crashes the process on a locked collection. */
export interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>
  setPassword(service: string, account: string, password: string): Promise<void>
  deletePassword(service: string, account: string): Promise<boolean>
  /** Keeps the connection to the Secret Service: the user would be asked about another one. */
  keep?(): void
  /** Makes the next call on a new connection, so that the user is asked again. */
  reconnect?(): void
}

/**
 * Rejects if libsecret is missing. `require`, because Node's loader for ES modules takes longer to load than keytar.
 */
export const loadKeytar = async (): Promise<Keytar> => createRequire(import.meta.url)('keytar')

/**
 * Whether keytar runs in a child process. On Linux it must, so that its connection can be ended: libsecret never renews
 * one that a restart of the Secret Service has broken, and a call that waits for a prompt can't be cancelled. On macOS
 * it must not: an entry trusts the program that created it (Apple: Security, Access Control Lists), and Electron's
 * helper is another program.
 */
export const hasOwnProcess = (platform: NodeJS.Platform): boolean => platform === 'linux'

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

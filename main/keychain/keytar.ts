/** What the app and the keychain's child process share. The child process loads nothing else. */
import { createRequire } from 'node:module'

/** All entries have this service name. */
export const SERVICE = 'Latchkey'

/** The calls of keytar that Latchkey uses. `findCredentials` isn't one, because it crashes on a locked collection. */
export interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>
  setPassword(service: string, account: string, password: string): Promise<void>
  deletePassword(service: string, account: string): Promise<boolean>
  /** Keeps the connection to the Secret Service, because the user would be asked again for another one. */
  keep?(): void
  /** Makes the next call use a new connection, so that the user is asked again. */
  reconnect?(): void
}

/** Rejects if libsecret is missing. Uses `require`, because an `import` takes longer than keytar itself. */
export const loadKeytar = async (): Promise<Keytar> => createRequire(import.meta.url)('keytar')

/**
 * Whether keytar runs in a child process. On Linux it must, because libsecret never renews a connection that a restart
 * of the Secret Service has broken, and a call that waits for a prompt ends only with its process. On macOS it must run
 * in the app: an entry trusts the program that created it (Apple: Security, Access Control Lists), and a child is
 * another program.
 */
export const hasOwnProcess = (platform: NodeJS.Platform): boolean => platform === 'linux'

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

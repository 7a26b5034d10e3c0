/** Shared by the app and the keychain's child process, which loads nothing else. */
import { createRequire } from 'node:module'

/** All entries have this service name. */
export const SERVICE = 'Latchkey'

/** Without `findCredentials`, which crashes on a locked collection. */
export interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>
  setPassword(service: string, account: string, password: string): Promise<void>
  deletePassword(service: string, account: string): Promise<boolean>
  /** Keeps the connection to the Secret Service: for another, the user would be asked again. */
  keep?(): void
  /** Connects anew for the next call, so that the user is asked again. */
  reconnect?(): void
}

/** Rejects if libsecret is missing. Uses `require`, because an `import` takes longer than keytar itself. */
export const loadKeytar = async (): Promise<Keytar> => createRequire(import.meta.url)('keytar')

/**
 * Whether keytar runs in a child process. On Linux it must: libsecret never renews a connection that a restart of the
 * Secret Service has broken, and a call that waits for a prompt ends only with its process. On macOS it must not: an
 * entry trusts the program that created it (Apple: Security, Access Control Lists), and a child is another program.
 */
export const hasOwnProcess = (platform: NodeJS.Platform): boolean => platform === 'linux'

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

import { hostname } from 'node:os'
import { KeytarProcess, type KeytarProcessOptions } from '../keychain/keytar-process.ts'
import { loadKeytar } from '../keychain/load-keytar.ts'
import { type OpenedKeychain, openSecretStore } from '../keychain/open.ts'
import { hasOwnProcess } from '../keychain/own-process.ts'
import { watchSecretService } from '../keychain/watch-service.ts'

export interface Keychain {
  /**
   * `hasOwner` is true of an entry that a session manages, and so must read before it changes it: see `FallbackStore`.
   */
  open(hasOwner: (name: string) => boolean): Promise<OpenedKeychain>
  /**
   * Calls `lost` when the keychain may no longer have what was stored in it. Returns a function that stops the calls.
   */
  watch(lost: () => void): () => void
  /** Ends the keychain's child process, if there is one. */
  stop(): void
  /** True if keychain calls run in this process, which can't end before they have. */
  readonly isInProcess: boolean
}

interface SystemKeychainPorts extends Pick<KeytarProcessOptions, 'fork' | 'clock'> {
  readonly platform: NodeJS.Platform
  /** The keychain's child process, if it was started before the rest of the app. */
  readonly first?: KeytarProcessOptions['first']
}

/** The keychain of this desktop. */
export function systemKeychain({ platform, clock, fork, first }: SystemKeychainPorts): Keychain {
  const keytarProcess = hasOwnProcess(platform) ? new KeytarProcess({ fork, first, clock }) : undefined
  return {
    open: (hasOwner) =>
      openSecretStore({
        platform,
        hostname: hostname(),
        clock,
        loadKeytar: () => keytarProcess?.load() ?? loadKeytar(),
        hasOwner,
      }),
    watch: (lost) => (platform === 'linux' ? watchSecretService({ clock }, lost) : () => {}),
    stop: () => keytarProcess?.stop(),
    isInProcess: keytarProcess === undefined,
  }
}

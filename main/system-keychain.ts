import { hostname } from 'node:os'
import { KeytarProcess, type KeytarProcessOptions } from './keychain/keytar-process.ts'
import { loadKeytar } from './keychain/load-keytar.ts'
import { type OpenedKeychain, openSecretStore } from './keychain/open.ts'
import { hasOwnProcess } from './keychain/own-process.ts'

export interface Keychain {
  /** `onMoving` is told the name of each entry that moves from memory to a keychain that came late. */
  open(onMoving: (name: string) => void): Promise<OpenedKeychain>
  /** Ends what would go on without the app. */
  stop(): void
  /** Whether its calls run in this process, which then waits for them when it ends. */
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
    open: (onMoving) =>
      openSecretStore({
        platform,
        hostname: hostname(),
        clock,
        loadKeytar: () => keytarProcess?.load() ?? loadKeytar(),
        onMoving,
      }),
    stop: () => keytarProcess?.stop(),
    isInProcess: keytarProcess === undefined,
  }
}

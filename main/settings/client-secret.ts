import type { Outcome } from '../../preload/contract.ts'
import type { SecretStore } from '../session/ports.ts'
import { entryText } from '../session/secret.ts'
import { type ClientSecret, clientSecret } from './layer.ts'

/** The keychain entry of a connection's client secret. A space can't be part of an address: it names no session. */
export const clientSecretEntryName = (baseAddress: string): string => `${baseAddress} client secret`

/** The user's own client secret, where the keychain has one and gives it. The entry is the secret itself. */
export async function readClientSecret(
  store: Pick<SecretStore, 'read'>,
  baseAddress: string,
): Promise<ClientSecret | undefined> {
  const result = await store.read(clientSecretEntryName(baseAddress))
  return result.kind === 'found' ? clientSecret(result.value.reveal()) : undefined
}

/** Keeps the client secret of a connection, or takes it away. `ok: false` is always `keychainUnavailable`. */
export function writeClientSecret(
  store: Pick<SecretStore, 'write' | 'delete'>,
  baseAddress: string,
  secret: ClientSecret | undefined,
): Promise<Outcome> {
  const name = clientSecretEntryName(baseAddress)
  return secret === undefined ? store.delete(name) : store.write(name, entryText(secret.reveal()))
}

/**
 * The keychain for a session that may have been opened before its client secret could be read: it stays locked for
 * that one as long as another is to take its place.
 * @param isReady asked before anything found is handed out.
 */
export function lockedUntil(store: SecretStore, isReady: () => Promise<boolean>): SecretStore {
  return {
    get persistence() {
      return store.persistence
    },
    async read(name) {
      const result = await store.read(name)
      return result.kind === 'found' && !(await isReady()) ? { kind: 'locked' } : result
    },
    write: (name, value) => store.write(name, value),
    delete: (name) => store.delete(name),
  }
}

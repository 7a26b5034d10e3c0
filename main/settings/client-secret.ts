import type { SecretStore } from '../session/ports.ts'
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

import * as v from 'valibot'
import { fail, OK, type Outcome } from '../../contract/failures.ts'
import { type ClientSecret, clientSecret, entryText } from '../base/secret.ts'
import type { SecretStore } from '../session/ports.ts'

/**
 * The name of a client secret's keychain entry. It can't be the name of a session's entry, because it contains spaces.
 */
const clientSecretEntryName = (baseAddress: string): string => `${baseAddress} client secret`

export interface StoredClientSecret {
  readonly secret: ClientSecret
  /** The address of the secret's provider. It is absent if `secret-tool` has stored the secret. */
  readonly issuer?: string
}

const nonEmpty = v.pipe(v.string(), v.minLength(1))
const entrySchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.strictObject({ version: v.literal(1), issuer: nonEmpty, clientSecret: nonEmpty }),
)

/**
 * The user's own client secret; `undefined` if there is none. An entry is either the secret alone, or JSON that also
 * names its provider. Fails only with `keychainUnavailable`. In this case, there may still be a secret.
 */
export async function readClientSecret(
  store: Pick<SecretStore, 'read'>,
  baseAddress: string,
): Promise<Outcome<StoredClientSecret | undefined>> {
  const result = await store.read(clientSecretEntryName(baseAddress))
  if (result.kind === 'missing') return OK
  if (result.kind !== 'found') return fail({ code: 'keychainUnavailable' })
  const text = result.value.reveal()
  const entry = v.safeParse(entrySchema, text)
  if (!entry.success) return { ok: true, value: { secret: clientSecret(text) } }
  return { ok: true, value: { secret: clientSecret(entry.output.clientSecret), issuer: entry.output.issuer } }
}

/** Writes or deletes a connection's client secret. Fails only with `keychainUnavailable`. */
export function writeClientSecret(
  store: Pick<SecretStore, 'write' | 'delete'>,
  baseAddress: string,
  stored: StoredClientSecret | undefined,
): Promise<Outcome> {
  const name = clientSecretEntryName(baseAddress)
  if (stored === undefined) return store.delete(name)
  const { secret, issuer } = stored
  const value = secret.reveal()
  const text = issuer === undefined ? value : JSON.stringify({ version: 1, issuer, clientSecret: value })
  return store.write(name, entryText(text))
}

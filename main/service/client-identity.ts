import type { Secret } from '../session/secret.ts'

/** A certificate with its key, for a service that asks who is there (mTLS). The key is all that keeps others from being it. */
export type ClientIdentity =
  /** PEM. */
  | { readonly cert: string; readonly key: Secret; readonly passphrase?: Secret }
  /** PKCS #12, in Base64. */
  | { readonly pfx: Secret; readonly passphrase?: Secret }

/** An identity as TLS wants it, in got's words. */
export function revealed(identity: ClientIdentity) {
  const passphrase = identity.passphrase && { passphrase: identity.passphrase.reveal() }
  return 'pfx' in identity
    ? { pfx: Buffer.from(identity.pfx.reveal(), 'base64'), ...passphrase }
    : { certificate: identity.cert, key: identity.key.reveal(), ...passphrase }
}

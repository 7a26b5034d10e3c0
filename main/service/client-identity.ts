import type { Secret } from '../base/secret.ts'

/** A client certificate and its key (mTLS). Anyone with the key can impersonate this computer. */
export type ClientIdentity =
  /** PEM. */
  | { readonly cert: string; readonly key: Secret; readonly passphrase?: Secret }
  /** PKCS #12, in Base64. */
  | { readonly pfx: Secret; readonly passphrase?: Secret }

/** The identity as got's TLS options. */
export function revealed(identity: ClientIdentity) {
  const passphrase = identity.passphrase && { passphrase: identity.passphrase.reveal() }
  return 'pfx' in identity
    ? { pfx: Buffer.from(identity.pfx.reveal(), 'base64'), ...passphrase }
    : { certificate: identity.cert, key: identity.key.reveal(), ...passphrase }
}

/** Where and how credentials may travel: over TLS, or on this computer. */
import type { LookupFunction } from 'node:net'
import type { Secret } from '../base/secret.ts'

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/

export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname)

/** SECURITY: another user could listen at ::1, to which `localhost` may resolve, and get the credentials. */
export const toIpv4Loopback: LookupFunction = (_hostname, { all }, done) =>
  all === true ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)

/** A client certificate and its key (mTLS). Whoever has the key can pose as this computer. */
export type ClientIdentity =
  | { readonly cert: string; readonly key: Secret; readonly passphrase?: Secret }
  /** A certificate and its key as PKCS #12, in Base64. */
  | { readonly pfx: Secret; readonly passphrase?: Secret }

interface TlsOptions {
  readonly cert?: string
  readonly key?: string
  readonly pfx?: Buffer
  readonly passphrase?: string
}

export function tlsOptions(identity: ClientIdentity): TlsOptions {
  const passphrase = identity.passphrase && { passphrase: identity.passphrase.reveal() }
  return 'pfx' in identity
    ? { pfx: Buffer.from(identity.pfx.reveal(), 'base64'), ...passphrase }
    : { cert: identity.cert, key: identity.key.reveal(), ...passphrase }
}

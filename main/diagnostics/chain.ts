import type { DetailedPeerCertificate } from 'node:tls'
import { displayText } from '../base/display-text.ts'

export interface Certificate {
  /** The name in its usual form: `O=Data Platform, CN=service.test`. */
  readonly subject: string
  readonly issuer: string
  /** The time from which the certificate is valid, in milliseconds since the epoch. */
  readonly validFrom: number
  readonly validTo: number
}

const LONGEST_CHAIN = 10
const LONGEST_NAME = 200

const nameOf = (name: object | undefined): string =>
  displayText(
    Object.entries(name ?? {})
      .flatMap(([attribute, values]) => [values].flat().map((value) => `${attribute}=${value}`))
      .join(', '),
    LONGEST_NAME,
  )

/** The host's own certificate first, then its issuers as far as they are known. */
export function chainOf(leaf: DetailedPeerCertificate): readonly Certificate[] {
  const chain: Certificate[] = []
  const seen = new Set<string>()
  let next: DetailedPeerCertificate | undefined = leaf
  // A self-signed certificate is its own issuer, so the chain ends at a certificate that it already contains.
  while (next?.valid_to !== undefined && !seen.has(next.fingerprint256) && chain.length < LONGEST_CHAIN) {
    seen.add(next.fingerprint256)
    const { subject, issuer, valid_from, valid_to } = next
    chain.push({
      subject: nameOf(subject),
      issuer: nameOf(issuer),
      validFrom: Date.parse(valid_from),
      validTo: Date.parse(valid_to),
    })
    next = next.issuerCertificate
  }
  return chain
}

export type ChainError = 'ended' | 'early' | 'otherHost' | 'unknownIssuer' | 'other'

/** What OpenSSL's `code` means, and which certificate it is about. */
export function problemOf(
  chain: readonly Certificate[],
  code: string,
  now: number,
): { readonly kind: ChainError; readonly failing: Certificate | undefined } {
  const [leaf] = chain
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return { kind: 'ended', failing: chain.find(({ validTo }) => validTo < now) ?? leaf }
    case 'CERT_NOT_YET_VALID':
      return { kind: 'early', failing: chain.find(({ validFrom }) => validFrom > now) ?? leaf }
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return { kind: 'otherHost', failing: leaf }
    // The last certificate has the problem: its issuer is unknown, or it is self-signed.
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return { kind: 'unknownIssuer', failing: chain.at(-1) }
    default:
      return { kind: 'other', failing: leaf }
  }
}

import { displayText } from './display-text.ts'
import type { AccessToken } from './secret.ts'

/** What of an access token is read: for scheduling and display only (RFC 7519 section 4.1). */
export interface Claims {
  /** Seconds since the epoch, by the issuer's clock. */
  readonly exp?: number | undefined
  readonly iat?: number | undefined
  /** As it came: identities are compared, and never shown. */
  readonly sub?: string | undefined
  /** As it can be shown. */
  readonly name?: string | undefined
}

/** Characters of a claim that is believed. */
const LONGEST_TEXT = 512
/** Characters of a name that is shown. */
const LONGEST_NAME = 100

/** Nothing where it is of another kind, or can't be what it says. */
const text = (claim: unknown): string | undefined =>
  typeof claim === 'string' && claim !== '' && claim.length <= LONGEST_TEXT ? claim : undefined
/** SECURITY: what tray, window and notifications show is cleaned here, once. */
const name = (claim: unknown): string | undefined => displayText(text(claim) ?? '', LONGEST_NAME) || undefined
const seconds = (claim: unknown): number | undefined =>
  typeof claim === 'number' && claim >= 0 && claim < Number.POSITIVE_INFINITY ? claim : undefined

/**
 * Decodes without verification: the service that checks the token is not this program. A token that isn't a
 * JWT, or a claim of a wrong type, is an absent claim and never an error.
 */
export function decodeClaims(token: AccessToken): Claims {
  const parts = token.reveal().split('.')
  const payload = parts[1]
  if (parts.length !== 3 || payload === undefined) return {}
  let json: unknown
  try {
    json = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
  } catch {
    return {}
  }
  if (typeof json !== 'object' || json === null) return {}
  const told = json as Readonly<Record<string, unknown>>
  return {
    exp: seconds(told['exp']),
    iat: seconds(told['iat']),
    sub: text(told['sub']),
    name: name(told['name']) ?? name(told['preferred_username']),
  }
}

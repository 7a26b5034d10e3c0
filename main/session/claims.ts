import * as v from 'valibot'
import type { AccessToken } from './secret.ts'

/** What of an access token is read: for scheduling and display only (RFC 7519 section 4.1). */
export interface Claims {
  /** Seconds since the epoch, by the issuer's clock. */
  readonly exp?: number
  readonly iat?: number
  readonly sub?: string
  readonly name?: string
}

const text = v.fallback(v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(512))), undefined)
const seconds = v.fallback(v.optional(v.pipe(v.number(), v.finite(), v.minValue(0))), undefined)
const schema = v.object({ exp: seconds, iat: seconds, sub: text, preferred_username: text, name: text })

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
  const parsed = v.safeParse(schema, json)
  if (!parsed.success) return {}
  const { exp, iat, sub, preferred_username, name } = parsed.output
  const display = name ?? preferred_username
  return {
    ...(exp === undefined ? {} : { exp }),
    ...(iat === undefined ? {} : { iat }),
    ...(sub === undefined ? {} : { sub }),
    ...(display === undefined ? {} : { name: display }),
  }
}

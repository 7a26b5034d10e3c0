/** Reads an ID token before the protocol library does, which refuses some that are harmless. */
import * as v from 'valibot'
import { isSameIssuer } from './provider-metadata.ts'

const part = v.pipe(
  v.string(),
  v.transform((text) => Buffer.from(text, 'base64url').toString('utf8')),
  v.parseJson(),
  v.record(v.string(), v.unknown()),
)

export interface IdToken {
  /** The token for the library. */
  readonly text: string
  /** The algorithm of its signature. */
  readonly alg?: string
  readonly hasNonce: boolean
}

/**
 * Some providers write their own address in another way (Google: without `https://`; OpenLiberty: with `:443`), or name
 * an API as a second audience without `azp` (Oracle), which OpenID Connect Core no longer asks for.
 */
export function readIdToken(text: string, issuer: string, clientId: string): IdToken {
  const [header, payload, ...signature] = text.split('.')
  const claims = v.safeParse(part, payload)
  const head = v.safeParse(part, header)
  if (!claims.success || !head.success) return { text, hasNonce: true }
  const { iss, aud, azp, nonce } = claims.output
  const isIssuer = typeof iss === 'string' && isSameIssuer(iss, issuer)
  // SECURITY: the token must still name this client, and no other as the one that it is for.
  const isForUs = Array.isArray(aud) && aud.includes(clientId) && azp === undefined
  const read = { ...claims.output, ...(isIssuer && { iss: issuer }), ...(isForUs && { azp: clientId }) }
  const { alg } = head.output
  return {
    text: [header, Buffer.from(JSON.stringify(read)).toString('base64url'), ...signature].join('.'),
    ...(typeof alg === 'string' && { alg }),
    hasNonce: nonce !== undefined,
  }
}

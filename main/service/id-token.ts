/** Mends harmless faults of ID tokens, which the protocol library would refuse. */
import * as v from 'valibot'
import { isSameIssuer } from './provider-metadata.ts'

const part = <S extends v.GenericSchema>(schema: S) =>
  v.pipe(
    v.string(),
    v.transform((text) => Buffer.from(text, 'base64url').toString('utf8')),
    v.parseJson(),
    schema,
  )

/** The library would refuse null, an empty text, and a time of another type. */
const unlessEmpty = v.optional(
  v.pipe(
    v.unknown(),
    v.transform((value) => (value === null || value === '' ? undefined : value)),
  ),
)
const time = v.fallback(v.optional(v.pipe(v.number(), v.finite(), v.minValue(0))), undefined)

const payloadPart = part(v.looseObject({ azp: unlessEmpty, nonce: unlessEmpty, auth_time: time, nbf: time }))
const headerPart = part(v.record(v.string(), v.unknown()))

export interface IdToken {
  /** The mended ID token, for the library. */
  readonly text: string
  readonly alg?: string
  readonly hasNonce: boolean
}

/**
 * Some providers spell their address in another way: Google without `https://`, OpenLiberty with `:443`. Oracle names
 * an API as a second audience, without `azp`.
 */
export function readIdToken(text: string, issuer: string, clientId: string): IdToken {
  const [header, payload, ...signature] = text.split('.')
  const claims = v.safeParse(payloadPart, payload)
  const head = v.safeParse(headerPart, header)
  if (!claims.success || !head.success) return { text, hasNonce: true }
  const { iss, aud, azp, nonce } = claims.output
  const isIssuer = typeof iss === 'string' && isSameIssuer(iss, issuer)
  // SECURITY: the token must be for this client, with no other as its `azp`.
  const isForUs = Array.isArray(aud) && aud.includes(clientId) && azp === undefined
  const read = { ...claims.output, ...(isIssuer && { iss: issuer }), ...(isForUs && { azp: clientId }) }
  const { alg } = head.output
  return {
    text: [header, Buffer.from(JSON.stringify(read)).toString('base64url'), ...signature].join('.'),
    ...(typeof alg === 'string' && { alg }),
    hasNonce: nonce !== undefined,
  }
}

import * as v from 'valibot'
import { accessToken, refreshToken } from '../base/secret.ts'

const LONGEST_TOKEN = 65_536

/** Real tokens contain more characters than `b64token` (RFC 6750 section 2.1) allows. */
const headerToken = v.pipe(v.string(), v.maxLength(LONGEST_TOKEN), v.regex(/^[\x21-\x7e]+$/))
export const isHeaderToken = (text: string): boolean => v.is(headerToken, text)

/** Some services send `Bearer` in front of the token. */
const accessTokenField = v.pipe(
  v.string(),
  v.transform((text) => text.replace(/^Bearer /i, '')),
  headerToken,
  v.transform(accessToken),
)

/** A refresh token without characters that a keychain would change. */
const refreshTokenField = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(LONGEST_TOKEN),
  v.check((text) => !/[\p{Cc}\p{Cs}]/u.test(text)),
  v.transform(refreshToken),
)

export const tokenPair = v.object({ token: accessTokenField, refreshToken: refreshTokenField })

/** A field that is treated as absent if it is empty or not a text. */
const optionalText = <T>(schema: v.GenericSchema<string, T>) =>
  v.pipe(
    v.optional(v.unknown()),
    v.transform((value) => (typeof value === 'string' && value !== '' ? value : undefined)),
    v.optional(schema),
  )

/** A number of seconds, as a number or a text. Anything else is treated as absent. */
const expiresIn = v.fallback(
  v.optional(
    v.pipe(
      v.union([v.number(), v.pipe(v.string(), v.regex(/^\s*\d{1,12}(?:\.\d{1,12})?\s*$/), v.transform(Number))]),
      v.finite(),
      v.minValue(0),
    ),
  ),
  undefined,
)

/** The response of a provider's token endpoint (RFC 6749 section 5.1). */
export const providerTokens = v.object({
  access_token: accessTokenField,
  // Apigee says `BearerToken`. Tokens of other types need a proof of possession in each request, so they are refused.
  token_type: optionalText(v.pipe(v.string(), v.regex(/^\s*bearer/i))),
  expires_in: expiresIn,
  refresh_token: optionalText(refreshTokenField),
  // Keycloak's name for the refresh token's lifetime. 0 means an offline token, which has no time limit.
  refresh_expires_in: expiresIn,
  // The refresh token's lifetime at GitHub, Snowflake and Microsoft Entra.
  refresh_token_expires_in: expiresIn,
})

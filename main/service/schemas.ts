import * as v from 'valibot'
import { accessToken, refreshToken } from '../base/secret.ts'

const LONGEST_TOKEN = 65_536

/** A token is any visible ASCII: real ones contain more characters than `b64token` (RFC 6750 section 2.1) allows. */
const headerToken = v.pipe(v.string(), v.maxLength(LONGEST_TOKEN), v.regex(/^[\x21-\x7e]+$/))
export const isHeaderToken = (text: string): boolean => v.is(headerToken, text)

/** Some services send the token as they want it in the header, with its scheme. */
const accessTokenField = v.pipe(
  v.string(),
  v.transform((text) => text.replace(/^Bearer /i, '')),
  headerToken,
  v.transform(accessToken),
)

/** An opaque token: not empty, and without characters that a keychain would change or cut off. */
const refreshTokenField = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(LONGEST_TOKEN),
  v.check((text) => !/[\p{Cc}\p{Cs}]/u.test(text)),
  v.transform(refreshToken),
)

/** The service's response to a login or refresh. */
export const tokenPair = v.object({ token: accessTokenField, refreshToken: refreshTokenField })

/** An optional text: anything but a text, or an empty one, counts as absent. */
const optionalText = <T>(schema: v.GenericSchema<string, T>) =>
  v.pipe(
    v.optional(v.unknown()),
    v.transform((value) => (typeof value === 'string' && value !== '' ? value : undefined)),
    v.optional(schema),
  )

/** Seconds; some providers send a string. Anything else counts as absent. */
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
  // Apigee says `BearerToken`. Any other type needs a proof with each request, so the token is no use to a tool.
  token_type: optionalText(v.pipe(v.string(), v.regex(/^\s*bearer/i))),
  expires_in: expiresIn,
  refresh_token: optionalText(refreshTokenField),
  // Keycloak's; 0 is an offline token without a limit.
  refresh_expires_in: expiresIn,
  // GitHub, Snowflake, Microsoft Entra.
  refresh_token_expires_in: expiresIn,
})

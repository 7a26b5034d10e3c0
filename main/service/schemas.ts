import * as v from 'valibot'
import { accessToken, refreshToken } from '../session/secret.ts'

const LONGEST_TOKEN = 65_536

/** A token in a header may only contain the characters of `b64token` (RFC 6750 section 2.1). */
const headerToken = v.pipe(v.string(), v.maxLength(LONGEST_TOKEN), v.regex(/^[A-Za-z0-9._~+/-]+=*$/))
export const isHeaderToken = (text: string): boolean => v.is(headerToken, text)

const accessTokenField = v.pipe(headerToken, v.transform(accessToken))

/** An opaque token: not empty, and without characters that a keychain would change or cut off. */
const refreshTokenField = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(LONGEST_TOKEN),
  v.check((text) => !/[\p{Cc}\p{Cs}]/u.test(text)),
  v.transform(refreshToken),
)

/** The service's answer to a login or refresh. */
export const tokenPair = v.object({ token: accessTokenField, refreshToken: refreshTokenField })

/** Seconds; some providers send a string of digits. */
const expiresIn = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,12}$/), v.transform(Number))]),
  v.finite(),
  v.minValue(0),
)

/** The answer of a provider's token endpoint (RFC 6749 section 5.1). */
export const providerTokens = v.object({
  access_token: accessTokenField,
  token_type: v.pipe(v.string(), v.regex(/^bearer$/i)),
  expires_in: v.nullish(expiresIn),
  refresh_token: v.nullish(refreshTokenField),
})

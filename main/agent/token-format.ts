import { assertNever } from '../../contract/assert-never.ts'
import type { Form } from './reply.ts'

/** The values of a request's `format` parameter. The `Accept` header can also choose `json` or `text`. */
export const TOKEN_FORMATS = ['text', 'json', 'oauth', 'headers', 'kubernetes'] as const
export type TokenFormat = (typeof TOKEN_FORMATS)[number]

export const isTokenFormat = (text: string): text is TokenFormat => (TOKEN_FORMATS as readonly string[]).includes(text)

/** The data about a token. */
export interface TokenFacts {
  readonly token: string
  /** Seconds since the epoch. */
  readonly expiresAt: number
  /** Seconds from now. */
  readonly expiresIn: number
  readonly account: string
  /** The origin of the service that the token is for. */
  readonly origin?: string | undefined
}

/** The body of an answer with a token, in this format. In every format, the body is one line. */
export function tokenBody(format: TokenFormat, facts: TokenFacts): string {
  const { token, expiresAt, expiresIn, account, origin } = facts
  switch (format) {
    case 'text':
      return token
    case 'json':
      return JSON.stringify({ token, expiresAt, account, ...(origin === undefined ? {} : { origin }) })
    // The format of `databricks auth token`: RFC 6749 section 5.1, with the `expiry` of golang.org/x/oauth2.
    case 'oauth':
      return JSON.stringify({
        access_token: token,
        token_type: 'Bearer',
        expires_in: expiresIn,
        expiry: rfc3339(expiresAt),
      })
    // The format that MCP clients expect from a `headersHelper`: the headers for a request to the service.
    case 'headers':
      return JSON.stringify({ Authorization: `Bearer ${token}` })
    // The format that Kubernetes clients expect: an ExecCredential of client.authentication.k8s.io/v1.
    case 'kubernetes':
      return JSON.stringify({
        kind: 'ExecCredential',
        apiVersion: 'client.authentication.k8s.io/v1',
        spec: { interactive: false },
        status: { expirationTimestamp: rfc3339(expiresAt), token },
      })
    default:
      return assertNever(format)
  }
}

/** The form of each format: text for `text`, JSON for every other. */
export const formOfFormat = (format: TokenFormat): Form => (format === 'text' ? 'text' : 'json')

const rfc3339 = (seconds: number): string => new Date(seconds * 1_000).toISOString().replace('.000', '')

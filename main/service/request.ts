/** A request, and its secrets in the form in which they are sent. */
import { isExpressible } from '../../contract/input-fields.ts'
import { type Password, Secret } from '../base/secret.ts'

export type Authorization =
  | { readonly kind: 'basic'; readonly username: string; readonly password: Password }
  | { readonly kind: 'bearer'; readonly token: Secret }
  /** The client's id and secret, form-encoded, as Basic credentials (RFC 6749 section 2.3.1). */
  | { readonly kind: 'client'; readonly id: string; readonly secret: Secret }

/** A request whose secrets are revealed only when it is sent. */
export interface HttpRequest {
  readonly operation: string
  readonly method: 'GET' | 'POST'
  readonly url: URL
  /** A timeout for this request that is shorter than the usual one. */
  readonly timeoutMs?: number
  readonly authorization?: Authorization
  /** JSON by default. Some providers redirect browsers and programs to different addresses. */
  readonly accept?: 'application/json' | 'text/html'
  readonly json?: Readonly<Record<string, string | Secret>>
  readonly form?: Readonly<Record<string, string | Secret>>
}

export interface OpenRequest {
  readonly operation: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly authorization?: Authorization
  readonly signal: AbortSignal
}

/** The timeout of a refresh: short enough for the token to be sent again within a grace period of 30 s. */
export const REFRESH_TIMEOUT_MS = 20_000

export const isBasicPassword = (password: Password): boolean => isExpressible(password.reveal())

/** Basic credentials in UTF-8 (RFC 7617 section 2.1). */
const basicCredentials = (username: string, password: string): Secret =>
  new Secret('basic credentials', Buffer.from(`${username}:${password}`, 'utf8').toString('base64'))

/** The text in form encoding (RFC 6749 appendix B), which encodes more characters than `encodeURIComponent`. */
export const formEncoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)

function credentialsOf(authorization: Exclude<Authorization, { kind: 'bearer' }>): Secret {
  if (authorization.kind === 'basic') {
    return basicCredentials(authorization.username, authorization.password.reveal())
  }
  return basicCredentials(formEncoded(authorization.id), formEncoded(authorization.secret.reveal()))
}

export const authorizationHeader = (authorization: Authorization): string =>
  authorization.kind === 'bearer'
    ? `Bearer ${authorization.token.reveal()}`
    : `Basic ${credentialsOf(authorization).reveal()}`

type Fields = Readonly<Record<string, string | Secret>>

const revealed = (fields: Fields): [string, string][] =>
  Object.entries(fields).map(([name, value]) => [name, value instanceof Secret ? value.reveal() : value])

export const jsonBody = (json: Fields): string => JSON.stringify(Object.fromEntries(revealed(json)))

export const formBody = (form: Fields): string => new URLSearchParams(revealed(form)).toString()

export function secretsOf({ authorization, json = {}, form = {} }: HttpRequest): readonly Secret[] {
  const sent = [...Object.values(json), ...Object.values(form)].filter((value) => value instanceof Secret)
  if (authorization === undefined) return sent
  if (authorization.kind === 'bearer') return [authorization.token, ...sent]
  const secret = authorization.kind === 'basic' ? authorization.password : authorization.secret
  return [secret, credentialsOf(authorization), ...sent]
}

import { isExpressible } from '../../contract/input-fields.ts'
import { type Password, Secret } from '../base/secret.ts'

export type Authorization =
  | { readonly kind: 'basic'; readonly username: string; readonly password: Password }
  | { readonly kind: 'bearer'; readonly token: Secret }
  /** A client and its secret, each form-encoded before they become Basic credentials (RFC 6749 section 2.3.1). */
  | { readonly kind: 'client'; readonly id: string; readonly secret: Secret }

/** One request. Its secrets are only revealed when it is sent. */
export interface HttpRequest {
  /** The name of the operation, for the details of a failure. */
  readonly operation: string
  readonly method: 'GET' | 'POST'
  readonly url: URL
  /** The timeout of the whole request, if it is shorter than the usual one. */
  readonly timeoutMs?: number
  readonly authorization?: Authorization
  /** The type of answer to ask for; by default JSON. Some providers send browsers elsewhere than programs. */
  readonly accept?: 'application/json' | 'text/html'
  readonly json?: Readonly<Record<string, string | Secret>>
  /** Fields to send as `application/x-www-form-urlencoded` instead of JSON. */
  readonly form?: Readonly<Record<string, string | Secret>>
}

/** A request whose answer is read while it arrives, for as long as the server sends. */
export interface OpenRequest {
  readonly operation: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly authorization?: Authorization
  /** Aborts the request and its answer. */
  readonly signal: AbortSignal
}

/**
 * The timeout of a refresh: short enough to send the same token again within a grace period of 30 s if no reply
 * arrives.
 */
export const REFRESH_TIMEOUT_MS = 20_000

export const isBasicPassword = (password: Password): boolean => isExpressible(password.reveal())

/** Credentials in UTF-8 (RFC 7617 section 2.1). */
const basicCredentials = (username: string, password: string): Secret =>
  new Secret('basic credentials', Buffer.from(`${username}:${password}`, 'utf8').toString('base64'))

/** Encodes a text as in a form (RFC 6749 appendix B). Unlike `encodeURIComponent`, it leaves fewer characters as is. */
export const formEncoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)

/** The value of the header `Authorization`. */
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

/** Every secret in the request, in each form in which the request contains it. */
export function secretsOf({ authorization, json = {}, form = {} }: HttpRequest): readonly Secret[] {
  const sent = [...Object.values(json), ...Object.values(form)].filter((value) => value instanceof Secret)
  if (authorization === undefined) return sent
  if (authorization.kind === 'bearer') return [authorization.token, ...sent]
  const secret = authorization.kind === 'basic' ? authorization.password : authorization.secret
  return [secret, credentialsOf(authorization), ...sent]
}

import { isExpressible } from '../../contract/input-fields.ts'
import { type Password, Secret } from '../session/secret.ts'

export type Authorization =
  | { readonly kind: 'basic'; readonly username: string; readonly password: Password }
  | { readonly kind: 'bearer'; readonly token: Secret }

/** One request. Its secrets are only revealed when it is sent. */
export interface HttpRequest {
  /** The name of the operation, for the details of a failure. */
  readonly operation: string
  readonly method: 'GET' | 'POST'
  readonly url: URL
  /** The timeout of the whole request, if it is shorter than the usual one. */
  readonly timeoutMs?: number
  readonly authorization?: Authorization
  readonly json?: Readonly<Record<string, string | Secret>>
  /** Fields to send as `application/x-www-form-urlencoded` instead of JSON. */
  readonly form?: Readonly<Record<string, Secret>>
}

/**
 * The timeout of a refresh: two thirds of the usual one. If no reply arrives, there is time to send the same token
 * again before a service with a grace period of 30 s stops accepting it.
 */
export const REFRESH_TIMEOUT_MS = 20_000

export const isBasicPassword = (password: Password): boolean => isExpressible(password.reveal())

/** Credentials in UTF-8 (RFC 7617 section 2.1). */
const basicCredentials = (username: string, password: Password): Secret =>
  new Secret('basic credentials', Buffer.from(`${username}:${password.reveal()}`, 'utf8').toString('base64'))

export function authorizationHeader(authorization: Authorization): string {
  return authorization.kind === 'basic'
    ? `Basic ${basicCredentials(authorization.username, authorization.password).reveal()}`
    : `Bearer ${authorization.token.reveal()}`
}

export function jsonBody(json: Readonly<Record<string, string | Secret>>): string {
  const revealed: Record<string, string> = {}
  for (const [key, value] of Object.entries(json)) revealed[key] = value instanceof Secret ? value.reveal() : value
  return JSON.stringify(revealed)
}

export const formBody = (form: Readonly<Record<string, Secret>>): string =>
  new URLSearchParams(Object.entries(form).map(([name, value]): [string, string] => [name, value.reveal()])).toString()

/** Every secret in the request, in each form in which the request contains it. */
export function secretsOf({ authorization, json = {}, form = {} }: HttpRequest): readonly Secret[] {
  const sent = [...Object.values(json), ...Object.values(form)].filter((value) => value instanceof Secret)
  if (authorization === undefined) return sent
  if (authorization.kind === 'bearer') return [authorization.token, ...sent]
  const { username, password } = authorization
  return [password, basicCredentials(username, password), ...sent]
}

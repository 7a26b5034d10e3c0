import { inspect } from 'node:util'

const PRINTED = '[secret]'

/**
 * A string that must not be printed. SECURITY: in a template, JSON, `console` or an error's message it appears as
 * `[secret]`. Only `reveal()` returns the value, so every use of it can be found.
 */
export class Secret<Kind extends string = string> {
  readonly #value: string
  readonly kind: Kind

  constructor(kind: Kind, value: string) {
    this.kind = kind
    this.#value = value
  }

  /** Call this only for the request, keychain entry or answer that needs the value. */
  reveal(): string {
    return this.#value
  }

  equals(other: Secret<Kind>): boolean {
    return this.#value === other.#value
  }

  toString(): string {
    return PRINTED
  }

  toJSON(): string {
    return PRINTED
  }

  [inspect.custom](): string {
    return PRINTED
  }
}

export type AccessToken = Secret<'access token'>
export type RefreshToken = Secret<'refresh token'>
export type Password = Secret<'password'>
/** A keychain entry's text, which contains a refresh token. */
export type EntryText = Secret<'keychain entry'>
export type ClientSecret = Secret<'client secret'>

export const accessToken = (value: string): AccessToken => new Secret('access token', value)
export const refreshToken = (value: string): RefreshToken => new Secret('refresh token', value)
export const password = (value: string): Password => new Secret('password', value)
export const entryText = (value: string): EntryText => new Secret('keychain entry', value)
export const clientSecret = (value: string): ClientSecret => new Secret('client secret', value)

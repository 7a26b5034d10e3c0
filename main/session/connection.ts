/** What a session is opened for: a service and its identity provider, from the settings. */
import { isDeepStrictEqual } from 'node:util'
import type { Source } from '../../contract/settings.ts'
import type { ClientSecret } from '../base/secret.ts'

interface CommonSettings {
  readonly authUrl: string
  readonly scope: string
  readonly clientId: string
}

/** An identity provider with the password-realm grant, and the parameters of its token request. */
export interface PasswordRealmSettings extends CommonSettings {
  readonly flow: 'password-realm'
  readonly realm: string
  /** `DOMAIN` in the grant type `http://DOMAIN/oauth/grant-type/password-realm`. */
  readonly providerDomain: string
  readonly audience: string
  readonly clientSecret: ClientSecret
}

export interface BrowserSettings extends CommonSettings {
  readonly flow: 'browser'
  readonly audience?: string
  readonly clientSecret?: ClientSecret
  /** The port for the browser's callback; any free one if absent. */
  readonly redirectPort?: number
  /** The parameter `resource` of each sign-in and refresh (RFC 8707). */
  readonly resource?: string
  /** The parameter `prompt` of each sign-in. If it is absent, Latchkey decides when the user is asked for consent. */
  readonly prompt?: string
}

export type IdentityProviderSettings = PasswordRealmSettings | BrowserSettings

export interface Connection {
  readonly baseAddress: string
  readonly host: string
  /** The connection's name in the window. A change of the name doesn't end the session. */
  readonly displayName?: string
  readonly source: Source
  /** The address of the data, if it isn't the base address. A change of this address doesn't end the session. */
  readonly dataAddress?: string
  readonly identityProvider?: IdentityProviderSettings
}

/** Whether a session for one connection can also be used for the other. */
export function isSameConnection(one: Connection | undefined, other: Connection | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return one.baseAddress === other.baseAddress && isSameProvider(one.identityProvider, other.identityProvider)
}

function isSameProvider(one?: IdentityProviderSettings, other?: IdentityProviderSettings): boolean {
  if (one === undefined || other === undefined) return one === other
  const { clientSecret, ...rest } = one
  const { clientSecret: otherSecret, ...otherRest } = other
  const isSameSecret =
    clientSecret === undefined || otherSecret === undefined
      ? clientSecret === otherSecret
      : clientSecret.equals(otherSecret)
  return isSameSecret && isDeepStrictEqual(rest, otherRest)
}

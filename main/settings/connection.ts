import { isDeepStrictEqual } from 'node:util'
import { GRANTS, type GrantDescription } from '../../contract/grants.ts'
import type { Flow } from '../../contract/setting-rows.ts'
import { NEEDED, type Source } from '../../contract/settings.ts'
import type { ConnectionView } from '../../contract/views.ts'
import { hostOf } from './base-address.ts'
import { effective, isManaged, type Layers, sourceOf } from './layers.ts'
import type { ClientSecret } from './values.ts'

interface CommonSettings {
  readonly authUrl: string
  readonly scope: string
  readonly clientId: string
}

/** An identity provider with the password-realm grant, and the parameters of its token request. */
export interface PasswordRealmSettings extends CommonSettings {
  readonly flow: 'password-realm'
  readonly realm: string
  /** `DOMAIN` in the grant type's name, `http://DOMAIN/oauth/grant-type/password-realm`. */
  readonly providerDomain: string
  readonly audience: string
  readonly clientSecret: ClientSecret
}

/** An identity provider for sign-in in the browser. */
export interface BrowserSettings extends CommonSettings {
  readonly flow: 'browser'
  readonly audience?: string
  /** Absent for a public client. */
  readonly clientSecret?: ClientSecret
  /** The port for the browser's callback; a free one if absent. */
  readonly redirectPort?: number
  /** The parameter `resource` of each sign-in and refresh (RFC 8707). */
  readonly resource?: string
  /** The parameter `prompt` of each sign-in. If absent, Latchkey asks for consent where it must. */
  readonly prompt?: string
}

export type IdentityProviderSettings = PasswordRealmSettings | BrowserSettings

/** One service: its base address, and optionally its identity provider. */
export interface Connection {
  readonly baseAddress: string
  readonly host: string
  /** The name is only displayed: no session depends on it. */
  readonly displayName?: string
  readonly source: Source
  readonly identityProvider?: IdentityProviderSettings
}

/**
 * Resolves the connection from the layers: each value from the first source that has it. Without a base address there
 * is no connection. If a required value of the provider is missing, the connection has no identity provider.
 */
export function resolveConnection(layers: Layers): Connection | undefined {
  const source = sourceOf(layers, 'baseAddress')
  const baseAddress = effective(layers, 'baseAddress')
  if (source === undefined || baseAddress === undefined) return undefined
  const identityProvider = resolveProvider(layers)
  const displayName = effective(layers, 'displayName')
  return {
    baseAddress,
    host: hostOf(baseAddress),
    ...(displayName === undefined ? {} : { displayName }),
    source,
    ...(identityProvider === undefined ? {} : { identityProvider }),
  }
}

/** True if the identity provider has all required values. The client secret isn't checked: it may be missing. */
export const needsClientSecret = (layers: Layers): boolean =>
  NEEDED[effective(layers, 'flow')].every((field) => field === 'clientSecret' || effective(layers, field) !== undefined)

function resolveProvider(layers: Layers): IdentityProviderSettings | undefined {
  const authUrl = effective(layers, 'authUrl')
  const clientId = effective(layers, 'clientId')
  const scope = effective(layers, 'scope')
  if (authUrl === undefined || clientId === undefined || scope === undefined) return undefined
  const common = { authUrl, clientId, scope }
  const audience = effective(layers, 'audience')
  const clientSecret = isSecretWithheld(layers) ? undefined : effective(layers, 'clientSecret')
  if (effective(layers, 'flow') === 'browser') {
    const redirectPort = effective(layers, 'redirectPort')
    const prompt = effective(layers, 'prompt')
    const resource = effective(layers, 'resource')
    return {
      flow: 'browser',
      ...common,
      ...(audience === undefined ? {} : { audience }),
      ...(clientSecret === undefined ? {} : { clientSecret }),
      ...(redirectPort === undefined ? {} : { redirectPort }),
      ...(resource === undefined ? {} : { resource }),
      ...(prompt === undefined ? {} : { prompt }),
    }
  }
  if (audience === undefined || clientSecret === undefined) return undefined
  const realm = effective(layers, 'realm')
  const providerDomain = effective(layers, 'providerDomain') ?? new URL(authUrl).host
  return { flow: 'password-realm', ...common, audience, clientSecret, realm, providerDomain }
}

/**
 * SECURITY: a client secret from the policy or the environment is only sent to an address from the policy or the
 * environment, because a malicious page could have set the address in the user's settings.
 */
export function isSecretWithheld(layers: Layers): boolean {
  return isManaged(layers, 'clientSecret') && !isManaged(layers, 'authUrl')
}

/** The provider's flow that a grant requires. A grant that isn't listed works with every flow. */
const FLOWS_OF: ReadonlyMap<string, Flow> = new Map([
  [GRANTS.passwordRealm.name, 'password-realm'],
  [GRANTS.browser.name, 'browser'],
])

/** The grants that can be used: always the service's own; if there is a provider, also the grants of its flow. */
const offeredGrants = (provider: IdentityProviderSettings | undefined): readonly GrantDescription[] =>
  Object.values(GRANTS).filter(({ issuer, name }) => {
    if (issuer === 'service') return true
    return provider !== undefined && (FLOWS_OF.get(name) ?? provider.flow) === provider.flow
  })

/** The part of a connection that the window receives. */
export function connectionView({
  baseAddress,
  host,
  displayName,
  source,
  identityProvider,
}: Connection): ConnectionView {
  return {
    baseAddress,
    host,
    ...(displayName === undefined ? {} : { displayName }),
    source,
    grants: offeredGrants(identityProvider),
  }
}

/** True if a session of one connection is also valid for the other: all values that it depends on are the same. */
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

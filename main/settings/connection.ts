import { isDeepStrictEqual } from 'node:util'
import { GRANTS, type GrantDescription } from '../../contract/grants.ts'
import { SETTINGS, type Source } from '../../contract/settings.ts'
import type { ConnectionView } from '../../contract/views.ts'
import { hostOf } from './base-address.ts'
import { isManaged, type Layers, pick, sourceOf } from './layers.ts'
import type { ClientSecret } from './values.ts'

/** The identity provider of endpoint 5 and the parameters of its token request. */
export interface IdentityProviderSettings {
  readonly authUrl: string
  readonly realm: string
  /** Names the grant type: `http://<domain>/oauth/grant-type/password-realm`. */
  readonly providerDomain: string
  readonly scope: string
  readonly audience: string
  readonly clientId: string
  readonly clientSecret: ClientSecret
}

/** One service: its base address, and optionally its identity provider. */
export interface Connection {
  readonly baseAddress: string
  readonly host: string
  /** Only shown: no session depends on it. */
  readonly displayName?: string
  readonly source: Source
  readonly identityProvider?: IdentityProviderSettings
}

/**
 * The connection that the layers describe: each value from the first source that has it. There is none without a base
 * address, and it has no identity provider while one of the provider's values is missing.
 */
export function resolveConnection(layers: Layers): Connection | undefined {
  const source = sourceOf(layers, 'baseAddress')
  const baseAddress = pick(layers, 'baseAddress')
  if (source === undefined || baseAddress === undefined) return undefined
  const identityProvider = resolveProvider(layers)
  const displayName = pick(layers, 'displayName')
  return {
    baseAddress,
    host: hostOf(baseAddress),
    ...(displayName === undefined ? {} : { displayName }),
    source,
    ...(identityProvider === undefined ? {} : { identityProvider }),
  }
}

/** Whether only the client secret may be missing for an identity provider. */
export const needsClientSecret = (layers: Layers): boolean => resolvePublicPart(layers) !== undefined

function resolveProvider(layers: Layers): IdentityProviderSettings | undefined {
  const publicPart = resolvePublicPart(layers)
  const clientSecret = isSecretWithheld(layers) ? undefined : pick(layers, 'clientSecret')
  return publicPart && clientSecret && { ...publicPart, clientSecret }
}

function resolvePublicPart(layers: Layers): Omit<IdentityProviderSettings, 'clientSecret'> | undefined {
  const authUrl = pick(layers, 'authUrl')
  const clientId = pick(layers, 'clientId')
  const audience = pick(layers, 'audience')
  const scope = pick(layers, 'scope')
  if (!authUrl || !clientId || !audience || !scope) return undefined
  return {
    authUrl,
    realm: pick(layers, 'realm') ?? SETTINGS.realm.default,
    providerDomain: pick(layers, 'providerDomain') ?? new URL(authUrl).host,
    scope,
    audience,
    clientId,
  }
}

/**
 * SECURITY: a client secret from the policy or the environment is only sent to an address from the policy or the
 * environment. The user, or a page, could set any other.
 */
export function isSecretWithheld(layers: Layers): boolean {
  return isManaged(layers, 'clientSecret') && !isManaged(layers, 'authUrl')
}

/** Every grant whose issuer is set up: the service always is. */
const offeredGrants = (hasIdentityProvider: boolean): readonly GrantDescription[] =>
  Object.values(GRANTS).filter(({ issuer }) => issuer === 'service' || hasIdentityProvider)

/** What the window may know of a connection. */
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
    grants: offeredGrants(identityProvider !== undefined),
  }
}

/** Whether a session of one connection is also valid for the other: nothing that it depends on differs. */
export function isSameConnection(one: Connection | undefined, other: Connection | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return one.baseAddress === other.baseAddress && isSameProvider(one.identityProvider, other.identityProvider)
}

function isSameProvider(one?: IdentityProviderSettings, other?: IdentityProviderSettings): boolean {
  if (one === undefined || other === undefined) return one === other
  const { clientSecret, ...rest } = one
  const { clientSecret: otherSecret, ...otherRest } = other
  return clientSecret.equals(otherSecret) && isDeepStrictEqual(rest, otherRest)
}

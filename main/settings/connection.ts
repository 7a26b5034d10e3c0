import { NEEDED, type SettingField } from '../../contract/settings.ts'
import type { Connection, IdentityProviderSettings } from '../session/connection.ts'
import { hostOf } from './base-address.ts'
import { effective, isManaged, type Layers, sourceOf } from './layers.ts'
import type { Value } from './values.ts'

/**
 * The connection; `undefined` without a base address. It has a provider only if all the provider's required values are
 * set.
 */
export function resolveConnection(layers: Layers): Connection | undefined {
  const source = sourceOf(layers, 'baseAddress')
  const baseAddress = effective(layers, 'baseAddress')
  if (source === undefined || baseAddress === undefined) return undefined
  const identityProvider = resolveProvider(layers)
  return {
    baseAddress,
    host: hostOf(baseAddress),
    source,
    ...present(layers, 'displayName', 'dataAddress'),
    ...(identityProvider === undefined ? {} : { identityProvider }),
  }
}

/** True if the provider has all required values, but for the client secret. */
export const needsClientSecret = (layers: Layers): boolean =>
  NEEDED[effective(layers, 'flow')].every((field) => field === 'clientSecret' || effective(layers, field) !== undefined)

/** The values of these fields that are set. */
function present<F extends SettingField>(layers: Layers, ...fields: readonly F[]): { readonly [G in F]?: Value<G> } {
  const entries = fields.map((field) => [field, effective(layers, field)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as { readonly [G in F]?: Value<G> }
}

function resolveProvider(layers: Layers): IdentityProviderSettings | undefined {
  const authUrl = effective(layers, 'authUrl')
  const clientId = effective(layers, 'clientId')
  const scope = effective(layers, 'scope')
  if (authUrl === undefined || clientId === undefined || scope === undefined) return undefined
  const common = { authUrl, clientId, scope }
  const secret = isSecretWithheld(layers) ? {} : present(layers, 'clientSecret')
  if (effective(layers, 'flow') === 'browser') {
    const others = present(layers, 'audience', 'redirectPort', 'resource', 'prompt')
    return { flow: 'browser', ...common, ...secret, ...others }
  }
  const audience = effective(layers, 'audience')
  const { clientSecret } = secret
  if (audience === undefined || clientSecret === undefined) return undefined
  const realm = effective(layers, 'realm')
  const providerDomain = effective(layers, 'providerDomain') ?? new URL(authUrl).host
  return { flow: 'password-realm', ...common, audience, clientSecret, realm, providerDomain }
}

/**
 * SECURITY: a managed secret is only sent to a managed address, because a malicious page could have changed the user's
 * address.
 */
export function isSecretWithheld(layers: Layers): boolean {
  return isManaged(layers, 'clientSecret') && !isManaged(layers, 'authUrl')
}

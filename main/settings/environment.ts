import type { SettingField } from '../../preload/contract.ts'
import { type Layer, readLayer, type SettingsProblem } from './layer.ts'

/** The environment variable of each value. */
export const VARIABLES: { readonly [F in SettingField]: string } = {
  baseAddress: 'LATCHKEY_BASE_URL',
  authUrl: 'LATCHKEY_AUTH_URL',
  realm: 'LATCHKEY_SSO_REALM',
  providerDomain: 'LATCHKEY_SSO_PROVIDER_DOMAIN',
  scope: 'LATCHKEY_SSO_SCOPE',
  audience: 'LATCHKEY_SSO_AUDIENCE',
  clientId: 'LATCHKEY_SSO_CLIENT_ID',
  clientSecret: 'LATCHKEY_SSO_CLIENT_SECRET',
}

/** Reads the environment's layer and takes the client secret out of it. An empty variable counts as unset. */
export function readEnvironment(env: Record<string, string | undefined>): {
  readonly layer: Layer
  readonly problems: readonly SettingsProblem[]
} {
  const values: { [F in SettingField]?: string } = {}
  for (const [field, variable] of Object.entries(VARIABLES) as [SettingField, string][]) {
    const value = env[variable]
    if (value !== undefined && value !== '') values[field] = value
  }
  // SECURITY: child processes, crash reports and /proc readers of later ones must not meet it.
  delete env[VARIABLES.clientSecret]
  return readLayer('environment', values, (field) => VARIABLES[field])
}

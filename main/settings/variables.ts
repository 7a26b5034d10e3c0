import type { SettingField } from '../../contract/settings.ts'

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

export type Variables = Readonly<Record<string, string | undefined>>

/**
 * What stands in these variables. SECURITY: the client secret is taken out of the environment, so that no process that is
 * started from now on meets it. Chromium's zygote, on Linux, was there before.
 */
export function takeVariables(env: Record<string, string | undefined>): Variables {
  // By name: on Windows the environment itself doesn't mind capitals, a copy of it would.
  const variables = Object.fromEntries(Object.values(VARIABLES).map((name) => [name, env[name]]))
  delete env[VARIABLES.clientSecret]
  return variables
}

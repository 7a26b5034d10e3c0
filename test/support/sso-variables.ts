import type { IdentityProvider } from '../../demo/identity-provider.ts'

export const ssoVariables = ({ address, settings }: IdentityProvider): Readonly<Record<string, string>> => ({
  LATCHKEY_AUTH_URL: address,
  LATCHKEY_SSO_PROVIDER_DOMAIN: settings.domain,
  LATCHKEY_SSO_SCOPE: 'openid offline_access',
  LATCHKEY_SSO_AUDIENCE: settings.audience,
  LATCHKEY_SSO_CLIENT_ID: settings.clientId,
  LATCHKEY_SSO_CLIENT_SECRET: settings.clientSecret,
})

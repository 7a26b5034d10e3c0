/** The OpenID Certified `oidc-provider` on 127.0.0.1, with rotation, revocation and a sign-in page of its own. */
import { generateKeyPairSync } from 'node:crypto'
import Provider, { type Configuration } from 'oidc-provider'
import type { Page } from 'playwright-core'
import { callbackPath } from '../../main/service/callback-listener.ts'
import { httpServer } from './local-servers.ts'

export const CLIENT_ID = 'latchkey-desktop'
export const SCOPE = 'openid offline_access'

/** The redirect address to register. Providers ignore the port in the address (RFC 8252 section 7.3). */
export const redirectAddress = (issuer: string, port = 80): string =>
  new URL(callbackPath(issuer), `http://127.0.0.1:${port}`).href

export type Oidc = Awaited<ReturnType<typeof startOidc>>

/** The provider's defaults: refresh tokens need consent (OpenID Connect Core 11), names come from UserInfo (5.4). */
export const AT_DEFAULTS: Configuration = {
  issueRefreshToken: undefined,
  conformIdTokenClaims: undefined,
  rotateRefreshToken: undefined,
  claims: { openid: ['sub'], profile: ['name', 'preferred_username'] },
}

export async function startOidc(over: Configuration = {}) {
  const requests: string[] = []
  let serve: ReturnType<Provider['callback']> | undefined
  const { port, stop } = await httpServer((request, response) => {
    requests.push((request.url ?? '').replace(/\?.*/s, ''))
    void serve?.(request, response)
  })
  const address = `http://127.0.0.1:${port}`
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const provider = new Provider(address, {
    clients: [
      {
        client_id: CLIENT_ID,
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        redirect_uris: [redirectAddress(address)],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' } as never] },
    cookies: { keys: ['only for tests'] },
    pkce: { methods: ['S256'], required: () => true },
    claims: { openid: ['sub', 'name', 'preferred_username'] },
    conformIdTokenClaims: false,
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: () => ({ sub, name: 'Ana Duarte', preferred_username: sub }),
    }),
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    features: { devInteractions: { enabled: true }, revocation: { enabled: true } },
    ...over,
  })
  serve = provider.callback()
  return { address, provider, requests, stop }
}

export async function signInAt(page: Page): Promise<void> {
  await page.locator('input[name=login]').fill('ana')
  await page.locator('input[name=password]').fill('quiet harbour lamp')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

import { fail, type Outcome } from '../../contract/failures.ts'
import type { ClientSecret } from '../base/secret.ts'
import { createAuthService } from '../service/auth-service.ts'
import type { AuthorizationServerOptions } from '../service/authorization-server.ts'
import { type CallbackOptions, listenForCallback } from '../service/callback-listener.ts'
import { createIdentityProvider, createSecondFactor } from '../service/identity-provider.ts'
import type { BrowserSettings, Connection, PasswordRealmSettings } from '../session/connection.ts'
import type { BrowserPorts } from '../session/grants/browser.ts'
import type { Grant, Grants, TokenOrigin } from '../session/grants/grant.ts'
import { createGrants, type Issuers } from '../session/grants/grants.ts'
import type { AuthorizationServer, CallbackListener, CallbackPage } from '../session/ports.ts'
import type { CallbackPorts } from '../settings/callback-ports.ts'
import type { Core } from './core.ts'
import type { CrashPoints } from './crash-points.ts'

export interface Browser extends Pick<BrowserPorts, 'open' | 'onReturn'> {
  readonly page: CallbackPage
}

interface GrantsPorts {
  readonly core: Pick<Core, 'http' | 'user' | 'clock' | 'callbackPorts'>
  readonly browser: Browser
  readonly crashPoints: CrashPoints | undefined
}

type Address = Pick<Connection, 'baseAddress' | 'identityProvider'>
type FindSecret = () => Promise<Outcome<ClientSecret | undefined>>

export function grantsOf({ baseAddress, identityProvider: provider }: Address, ports: GrantsPorts): Grants {
  const { core, crashPoints } = ports
  const service = createAuthService({ baseAddress, http: core.http })
  return createGrants({
    service: crashPoints?.around(service) ?? service,
    ...(provider?.flow === 'password-realm' && passwordRealm(provider, baseAddress, ports)),
    ...(provider?.flow === 'browser' && inBrowser(provider, ports)),
  })
}

/** The grant of a token whose provider or flow is no longer in the settings. */
export function removedGrantOf(
  { grant, issuer, client }: TokenOrigin,
  baseAddress: string,
  findSecret: FindSecret,
  ports: GrantsPorts,
): Grant | undefined {
  if (client === undefined) return undefined
  const service = createAuthService({ baseAddress, http: ports.core.http })
  // Refreshing and revoking need no scope.
  const settings = { flow: 'browser', authUrl: issuer, clientId: client, scope: '' } as const
  return createGrants({ service, ...inBrowser(settings, ports, findSecret) }).get(grant)
}

function passwordRealm(
  settings: PasswordRealmSettings,
  baseAddress: string,
  { core, crashPoints }: GrantsPorts,
): Pick<Issuers, 'identityProvider' | 'secondFactor'> {
  const { http, user, clock } = core
  const options = { ...settings, authAddress: settings.authUrl, http }
  const identityProvider = createIdentityProvider(options)
  const provider = createSecondFactor(options)
  return {
    identityProvider: crashPoints?.around(identityProvider) ?? identityProvider,
    secondFactor: {
      provider: crashPoints?.around(provider) ?? provider,
      usual: user.usualAuthenticator(baseAddress),
      clock,
    },
  }
}

function inBrowser(
  settings: BrowserSettings,
  { core, browser, crashPoints }: GrantsPorts,
  findSecret: FindSecret = async () => ({ ok: true, value: settings.clientSecret }),
): Pick<Issuers, 'browser'> {
  const server = authorizationServer({ ...settings, authAddress: settings.authUrl, http: core.http }, findSecret)
  const { page, open, onReturn } = browser
  const port = settings.redirectPort ?? 0
  const listen: BrowserPorts['listen'] = (isOurs) =>
    listenAt({ port, issuer: server.issuer, isOurs, page }, core.callbackPorts)
  const system = { open, listen }
  const consent = consentOf(settings, core.user)
  return {
    browser: {
      server: crashPoints?.authorizationServer(server) ?? server,
      ports: { clock: core.clock, onReturn, consent, ...(crashPoints?.around(system) ?? system) },
    },
  }
}

/** Remembers that asking for consent helps. That it doesn't is forgotten when the app ends: providers may change. */
function consentOf({ authUrl, scope, prompt }: BrowserSettings, user: Core['user']): BrowserPorts['consent'] {
  if (!scope.split(/\s+/).includes('offline_access') || prompt !== undefined) return undefined
  let isUseless = false
  return {
    get: () => user.needsConsent(authUrl) || (isUseless ? false : undefined),
    set: (helps) => {
      if (helps) user.rememberConsent(authUrl)
      else isUseless = true
    },
  }
}

/** Until the callback arrives, a second sign-in that needs the same fixed port fails with `otherSignIn`. */
async function listenAt(options: CallbackOptions, ports: CallbackPorts): Promise<Outcome<CallbackListener>> {
  const { port } = options
  const listening = await listenForCallback(options)
  if (port === 0) return listening
  if (!listening.ok) return ports.has(port) ? fail({ ...listening.failure, problem: 'otherSignIn' }) : listening
  void listening.value.received.then(ports.add(port, process.pid))
  return listening
}

/** The first call loads the protocol library and the client secret. If that fails, the next call tries again. */
function authorizationServer(
  options: Omit<AuthorizationServerOptions, 'clientSecret'>,
  findSecret: FindSecret,
): AuthorizationServer {
  let server: AuthorizationServer | undefined
  async function call<T>(operation: (loaded: AuthorizationServer) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    if (server === undefined) {
      const { BrowserAuthorizationServer } = await import('../service/authorization-server.ts')
      const found = await findSecret()
      if (!found.ok) return found
      server ??= new BrowserAuthorizationServer({ ...options, clientSecret: found.value })
    }
    return operation(server)
  }
  return {
    issuer: options.authAddress,
    client: options.clientId,
    authorize: (redirectUri, asksConsent) => call((loaded) => loaded.authorize(redirectUri, asksConsent)),
    refresh: (refreshToken) => call((loaded) => loaded.refresh(refreshToken)),
    revoke: (refreshToken) => call((loaded) => loaded.revoke(refreshToken)),
  }
}

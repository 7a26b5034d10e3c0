import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'
import type { Clock } from '../base/clock.ts'
import type { HttpOptions } from '../service/http-client.ts'
import { unusableVariable } from './environment.ts'
import { createNegotiator, negotiationProblem } from './negotiate.ts'
import type { ProxyCredentials } from './proxy.ts'
import { createRouteFor, proxiesFor } from './routes.ts'
import { createTrust, type TrustPorts } from './trust-store.ts'

export interface NetworkOptions extends TrustPorts {
  readonly clock: Clock
  readonly userAgent?: string | undefined
  /**
   * Finds the system's proxies for an address. The result has a PAC script's format (Electron: `session.resolveProxy`).
   */
  readonly resolveProxy: (address: string) => Promise<string>
  readonly credentials: ProxyCredentials
  /**
   * The hosts of the managed services and identity providers, as in `URL.host`. No other host gets the client
   * certificate.
   */
  readonly managedHosts: () => readonly string[]
  /** Called when a connection begins. `proxy` is the proxy of its first route, if there is one. */
  readonly onRoute?: (host: string, proxy: string | undefined) => void
}

export type Network = ReturnType<typeof createNetwork>

/**
 * How long the connection to one of a host's addresses may take before the next address is tried. With Node's default
 * of 250 ms, a service that needs a second for a handshake might never be reached. After five dead addresses there is
 * still time for a sixth, because connecting may take ten seconds in all.
 */
const ADDRESS_TIMEOUT_MS = 1_600

/** Sets up the app's access to the network. Nothing is read before it is needed. */
export function createNetwork(options: NetworkOptions) {
  const { managedHosts, onRoute } = options
  const { files, store } = createTrust(options)
  const negotiator = createNegotiator(options.platform)
  const routeFor = createRouteFor({ ...options, negotiator })
  // Changes Node's default, because connections to proxies and those of the diagnostics need this timeout, too.
  setDefaultAutoSelectFamilyAttemptTimeout(ADDRESS_TIMEOUT_MS)
  return {
    http: {
      async routeFor(request) {
        const route = await routeFor(request)
        onRoute?.(request.url.host, route.proxy)
        return route
      },
      trusted: async () => (await store.get()).certificates,
      onUntrusted: () => store.refresh(),
      // SECURITY: a service that the user or a page has added gets no certificate, so it can't identify this computer.
      identityFor: async ({ host }) => (managedHosts().includes(host) ? files().identity : undefined),
    } satisfies Partial<HttpOptions>,
    /** Call this when the policy file has changed. The next request then reads all certificates again. */
    refresh: () => store.refresh(),
    /** Finds the proxy variable that can't be used, if there is one, and the unusable files that the policy names. */
    problems: async () => ({ variable: unusableVariable(options.env), files: files().problems }),
    trusted: () => store.get(),
    /** Explains why the user can't sign in to this proxy with one of these schemes; `undefined` if they can. */
    kerberosProblem: (schemes: readonly string[], host: string) => negotiationProblem(negotiator, schemes, host),
    proxiesFor: async (url: URL) =>
      (await proxiesFor(url, options)).map(({ proxy, variable }) =>
        proxy === 'direct' || variable === undefined ? proxy : { ...proxy, variable },
      ),
  }
}

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
  /** The result has a PAC script's format (Electron: `session.resolveProxy`). */
  readonly resolveProxy: (address: string) => Promise<string>
  readonly credentials: ProxyCredentials
  /** The managed services and providers, as in `URL.host`. No other host gets the client certificate. */
  readonly managedHosts: () => readonly string[]
  /** Called when a connection begins. `proxy` is the proxy of its first route, if there is one. */
  readonly onRoute?: (host: string, proxy: string | undefined) => void
}

export type Network = ReturnType<typeof createNetwork>

/** Six addresses fit into the ten seconds for connecting. Node's default of 250 ms is too short for slow handshakes. */
const ADDRESS_TIMEOUT_MS = 1_600

/** Nothing is read before it is needed. */
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
    problems: async () => ({ variable: unusableVariable(options.env), files: files().problems }),
    trusted: () => store.get(),
    /** `undefined` if the user can sign in to this proxy with one of these schemes. */
    kerberosProblem: (schemes: readonly string[], host: string) => negotiationProblem(negotiator, schemes, host),
    proxiesFor: async (url: URL) =>
      (await proxiesFor(url, options)).map(({ proxy, variable }) =>
        proxy === 'direct' || variable === undefined ? proxy : { ...proxy, variable },
      ),
  }
}

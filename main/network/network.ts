import type { HttpOptions } from '../service/http-client.ts'
import type { Clock } from '../session/ports.ts'
import { type Environment, unusableVariable } from './environment.ts'
import type { ProxyCredentials, Way } from './proxy.ts'
import { createRouteFor, waysTo } from './routes.ts'
import type { TlsFilePorts, TlsMaterial, TlsPolicy } from './tls-files.ts'
import { openTrust } from './trust.ts'
import type { Trusted } from './trust-store.ts'

export interface NetworkOptions {
  readonly clock: Clock
  readonly env: Environment
  readonly platform: NodeJS.Platform
  /** The system's own answer for an address, as a PAC script gives it (Electron: `session.resolveProxy`). */
  readonly resolveProxy: (address: string) => Promise<string>
  readonly credentials: ProxyCredentials
  /** What the administrator's file says now. */
  readonly policy: () => TlsPolicy
  /** Reads a file that only the administrator can change. */
  readonly readGuarded: TlsFilePorts['readGuarded']
  /** Hosts of the managed services and identity providers, as in `URL.host`. Only they are shown the client certificate. */
  readonly managedHosts: () => readonly string[]
  /** Told how each connection is begun: the host, and the first proxy on the way, if there is one. */
  readonly onRoute?: (host: string, proxy: string | undefined) => void
}

export interface Network {
  /** For the one HTTP client. */
  readonly http: Required<Pick<HttpOptions, 'routeFor' | 'trusted' | 'onUntrusted' | 'identityFor'>>
  /** The administrator's file has changed: the next request reads all certificates anew. */
  refresh(): void
  /** What can't be used: the environment's variable, and files that the administrator names. */
  problems(): Promise<{ readonly variable: string | undefined; readonly files: TlsMaterial['problems'] }>
  /** What is trusted, and where it is from. */
  trusted(): Promise<Trusted>
  /** The ways to an address, in the order they are tried. */
  waysTo(url: URL): Promise<readonly Way[]>
}

/** How this desktop reaches a service, and whom it trusts. Nothing is read before it is asked for. */
export function createNetwork(options: NetworkOptions): Network {
  const { managedHosts, onRoute } = options
  const { files, store } = openTrust(options)
  const routeFor = createRouteFor(options)
  return {
    http: {
      async routeFor(journey) {
        const route = await routeFor(journey)
        onRoute?.(journey.url.host, route.proxy)
        return route
      },
      trusted: async () => (await store.get()).certificates,
      onUntrusted: () => store.refresh(),
      // SECURITY: an address that the user or a page has added learns nothing about this computer.
      identityFor: async ({ host }) => (managedHosts().includes(host) ? files().identity : undefined),
    },
    refresh: () => store.refresh(),
    problems: async () => ({ variable: unusableVariable(options.env), files: files().problems }),
    trusted: () => store.get(),
    waysTo: async (url) => (await waysTo(url, options)).map(({ way }) => way),
  }
}

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import * as tls from 'node:tls'
import { promisify } from 'node:util'
import type { HttpOptions } from '../service/http-client.ts'
import type { Clock } from '../session/ports.ts'
import type { Environment } from './environment.ts'
import type { ProxyCredentials, Way } from './proxy.ts'
import { createRouteFor, waysTo } from './routes.ts'
import { systemCertificates } from './system-certificates.ts'
import { readTlsFiles, type TlsMaterial, type TlsPolicy } from './tls-files.ts'
import { type Trusted, TrustStore } from './trust-store.ts'

export interface NetworkOptions {
  readonly clock: Clock
  readonly env: Environment
  readonly platform: NodeJS.Platform
  /** The system's own answer for an address, as a PAC script gives it (Electron: `session.resolveProxy`). */
  readonly resolveProxy: (address: string) => Promise<string>
  readonly credentials: ProxyCredentials
  /** What the administrator's file says now. */
  readonly policy: () => TlsPolicy
  /** Whether nobody but the administrator can change a file. */
  readonly isGuarded: (path: string) => boolean
  /** The services' hosts, as in `URL.host`: they alone are shown the client certificate. */
  readonly serviceHosts: () => readonly string[]
  /** Told how each connection is begun: the host, and the first proxy on the way, if there is one. */
  readonly onRoute?: (host: string, proxy: string | undefined) => void
}

export interface Network {
  /** For the one HTTP client. */
  readonly http: Required<Pick<HttpOptions, 'routeFor' | 'trusted' | 'onUntrusted' | 'identityFor'>>
  /** The administrator's file has changed: the next request reads all certificates anew. */
  refresh(): void
  /** The files that the administrator names and that can't be used. */
  problems(): Promise<TlsMaterial['problems']>
  /** What is trusted, and where it is from. */
  trusted(): Promise<Trusted>
  /** The ways to an address, in the order they are tried. */
  waysTo(url: URL): Promise<readonly Way[]>
}

/** Longer than any export takes, and shorter than a hang that holds a process: milliseconds. */
const EXPORT_TIMEOUT = 20_000
const LARGEST_EXPORT = 32 * 1024 * 1024

async function run(program: string, args: readonly string[]): Promise<string> {
  const options = { timeout: EXPORT_TIMEOUT, maxBuffer: LARGEST_EXPORT, windowsHide: true, encoding: 'latin1' } as const
  return (await promisify(execFile)(program, args, options)).stdout
}

/** How this desktop reaches a service, and whom it trusts. Nothing is read before it is asked for. */
export function createNetwork(options: NetworkOptions): Network {
  const { env, platform, policy, isGuarded, serviceHosts, onRoute } = options
  const files = () => readTlsFiles(policy(), { readFile, isGuarded })
  const native = typeof tls.getCACertificates === 'function' && (() => tls.getCACertificates('system'))
  const system = { platform, env, run, readFile: (path: string) => readFile(path, 'latin1'), ...(native && { native }) }
  const store = new TrustStore({
    builtIn: tls.rootCertificates,
    system: (anew) => systemCertificates(system, anew),
    added: async () => (await files()).added,
  })
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
      identityFor: async ({ host }) => (serviceHosts().includes(host) ? (await files()).identity : undefined),
    },
    refresh: () => store.refresh(),
    problems: async () => (await files()).problems,
    trusted: () => store.get(),
    waysTo: async (url) => (await waysTo(url, options)).map(({ way }) => way),
  }
}

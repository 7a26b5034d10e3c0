import { CREDENTIALS_REFUSED } from '../../contract/failures.ts'
import type { Clock } from '../base/clock.ts'
import { errorWithCode, ProxyRefusal } from '../service/exchange-error.ts'
import type { Route, RouteRequest } from '../service/http-client.ts'
import { isLoopback } from '../service/transport.ts'
import { type Environment, environmentProxy, isReadByChromium } from './environment.ts'
import { type LoginAttempt, LoginAttempts } from './login-attempts.ts'
import type { Negotiator } from './negotiate.ts'
import { parsePacAnswer } from './pac.ts'
import { type ProxyChoice, type ProxyCredentials, type ProxyLogin, type ProxyServer, proxyName } from './proxy.ts'

interface RouteOptions {
  /** The result has a PAC script's format (Electron: `session.resolveProxy`). */
  readonly resolveProxy: (address: string) => Promise<string>
  readonly env: Environment
  readonly credentials: ProxyCredentials
  readonly clock: Clock
  /** Such as `Latchkey/1.2.3`. Some proxies refuse a tunnel to a client that doesn't name itself. */
  readonly userAgent?: string | undefined
  readonly negotiator?: Negotiator | undefined
}

interface Candidate {
  readonly proxy: ProxyChoice
  /** Absent if the system's settings name the proxy. */
  readonly variable?: string
  readonly login?: ProxyLogin | undefined
}

/** The system's proxies in its order or, if these are all direct, the environment's. Loopback is always direct. */
export async function proxiesFor(
  url: URL,
  { resolveProxy, env }: Pick<RouteOptions, 'resolveProxy' | 'env'>,
): Promise<readonly Candidate[]> {
  if (isLoopback(url.hostname)) return [{ proxy: 'direct' }]
  // SECURITY: the PAC script isn't part of the app, so it learns the host but not the path.
  const proxies = parsePacAnswer(await resolveProxy(`${url.origin}/`))
  const named = environmentProxy(url, env)
  if (named === undefined) return proxies.map((proxy) => ({ proxy }))
  if (proxies.every((proxy) => proxy === 'direct')) return [named]
  // SECURITY: Chromium ignores the scheme of a proxy in the environment. If a TLS proxy were contacted without TLS,
  // anyone on the way could read the credentials.
  return proxies.map((proxy) => (proxy !== 'direct' && isReadByChromium(proxy, env) ? named : { proxy }))
}

/**
 * If a proxy can't be reached, the next route is tried, but a proxy's refusal is final (Chromium,
 * net/http/proxy_fallback.cc). A proxy that asks for a password first gets the one from the environment, and then the
 * stored one. A refused password is not sent again, and no other proxy gets it.
 */
export function createRouteFor(options: RouteOptions): (request: RouteRequest) => Promise<Route> {
  const { credentials, clock, userAgent, negotiator } = options
  const attempts = new LoginAttempts()
  /** Every request uses the same object for a proxy's credentials, because `LoginAttempts` compares the objects. */
  const environmentLogins = new Map<string, ProxyLogin>()

  return async (request) => {
    const candidates = await proxiesFor(request.url, options)

    const routeFrom = async (index: number): Promise<Route | undefined> => {
      const candidate = candidates[index]
      if (candidate === undefined) return undefined
      const { proxy, login, variable } = candidate
      if (proxy === 'direct') return {}
      return throughProxy({ proxy, variable }, index, [
        async () => environmentLogin(proxy, login),
        () => storedLogin(proxy),
      ])
    }

    const storedLogin = async (proxy: ProxyServer) => credentials.get(proxyName(proxy))
    const environmentLogin = (proxy: ProxyServer, read: ProxyLogin | undefined) => {
      if (read === undefined) return undefined
      const login = environmentLogins.get(proxyName(proxy)) ?? read
      environmentLogins.set(proxyName(proxy), login)
      return login
    }

    /** @param logins further credentials, which are tried one by one */
    const throughProxy = async (
      named: { readonly proxy: ProxyServer; readonly variable: string | undefined },
      index: number,
      logins: readonly (() => Promise<ProxyLogin | undefined>)[],
      attempt?: LoginAttempt,
    ): Promise<Route> => {
      const { proxy, variable } = named
      const { tunnelAgent } = await import('./proxy-agents.ts')
      const { signal, onAnswered } = withinShare(request, clock, candidates.length - index)
      const { trusted } = request
      const login = attempt?.login
      const onAborted = () => attempt?.over()
      if (signal.aborted) onAborted()
      else signal.addEventListener('abort', onAborted, { once: true })
      const onOpened = () => {
        signal.removeEventListener('abort', onAborted)
        attempt?.accepted()
      }
      const tunnel = tunnelAgent({ proxy, login, trusted, userAgent, negotiator, signal, onAnswered, onOpened })
      return {
        agent: tunnel,
        open: (service) => tunnel.open(service),
        proxy: proxyName(proxy),
        ...(variable === undefined ? {} : { proxyVariable: variable }),
        otherwise: async (proxyError) => {
          signal.removeEventListener('abort', onAborted)
          const asks = proxyError instanceof ProxyRefusal && proxyError.wantsPassword
          if (asks) attempt?.refused()
          else attempt?.over()
          if (!(proxyError instanceof ProxyRefusal)) return routeFrom(index + 1)
          if (!asks) return undefined
          let isRefused = false
          for (const [next, read] of logins.entries()) {
            const login = await read()
            if (login === undefined) continue
            const begun = await attempts.begin(login)
            if (begun !== undefined) return throughProxy(named, index, logins.slice(next + 1), begun)
            isRefused = true
          }
          if (isRefused) throw new ProxyRefusal(407, { wantsPassword: true, reason: CREDENTIALS_REFUSED })
          return undefined
        },
      }
    }

    return (await routeFrom(0)) ?? {}
  }
}

/** Limits a proxy to its share of the remaining time, so that there is time for the routes after it. */
function withinShare({ signal, connectBy }: RouteRequest, clock: Clock, proxiesLeft: number) {
  const timeout = new AbortController()
  const now = clock.now()
  const stop = clock.at(now + (connectBy - now) / proxiesLeft, () => timeout.abort(errorWithCode('proxy timeout')))
  const either = AbortSignal.any([signal, timeout.signal])
  either.addEventListener('abort', stop, { once: true })
  // Node keeps a signal from `AbortSignal.any` in memory as long as it has a listener.
  const onAnswered = () => {
    either.removeEventListener('abort', stop)
    stop()
  }
  return { signal: either, onAnswered }
}

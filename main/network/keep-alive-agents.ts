import { type AgentOptions, Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent, type RequestOptions } from 'node:https'
import { isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect, createSecureContext, type SecureContext } from 'node:tls'
import type { Clock } from '../base/clock.ts'
import { unlessAborted } from '../base/waits.ts'
import { errorWithCode, isCertificateError, proxyErrorOf } from '../service/exchange-error.ts'
import { CONNECT_TIMEOUT_MS, type Route } from '../service/http-client.ts'
import { type ClientIdentity, isLoopback, tlsOptions, toIpv4Loopback } from '../service/transport.ts'
import type { Network } from './network.ts'

const IDLE_MS = 30_000
const MOST_IDLE = 16

export interface KeepAliveAgentPorts {
  readonly clock: Pick<Clock, 'now' | 'at'>
  readonly http: Network['http']
}

export type KeepAliveAgents = ReturnType<typeof createKeepAliveAgents>

/** @param url any address of the server */
export function createKeepAliveAgents(url: URL, ports: KeepAliveAgentPorts) {
  const kept = { keepAlive: true, timeout: IDLE_MS, maxFreeSockets: MOST_IDLE, scheduling: 'lifo' } as const
  const isTls = url.protocol === 'https:'
  // SECURITY: plain HTTP may only go to this computer.
  if (!isTls && !isLoopback(url.hostname)) throw new Error('Only https')
  const opening = isTls ? new Opening(url, ports) : undefined
  const agentWith = (options: AgentOptions): HttpAgent => {
    if (opening === undefined) return new HttpAgent({ ...options, lookup: toIpv4Loopback } as AgentOptions)
    const createConnection = (_: RequestOptions, done?: (error: Error | null, stream: Duplex) => void): undefined => {
      opening.open().then(
        (socket) => done?.(null, socket),
        (error) => done?.(error, undefined as unknown as Duplex),
      )
    }
    return Object.assign(new HttpsAgent(options), { createConnection })
  }
  const reusing = agentWith(kept)
  // Latchkey itself closes the connection after the response. A server that was asked to close it might drop its own
  // response, if it hasn't read the whole body of the request.
  const fresh: HttpAgent = Object.assign(agentWith(kept), { keepSocketAlive: () => false })
  let usedAt = ports.clock.now()
  return {
    /** The agent for requests that can be repeated if a reused connection turns out to be dead. */
    get reusing(): HttpAgent {
      // After a sleep, the network may have forgotten the connections, and native timers may not have run.
      const now = ports.clock.now()
      if (now - usedAt > IDLE_MS) for (const each of Object.values(reusing.freeSockets).flat()) each?.destroy()
      usedAt = now
      return reusing
    },
    fresh,
    close(): void {
      reusing.destroy()
      fresh.destroy()
    },
  }
}

class Opening {
  readonly #url: URL
  readonly #ports: KeepAliveAgentPorts
  /** Kept while the certificates stay the same: parsing a hundred of them takes longer than a handshake. */
  #made:
    | {
        readonly trusted: readonly string[]
        readonly identity: ClientIdentity | undefined
        readonly context: SecureContext
      }
    | undefined

  constructor(url: URL, ports: KeepAliveAgentPorts) {
    this.#url = url
    this.#ports = ports
  }

  /** Resolves when the server's certificate has been verified. */
  async open(): Promise<Socket> {
    const { clock, http } = this.#ports
    const over = new AbortController()
    const connectBy = clock.now() + CONNECT_TIMEOUT_MS
    const cancel = clock.at(connectBy, () => over.abort(errorWithCode('connect timeout')))
    const { signal } = over
    try {
      const trusted = await http.trusted()
      const context = await this.#context(trusted)
      let route: Route = await http.routeFor({ url: this.#url, trusted, connectBy, signal })
      for (;;) {
        try {
          return await this.#along(route, context, signal)
        } catch (error) {
          const proxyError = proxyErrorOf(error)
          const next = proxyError && (await route.otherwise?.(proxyError))
          if (next === undefined) throw error
          route = next
        }
      }
    } catch (error) {
      if (isUntrusted(error)) http.onUntrusted()
      throw signal.aborted ? signal.reason : error
    } finally {
      cancel()
    }
  }

  async #along(route: Route, secureContext: SecureContext, signal: AbortSignal): Promise<Socket> {
    signal.throwIfAborted()
    const { hostname, port } = this.#url
    const host = hostname.replace(/^\[|\]$/g, '')
    const service = {
      host,
      port: Number(port) || 443,
      servername: isIP(host) ? '' : host,
      secureContext,
      // SECURITY: this is set explicitly, because an environment variable can turn off the check of certificates.
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
    }
    const socket = route.open === undefined ? connect(service) : await route.open(service)
    await secured(socket, signal)
    return socket
  }

  async #context(trusted: readonly string[]): Promise<SecureContext> {
    const identity = await this.#ports.http.identityFor(this.#url)
    const made = this.#made
    if (made?.trusted === trusted && made.identity === identity) return made.context
    const context = createSecureContext({
      minVersion: 'TLSv1.2',
      ca: [...trusted],
      ...(identity && tlsOptions(identity)),
    })
    this.#made = { trusted, identity, context }
    return context
  }
}

/** True if a certificate wasn't trusted. The trusted certificates may have changed then. */
export const isUntrusted = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && isCertificateError(String(error.code))

/** Resolves when the server's certificate has been verified. If that fails, the socket is destroyed. */
async function secured(socket: Socket, signal: AbortSignal): Promise<void> {
  try {
    await unlessAborted<void>(signal, (resolve, reject) => {
      socket.once('secureConnect', resolve)
      socket.once('error', reject)
      socket.once('close', () => reject(errorWithCode('ECONNRESET')))
      return () => {}
    })
  } catch (error) {
    socket.destroy()
    throw error
  }
}

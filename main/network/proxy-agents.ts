/** This file is loaded on first use, because most desktops have no proxy. */
import { EventEmitter } from 'node:events'
import { type ClientRequest, type IncomingMessage, request as overTcp } from 'node:http'
import { Agent, request as overTls, type RequestOptions } from 'node:https'
import { isIP, isIPv6, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ConnectionOptions, checkServerIdentity, connect, type PeerCertificate } from 'node:tls'
import { SocksProxyAgent } from 'socks-proxy-agent'
import { CREDENTIALS_REFUSED } from '../../contract/failures.ts'
import { unlessAborted } from '../base/waits.ts'
import { offersBasic, schemesOf } from '../service/challenges.ts'
import { ProxyRefusal, ProxyUnreached } from '../service/exchange-error.ts'
import { type Negotiator, schemeFor } from './negotiate.ts'
import { NegotiationError, type NegotiationScheme } from './negotiation.ts'
import { type ProxyLogin, type ProxyServer, withoutLocalhost } from './proxy.ts'

interface TunnelOptions {
  readonly proxy: ProxyServer
  /** The credentials, which are sent to this proxy with the first request. */
  readonly login?: ProxyLogin | undefined
  /** The certificates to trust for a TLS proxy, as PEM. If absent, Node's built-in ones are trusted. */
  readonly trusted?: readonly string[] | undefined
  readonly userAgent?: string | undefined
  /** Signs in as the user of this desktop, if the proxy asks for that and there is no password to send. */
  readonly negotiator?: Negotiator | undefined
  readonly signal: AbortSignal
  readonly onAnswered: () => void
  readonly onOpened?: (() => void) | undefined
}

type SocksOptions = Parameters<SocksProxyAgent['connect']>[1]

interface TunnelAgent extends Agent {
  open(service: ConnectionOptions): Promise<Socket>
}

/** An agent for one request. It fails with `ProxyRefusal` or `ProxyUnreached` if no tunnel could be opened. */
export const tunnelAgent = (options: TunnelOptions): TunnelAgent =>
  options.proxy.kind.startsWith('socks')
    ? // The library's type doesn't say that its agent has all methods of Node's agents.
      (new SocksTunnel(options) as unknown as TunnelAgent)
    : new HttpTunnel(options)

/** SECURITY: the error itself is dropped, because it contains the proxy's credentials. */
function unreached(error: unknown, signal: AbortSignal): ProxyUnreached {
  const { code, message }: { code?: unknown; message?: unknown } = signal.aborted ? signal.reason : error
  const told = typeof code === 'string' ? code : /\bE[A-Z]{3,20}\b/.exec(String(message))?.[0]
  return new ProxyUnreached(told ?? 'no answer from the proxy')
}

/** Rejects if the signal is aborted before the connection is open. If the connection opens later, it is closed. */
function opened(opening: Promise<Socket>, signal: AbortSignal): Promise<Socket> {
  opening.then(
    (socket) => signal.aborted && socket.destroy(),
    () => {},
  )
  return unlessAborted(signal, opening)
}

const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '')

interface Connected {
  readonly answer: IncomingMessage
  readonly socket: Socket
  readonly head: Uint8Array
}

/** How many tokens are sent to the proxy at most. NTLM needs two, and Kerberos needs one or two. */
const MAX_NEGOTIATION_STEPS = 3
/** A longer body of a proxy's response isn't read, and then the connection isn't used again. */
const LONGEST_PAGE_BYTES = 65_536

function challengeOf(scheme: NegotiationScheme, { headers }: IncomingMessage): Uint8Array | undefined {
  const [, token] =
    new RegExp(`(?:^|, *)${scheme} +([A-Za-z0-9+/=]{1,65536})(?:,|$)`, 'i').exec(headers['proxy-authenticate'] ?? '') ??
    []
  return token === undefined ? undefined : Buffer.from(token, 'base64')
}

/** Resolves to false if the connection can't be used again. */
async function isDrained({ answer: { headers }, socket, head }: Connected): Promise<boolean> {
  const length = Number(headers['content-length'] ?? Number.NaN)
  const isClosing = /close/i.test(`${headers.connection} ${headers['proxy-connection']}`)
  if (isClosing || !(length <= LONGEST_PAGE_BYTES)) return false
  let read = head.length
  if (read < length) {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      read += chunk.length
      if (read >= length) break
    }
  }
  return read === length
}

/** Requests a tunnel with CONNECT (RFC 9110 section 9.3.6), and opens TLS to the service inside it. */
class HttpTunnel extends Agent {
  readonly #options: TunnelOptions

  constructor(options: TunnelOptions) {
    super()
    this.#options = options
  }

  override createConnection(service: RequestOptions, done?: (error: Error | null, stream: Duplex) => void): undefined {
    this.open(service as ConnectionOptions).then(
      (socket) => done?.(null, socket),
      (error) => done?.(error, new Socket()),
    )
  }

  async open(service: ConnectionOptions): Promise<Socket> {
    const { login, signal, onAnswered, onOpened } = this.#options
    try {
      const { answer, socket } = await this.#authenticated(service)
      if (answer.statusCode === 200) {
        onOpened?.()
        // SECURITY: the connection to the service inside the tunnel always uses TLS.
        return connect({ ...service, socket })
      }
      socket.destroy()
      throw refusal(answer, login !== undefined)
    } catch (error) {
      if (error instanceof NegotiationError) throw new ProxyRefusal(407, { reason: error.problem })
      throw error instanceof ProxyRefusal ? error : unreached(error, signal)
    } finally {
      onAnswered()
    }
  }

  /**
   * Without a password, signs in as the user of this desktop if the proxy offers a scheme for that. If this fails and
   * the proxy also accepts a password, returns the proxy's first response, so that the user is asked for a password.
   */
  async #authenticated(service: ConnectionOptions): Promise<Connected> {
    const { login, negotiator } = this.#options
    const basic = login && Buffer.from(`${login.username}:${login.password.reveal()}`, 'utf8').toString('base64')
    const first = await this.#connect(service, basic && `Basic ${basic}`)
    const challenges = first.answer.headers['proxy-authenticate']
    const scheme = schemeFor(negotiator?.schemes ?? [], schemesOf(challenges))
    if (first.answer.statusCode !== 407 || login !== undefined || scheme === undefined) return first
    first.socket.destroy()
    try {
      return await this.#negotiated(service, scheme)
    } catch (error) {
      if (error instanceof NegotiationError && offersBasic(challenges)) return first
      throw error
    }
  }

  /** With NTLM, both tokens must be sent on one connection. */
  async #negotiated(service: ConnectionOptions, scheme: NegotiationScheme): Promise<Connected> {
    const { proxy, negotiator, signal } = this.#options
    const begun = negotiator?.begin(scheme, withoutBrackets(proxy.host))
    const negotiation = begun && (await unlessAborted(signal, begun))
    let challenge: Uint8Array | undefined
    let kept: Socket | undefined
    try {
      for (let step = 0; negotiation !== undefined && step < MAX_NEGOTIATION_STEPS; step += 1) {
        const token = await unlessAborted(signal, negotiation.next(challenge))
        const connected = await this.#connect(service, `${scheme} ${Buffer.from(token).toString('base64')}`, kept)
        if (connected.answer.statusCode !== 407) return connected
        kept = connected.socket
        challenge = challengeOf(scheme, connected.answer)
        if (challenge === undefined || !(await unlessAborted(signal, isDrained(connected)))) break
      }
      throw new NegotiationError('Kerberos refused')
    } catch (error) {
      kept?.destroy()
      throw error
    } finally {
      negotiation?.end()
    }
  }

  #connect({ host, port }: ConnectionOptions, authorization: string | undefined, kept?: Socket): Promise<Connected> {
    const { proxy, trusted, userAgent, signal } = this.#options
    const target = `${isIPv6(host ?? '') ? `[${host}]` : host}:${port}`
    const name = withoutBrackets(proxy.host)
    const head = {
      host: withoutBrackets(withoutLocalhost(proxy).host),
      port: proxy.port,
      method: 'CONNECT',
      path: target,
      headers: {
        Host: target,
        ...(userAgent && { 'User-Agent': userAgent }),
        ...(authorization && { 'Proxy-Authorization': authorization }),
      },
      ...(kept ? { createConnection: () => kept } : { agent: false }),
      signal,
    } as const
    const tls = {
      // SECURITY: without this line, the environment variable NODE_TLS_REJECT_UNAUTHORIZED could turn off the check.
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      // SECURITY: the certificate must name the proxy. By default Node would compare it with the Host header.
      servername: isIP(name) ? '' : name,
      ...(trusted && { ca: [...trusted] }),
    } as const
    return new Promise((resolve, reject) => {
      // SECURITY: Node's parser limits the size of the proxy's answer.
      const asked = proxy.kind === 'https' && kept === undefined ? overTls({ ...head, ...tls }) : overTcp(head)
      asked.once('connect', (answer, socket, head) => {
        // Node has removed its own listeners, so an error without a listener would end the process. No error is lost:
        // when this socket closes, the TLS connection inside it closes, too.
        socket.on('error', () => {})
        resolve({ answer, socket, head })
      })
      asked.on('error', reject)
      asked.end()
    })
  }
}

function refusal({ statusCode = 0, headers }: IncomingMessage, hasSentLogin: boolean): ProxyRefusal {
  if (statusCode !== 407) return new ProxyRefusal(statusCode)
  const challenges = headers['proxy-authenticate']
  const wantsPassword = offersBasic(challenges)
  if (wantsPassword)
    return new ProxyRefusal(407, { wantsPassword, ...(hasSentLogin && { reason: CREDENTIALS_REFUSED }) })
  return new ProxyRefusal(407, {
    reason: `unsupported proxy authentication ${schemesOf(challenges).slice(0, 8).join(', ')}`.trim(),
  })
}

class SocksTunnel extends SocksProxyAgent {
  readonly #options: TunnelOptions

  constructor(options: TunnelOptions) {
    const { proxy, login } = options
    // With SOCKS 4a and 5h, the proxy resolves the name.
    const { kind, host, port } = withoutLocalhost(proxy)
    const url = new URL(`${kind === 'socks4' ? 'socks4a' : 'socks5h'}://${host}:${port}`)
    if (login) {
      url.username = encodeURIComponent(login.username)
      url.password = encodeURIComponent(login.password.reveal())
    }
    super(url)
    this.#options = options
  }

  override isSecureEndpoint(): boolean {
    return true
  }

  open(service: ConnectionOptions): Promise<Socket> {
    // The library only calls `emit` and `destroy` on the request.
    const request = Object.assign(new EventEmitter(), { destroy: () => {} }) as unknown as ClientRequest
    return this.connect(request, { ...service, secureEndpoint: true } as SocksOptions)
  }

  override async connect(request: ClientRequest, opts: SocksOptions): Promise<Socket> {
    const { login, signal, onAnswered, onOpened } = this.#options
    try {
      // SECURITY: the certificate must name the service. For an IP address, Node would expect the proxy's host.
      const identity = {
        checkServerIdentity: (_: string, certificate: PeerCertificate) =>
          checkServerIdentity(opts.host ?? '', certificate),
      }
      const socket = await opened(super.connect(request, { ...opts, ...identity }), signal)
      onOpened?.()
      return socket
    } catch (error) {
      const message = error instanceof Error ? error.message : ''
      // The library's errors have no codes, only messages.
      if (/no accepted authentication type|Authentication failed/i.test(message)) {
        const reason = login && { reason: CREDENTIALS_REFUSED }
        throw new ProxyRefusal(407, { wantsPassword: true, ...reason })
      }
      const [, reply] = /rejected connection - \(?(\w{1,40})/i.exec(message) ?? []
      if (reply !== undefined) throw new ProxyRefusal(0, { reason: `proxy answered ${reply}` })
      throw unreached(error, signal)
    } finally {
      onAnswered()
    }
  }
}

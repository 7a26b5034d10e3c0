/** The agents that go through a proxy. Loaded when the first proxy is met: most desktops have none. */
import type { ClientRequest, IncomingHttpHeaders } from 'node:http'
import type { Agent } from 'node:https'
import type { Socket } from 'node:net'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { SocksProxyAgent } from 'socks-proxy-agent'
import { offersBasic, schemesOf } from '../service/challenges.ts'
import { unlessAborted } from '../service/deadlines.ts'
import { ProxyRefusal, ProxyUnreached } from '../service/trouble.ts'
import { CREDENTIALS_REFUSED, dialled, nameOf, type ProxyLogin, type ProxyServer } from './proxy.ts'

export interface TunnelOptions {
  readonly proxy: ProxyServer
  /** Said to this proxy at once. */
  readonly login?: ProxyLogin | undefined
  /** PEM; the built-in ones where absent. For a proxy that is spoken to over TLS. */
  readonly trusted?: readonly string[] | undefined
  /** Ends the connection to the proxy. */
  readonly signal: AbortSignal
  /** Called once the proxy has answered, or never will. */
  readonly onAnswered: () => void
  /** Called once the tunnel stands. */
  readonly onOpened?: (() => void) | undefined
}

/** A proxy's answer to CONNECT. */
interface ConnectAnswer {
  readonly statusCode: number
  readonly headers: IncomingHttpHeaders
}

type Opts = Parameters<HttpsProxyAgent<string>['connect']>[1]

/** An agent for one request: it fails with `ProxyRefusal` or `ProxyUnreached` where no tunnel came about. */
export const tunnelAgent = (options: TunnelOptions): Agent =>
  // Both are agents in all but what TypeScript knows of them.
  (options.proxy.kind.startsWith('socks') ? new SocksTunnel(options) : new HttpTunnel(options)) as unknown as Agent

/** Why there is no tunnel. SECURITY: never the error itself, which holds the credentials of the proxy. */
function unreached(error: unknown, signal: AbortSignal): ProxyUnreached {
  const { code, message }: { code?: unknown; message?: unknown } = signal.aborted ? signal.reason : error
  const told = typeof code === 'string' ? code : /\bE[A-Z]{3,20}\b/.exec(String(message))?.[0]
  return new ProxyUnreached(told ?? 'no answer from the proxy')
}

/** What `opening` gives, unless the signal comes first: then nothing is left open. */
function opened(opening: Promise<Socket>, signal: AbortSignal): Promise<Socket> {
  opening.then(
    (socket) => signal.aborted && socket.destroy(),
    () => {},
  )
  return unlessAborted(opening, signal)
}

class HttpTunnel extends HttpsProxyAgent<string> {
  readonly #options: TunnelOptions

  constructor(options: TunnelOptions) {
    const { proxy, login, trusted, signal } = options
    const basic = login && Buffer.from(`${login.username}:${login.password.reveal()}`, 'utf8').toString('base64')
    super(nameOf(dialled(proxy)), {
      headers: { ...(basic && { 'Proxy-Authorization': `Basic ${basic}` }) },
      // SECURITY: said, not left to defaults, which the environment can turn off.
      ...{ rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(trusted && { ca: [...trusted] }) },
      signal,
    })
    this.#options = options
  }

  // SECURITY: TLS to the service inside the tunnel, whatever is thought of the request.
  override isSecureEndpoint(): boolean {
    return true
  }

  override async connect(request: ClientRequest, opts: Opts): Promise<Socket> {
    const { login, signal, onAnswered, onOpened } = this.#options
    let answer: ConnectAnswer | undefined
    this.on('proxyConnect', (response: ConnectAnswer) => {
      answer = response
      onAnswered()
    })
    try {
      const socket = await opened(super.connect(request, opts), signal)
      if (answer?.statusCode === 200) {
        onOpened?.()
        return socket
      }
      socket.destroy()
    } catch (error) {
      throw unreached(error, signal)
    } finally {
      onAnswered()
    }
    throw answer?.statusCode ? refusal(answer, login !== undefined) : new ProxyUnreached('no answer from the proxy')
  }
}

function refusal({ statusCode, headers }: ConnectAnswer, wasTold: boolean): ProxyRefusal {
  if (statusCode !== 407) return new ProxyRefusal(statusCode)
  const challenges = headers['proxy-authenticate']
  const wantsPassword = offersBasic(challenges)
  if (wantsPassword) return new ProxyRefusal(407, { wantsPassword, ...(wasTold && { reason: CREDENTIALS_REFUSED }) })
  return new ProxyRefusal(407, {
    reason: `unsupported proxy authentication ${schemesOf(challenges).slice(0, 8).join(', ')}`.trim(),
  })
}

class SocksTunnel extends SocksProxyAgent {
  readonly #options: TunnelOptions

  constructor(options: TunnelOptions) {
    const { proxy, login } = options
    // 4a and 5h: the proxy resolves the name.
    const { kind, host, port } = dialled(proxy)
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

  override async connect(request: ClientRequest, opts: Opts): Promise<Socket> {
    const { login, signal, onAnswered, onOpened } = this.#options
    try {
      const socket = await opened(super.connect(request, opts), signal)
      onOpened?.()
      return socket
    } catch (error) {
      const message = error instanceof Error ? error.message : ''
      // What the library says is all there is: its errors have no codes.
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

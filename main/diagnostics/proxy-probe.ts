import { request as overTcp } from 'node:http'
import { request as overTls } from 'node:https'
import { connect, isIP } from 'node:net'
import { schemesOf } from '../service/challenges.ts'
import { causeOf, type ProxyServer } from './ports.ts'

export type ProxyAnswer =
  /** The proxy opens a tunnel or, if it is a SOCKS proxy, accepts connections. */
  | { readonly kind: 'tunnel' }
  /** The proxy answers 407 with the schemes it demands (RFC 9110 section 11.7.1), such as `Negotiate` and `NTLM`. */
  | { readonly kind: 'wantsSignIn'; readonly schemes: readonly string[] }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'unreached'; readonly cause: string }

interface Question {
  readonly proxy: ProxyServer
  readonly target: string
  readonly trusted?: readonly string[] | undefined
  readonly userAgent?: string | undefined
  readonly signal: AbortSignal
}

/** Asks an HTTP proxy for a tunnel, without credentials. Only connects to a SOCKS proxy. Never rejects. */
export function probeProxy(question: Question): Promise<ProxyAnswer> {
  return question.proxy.kind.startsWith('socks') ? connectOnly(question) : askForTunnel(question)
}

function connectOnly({ proxy, signal }: Question): Promise<ProxyAnswer> {
  return new Promise<ProxyAnswer>((resolve) => {
    const socket = connect({ host: bare(proxy), port: proxy.port, signal })
    socket.once('connect', () => {
      resolve({ kind: 'tunnel' })
      socket.destroy()
    })
    socket.on('error', (error) => resolve({ kind: 'unreached', cause: causeOf(error) }))
  })
}

const bare = ({ host }: ProxyServer): string => host.replace(/^\[|\]$/g, '')

function askForTunnel({ proxy, target, trusted, userAgent, signal }: Question): Promise<ProxyAnswer> {
  // By default, Node would expect the host of the Host header in the proxy's certificate, but that is the service.
  const servername = isIP(bare(proxy)) ? '' : bare(proxy)
  const head = {
    host: bare(proxy),
    port: proxy.port,
    method: 'CONNECT',
    path: target,
    headers: { host: target, ...(userAgent && { 'user-agent': userAgent }) },
    signal,
  }
  const asked =
    proxy.kind === 'https'
      ? overTls({ ...head, agent: false, minVersion: 'TLSv1.2', servername, ...(trusted && { ca: [...trusted] }) })
      : overTcp({ ...head, agent: false })
  return new Promise<ProxyAnswer>((resolve) => {
    asked.once('connect', ({ statusCode = 0, rawHeaders }, socket) => {
      socket.destroy()
      if (statusCode >= 200 && statusCode < 300) resolve({ kind: 'tunnel' })
      else if (statusCode === 407) resolve({ kind: 'wantsSignIn', schemes: schemesIn(rawHeaders) })
      else resolve({ kind: 'refused', status: statusCode })
    })
    asked.on('error', (error) => resolve({ kind: 'unreached', cause: causeOf(error) }))
    asked.end()
  }).finally(() => asked.destroy())
}

const SCHEMES = ['Basic', 'Digest', 'NTLM', 'Negotiate', 'Kerberos', 'Bearer'] as const

/** The names of all known schemes in the headers, without any other text. */
export function schemesIn(rawHeaders: readonly string[]): readonly string[] {
  const challenges = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'proxy-authenticate',
  )
  const offered = schemesOf(challenges).map((scheme) => scheme.toLowerCase())
  return SCHEMES.filter((scheme) => offered.includes(scheme.toLowerCase()))
}

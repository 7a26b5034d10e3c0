import { request as overTcp } from 'node:http'
import { request as overTls } from 'node:https'
import { connect, isIP } from 'node:net'
import { causeInWords } from '../../../text/cause.ts'
import { schemesOf } from '../../service/challenges.ts'
import { hostOf } from '../../service/response.ts'
import type { Finding } from '../line.ts'
import { causeOf, type FoundProxy, type KerberosProblem, type Ports } from '../ports.ts'

const BASIC = 'Basic'

export async function checkProxy(
  url: URL,
  ports: Ports<'proxiesFor' | 'trusted' | 'texts' | 'userAgent' | 'kerberosProblem'>,
  signal: AbortSignal,
): Promise<Finding> {
  const says = ports.texts.diagnostics.proxy
  const host = hostOf(url)
  const proxies = await ports.proxiesFor(url)
  const [first = 'direct', ...others] = proxies
  const details = others.length === 0 ? [] : [says.order(proxies.map(nameOf))]
  if (first === 'direct') return { state: 'ok', sentence: says.direct(host), details }
  const trusted = await ports.trusted?.()
  const answer = await probeProxy({ proxy: first, target: host, trusted, userAgent: ports.userAgent, signal })
  if (answer.kind === 'wantsSignIn' && answer.schemes.length > 0 && !answer.schemes.includes(BASIC)) {
    const problem = await ports.kerberosProblem(answer.schemes, first.host)
    return { ...judgeKerberos(first, host, answer.schemes, problem, ports), details }
  }
  return { ...judge(first, host, answer, others.length > 0, ports), details }
}

const addressOf = ({ host, port }: FoundProxy): string => `${host}:${port}`

const nameOf = (proxy: 'direct' | FoundProxy): string =>
  proxy === 'direct' ? 'DIRECT' : `${proxy.kind}://${addressOf(proxy)}`

function judge(
  proxy: FoundProxy,
  host: string,
  answer: ProxyAnswer,
  hasOther: boolean,
  { texts }: Ports<'texts'>,
): Finding {
  const says = texts.diagnostics.proxy
  const name = addressOf(proxy)
  switch (answer.kind) {
    case 'tunnel':
      return { state: 'ok', sentence: says.through(host, nameOf(proxy)) }
    case 'unreached':
      return {
        state: hasOther ? 'warning' : 'failed',
        ...says.unreached(host, name, proxy.variable, causeInWords(texts.causes, answer.cause)),
      }
    case 'refused':
      return { state: 'failed', ...says.refused(host, name, answer.status) }
    case 'wantsSignIn':
      return { state: 'ok', sentence: says.basic(host, name) }
  }
}

function judgeKerberos(
  proxy: FoundProxy,
  host: string,
  schemes: readonly string[],
  problem: KerberosProblem | undefined,
  { texts }: Ports<'texts'>,
): Finding {
  const says = texts.diagnostics.proxy
  const name = addressOf(proxy)
  switch (problem) {
    case undefined:
      return { state: 'ok', sentence: says.kerberos(host, name) }
    case 'unsupported':
      return { state: 'failed', ...says.unsupported(name, schemes.join(', '), host) }
    case 'no Kerberos library':
      return { state: 'failed', ...says.noKerberos(name) }
    default:
      return { state: 'failed', ...says.noTicket(name, proxy.host) }
  }
}

type ProxyAnswer =
  /** The proxy opens a tunnel or, if it is a SOCKS proxy, accepts connections. */
  | { readonly kind: 'tunnel' }
  /** The proxy responds with 407 and its authentication schemes (RFC 9110 section 11.7.1), such as `Negotiate`. */
  | { readonly kind: 'wantsSignIn'; readonly schemes: readonly string[] }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'unreached'; readonly cause: string }

interface Question {
  readonly proxy: FoundProxy
  readonly target: string
  readonly trusted?: readonly string[] | undefined
  readonly userAgent?: string | undefined
  readonly signal: AbortSignal
}

/** Connects to the proxy, and asks an HTTP proxy for a tunnel, without credentials. Never rejects. */
function probeProxy(question: Question): Promise<ProxyAnswer> {
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

const bare = ({ host }: FoundProxy): string => host.replace(/^\[|\]$/g, '')

function askForTunnel({ proxy, target, trusted, userAgent, signal }: Question): Promise<ProxyAnswer> {
  // By default, Node would expect the proxy's certificate to name the host in the Host header, which is the service's.
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

/** The known authentication schemes in the headers, without any other text. */
export function schemesIn(rawHeaders: readonly string[]): readonly string[] {
  const challenges = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'proxy-authenticate',
  )
  const offered = schemesOf(challenges).map((scheme) => scheme.toLowerCase())
  return SCHEMES.filter((scheme) => offered.includes(scheme.toLowerCase()))
}

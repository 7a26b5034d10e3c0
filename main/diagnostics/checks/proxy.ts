import { causeInWords } from '../../../text/cause.ts'
import type { Finding } from '../line.ts'
import { hostOf, type KerberosProblem, nameOfProxy, type Ports, type ProxyChoice, type ProxyServer } from '../ports.ts'
import { type ProxyAnswer, probeProxy } from '../proxy-probe.ts'

const BASIC = 'Basic'

/** Finds the route to an address, and checks that Latchkey supports a scheme that the route's proxy accepts. */
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

const nameOf = (proxy: ProxyChoice): string => (proxy === 'direct' ? 'DIRECT' : `${proxy.kind}://${nameOfProxy(proxy)}`)

function judge(
  proxy: ProxyServer,
  host: string,
  answer: ProxyAnswer,
  hasOther: boolean,
  { texts }: Ports<'texts'>,
): Finding {
  const says = texts.diagnostics.proxy
  const name = nameOfProxy(proxy)
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
  proxy: ProxyServer,
  host: string,
  schemes: readonly string[],
  problem: KerberosProblem | undefined,
  { texts }: Ports<'texts'>,
): Finding {
  const says = texts.diagnostics.proxy
  const name = nameOfProxy(proxy)
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

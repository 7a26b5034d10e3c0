import { causeInWords } from '../../../text/cause.ts'
import type { Finding } from '../line.ts'
import { hostOf, nameOfProxy, type Ports, type ProxyChoice, type ProxyServer } from '../ports.ts'
import { type ProxyAnswer, probeProxy } from '../proxy-probe.ts'

/** The only scheme that Latchkey supports at a proxy (RFC 7617). */
const POSSIBLE = 'Basic'

/**
 * Finds the route to an address. Checks whether its proxy demands an authentication scheme that Latchkey doesn't
 * support.
 */
export async function checkProxy(
  url: URL,
  ports: Ports<'proxiesFor' | 'trusted' | 'texts' | 'userAgent'>,
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
    case 'wantsSignIn': {
      const { schemes } = answer
      if (schemes.length === 0 || schemes.includes(POSSIBLE)) return { state: 'ok', sentence: says.basic(host, name) }
      return { state: 'failed', ...says.unsupported(name, schemes.join(', '), host) }
    }
  }
}

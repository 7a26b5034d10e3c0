import { type ProxyChoice, type ProxyKind, proxyAt } from './proxy.ts'

// These keywords mean the same as in Chromium (net/base/proxy_string_util.cc), where `SOCKS` means version 4.
const KINDS: Readonly<Record<string, { readonly kind: ProxyKind; readonly port: number }>> = {
  PROXY: { kind: 'http', port: 80 },
  HTTP: { kind: 'http', port: 80 },
  HTTPS: { kind: 'https', port: 443 },
  SOCKS: { kind: 'socks4', port: 1080 },
  SOCKS4: { kind: 'socks4', port: 1080 },
  SOCKS5: { kind: 'socks5', port: 1080 },
}

function proxyOf(element: string): ProxyChoice | undefined {
  const [, type = '', host, port] = /^(\S+)(?:\s+(\[[^\]]*\]|[^\s:]+)(?::(\S*))?)?$/.exec(element.trim()) ?? []
  if (type.toUpperCase() === 'DIRECT') return 'direct'
  const known = KINDS[type.toUpperCase()]
  return known && host !== undefined ? proxyAt(known.kind, host, port, known.port) : undefined
}

const LONGEST_ANSWER = 16_384
/** How many routes are tried at most. They share ten seconds, so with more routes each would get too little time. */
const MOST_ROUTES = 16

/** Leaves out unusable elements of `PROXY a:1; DIRECT`. If none is left, the route is direct, as in Chromium. */
export function parsePacAnswer(answer: string): readonly ProxyChoice[] {
  // SECURITY: a script can name millions of routes, so the text is cut and the routes are limited. The cut element is
  // dropped, because what is left of it could name another port or host.
  const isWhole = answer.length <= LONGEST_ANSWER
  const proxies = answer
    .slice(0, LONGEST_ANSWER)
    .split(';')
    .slice(0, isWhole ? undefined : -1)
    .flatMap((element) => proxyOf(element) ?? [])
    .slice(0, MOST_ROUTES)
  return proxies.length === 0 ? ['direct'] : proxies
}

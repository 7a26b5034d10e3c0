import { BlockList, isIP } from 'node:net'
import { Secret } from '../base/secret.ts'
import { type ProxyKind, type ProxyLogin, type ProxyServer, proxyAt, proxyName } from './proxy.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** With `socks`, `socks4` and `socks5`, curl resolves names itself. Latchkey always lets the proxy resolve them. */
const KINDS: Readonly<Record<string, ProxyKind>> = {
  http: 'http',
  https: 'https',
  socks: 'socks4',
  socks4: 'socks4',
  socks4a: 'socks4',
  socks5: 'socks5',
  socks5h: 'socks5',
}

/** The variables, in curl's order. The first one that is set is used, even if it is empty. */
const VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'] as const

interface NamedProxy {
  readonly proxy: ProxyServer
  readonly variable: string
  readonly login?: ProxyLogin
}

/** By the rules of curl's manual ("Environment" and `--proxy`), such as the default ports: 443 for https, else 1080. */
export function environmentProxy({ hostname }: URL, env: Environment): NamedProxy | undefined {
  if (isExempt(hostname, env['no_proxy'] ?? env['NO_PROXY'] ?? '')) return undefined
  const variable = variableOf(env)
  const named = proxyIn(env[variable] ?? '')
  return named && { ...named, variable }
}

export function unusableVariable(env: Environment): string | undefined {
  const name = variableOf(env)
  const text = env[name] ?? ''
  return text.trim() === '' || proxyIn(text) !== undefined ? undefined : name
}

const variableOf = (env: Environment) => VARIABLES.find((name) => env[name] !== undefined) ?? VARIABLES[0]

function proxyIn(text: string): Omit<NamedProxy, 'variable'> | undefined {
  const { scheme = 'http', userinfo, host = '', port } = partsOf(text)
  const kind = KINDS[scheme.toLowerCase()]
  const proxy = kind && proxyAt(kind, host, port, kind === 'https' ? 443 : 1080)
  return proxy && { proxy, ...(userinfo !== undefined && { login: loginOf(userinfo) }) }
}

/**
 * Whether Chromium has read this route from a variable. Chromium drops the scheme and credentials, defaults to port 80,
 * and prefers `all_proxy` to `https_proxy` (net/proxy_resolution/proxy_config_service_linux.cc).
 */
export function isReadByChromium(proxy: ProxyServer, env: Environment): boolean {
  if (proxy.kind !== 'http') return false
  return VARIABLES.some((name) => {
    const { host = '', port } = partsOf(env[name] ?? '')
    const read = proxyAt('http', host, port, 80)
    return read !== undefined && proxyName(read) === proxyName(proxy)
  })
}

/** How many characters a proxy's address may have. Real addresses are shorter, even with credentials. */
const LONGEST_ADDRESS = 4_096

/** The address with `[secret]` in place of its credentials; `undefined` if the address can't be parsed. */
export function withoutLogin(text: string): string | undefined {
  if (text.trim() === '') return ''
  if (proxyIn(text) === undefined) return undefined
  const { scheme, userinfo, host, port } = partsOf(text)
  const named = port === undefined ? `${host}` : `${host}:${port}`
  return `${scheme === undefined ? '' : `${scheme}://`}${userinfo === undefined ? '' : '[secret]@'}${named}`
}

function partsOf(text: string): { readonly [P in 'scheme' | 'userinfo' | 'host' | 'port']?: string | undefined } {
  const address =
    /^(?:(?<scheme>[a-z0-9+.-]+):\/\/)?(?:(?<userinfo>.*)@)?(?<host>\[[^\]]*\]|[^:/?#@]+)(?::(?<port>\d+))?(?:[/?#].*)?$/i
  // SECURITY: the length is limited, because the pattern takes quadratic time.
  return text.length > LONGEST_ADDRESS ? {} : (address.exec(text.trim())?.groups ?? {})
}

function loginOf(userinfo: string): ProxyLogin {
  const [, username = '', word = ''] = /^([^:]*):?(.*)$/s.exec(userinfo) ?? []
  return { username: decoded(username), password: new Secret('proxy password', decoded(word)) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A text that isn't valid percent-encoding is used as it is.
    return text
  }
}

/** How many entries of `NO_PROXY` are read at most. No real list has more. */
const MOST_EXEMPTIONS = 10_000

/** By curl's rules (CURLOPT_NOPROXY): a name, with or without a dot in front, exempts its subdomains, too. */
export function isExempt(hostname: string, noProxy: string): boolean {
  if (noProxy.trim() === '*') return true
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
  // SECURITY: the number of entries is limited, because each costs some microseconds.
  const patterns = noProxy.split(/[\s,]+/, MOST_EXEMPTIONS)
  return isIP(host) === 0 ? patterns.some((pattern) => isBelow(host, pattern)) : isWithin(host, patterns)
}

function isBelow(host: string, pattern: string): boolean {
  const name = pattern.slice(pattern.startsWith('.') ? 1 : 0, pattern.endsWith('.') ? -1 : undefined).toLowerCase()
  return name !== '' && (host === name || host.endsWith(`.${name}`))
}

function isWithin(address: string, patterns: readonly string[]): boolean {
  const exempt = new BlockList()
  for (const pattern of patterns) {
    const [network = '', length] = pattern.replace(/^\[|\]$/g, '').split('/')
    const version = isIP(network)
    if (version === 0 || version !== isIP(address)) continue
    const most = version === 6 ? 128 : 32
    const bits = length === undefined ? most : /^\d{1,3}$/.test(length) ? Number(length) : -1
    if (bits >= 0 && bits <= most) exempt.addSubnet(network, bits, familyOf(version))
  }
  return exempt.check(address, familyOf(isIP(address)))
}

const familyOf = (version: number) => (version === 6 ? 'ipv6' : 'ipv4')

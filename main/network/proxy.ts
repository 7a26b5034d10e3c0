import type { Secret } from '../session/secret.ts'

/** How to speak to a proxy. All resolve the service's name themselves: with SOCKS, versions 4a and 5 (RFC 1928). */
export type ProxyKind = 'http' | 'https' | 'socks4' | 'socks5'

export interface ProxyServer {
  readonly kind: ProxyKind
  /** A name or an address; IPv6 in brackets. */
  readonly host: string
  readonly port: number
}

/** One way to the service. */
export type Way = 'direct' | ProxyServer

export interface ProxyLogin {
  readonly username: string
  readonly password: Secret
}

/** Who we are at a proxy that asks. */
export interface ProxyCredentials {
  /**
   * The same object each time, until others are set.
   * @param proxy the name of the one proxy that may be told (`nameOf`)
   */
  get(proxy: string): Promise<ProxyLogin | undefined>
}

/** Why a proxy lets nobody through that was told who is there, among the causes that the texts know. */
export const CREDENTIALS_REFUSED = 'proxy credentials refused'

/**
 * What names a proxy, in the details line and in the keychain: `https://proxy.example.com:8080`.
 * SECURITY: with its kind. What is said to a proxy over TLS must not go in clear text to one of the same host and port.
 */
export const nameOf = ({ kind, host, port }: ProxyServer): string => `${kind}://${host}:${port}`

/**
 * Where to connect for a proxy: `localhost` is 127.0.0.1.
 * SECURITY: a proxy on 127.0.0.1:PORT leaves [::1]:PORT free for any user of this machine to take, and to ask for the
 * proxy's password. TLS would tell one from the other.
 */
export const dialled = (proxy: ProxyServer): ProxyServer =>
  proxy.host === 'localhost' && proxy.kind !== 'https' ? { ...proxy, host: '127.0.0.1' } : proxy

const HOST = /^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_.])?|\[[0-9a-f:.]+\])$/i

/** @param port as text; `usual` where it is absent */
export function proxyAt(
  kind: ProxyKind,
  host: string,
  port: string | undefined,
  usual: number,
): ProxyServer | undefined {
  const number = port === undefined || port === '' ? usual : /^\d{1,5}$/.test(port) ? Number(port) : 0
  if (number < 1 || number > 65_535 || !HOST.test(host)) return undefined
  return { kind, host: host.toLowerCase(), port: number }
}

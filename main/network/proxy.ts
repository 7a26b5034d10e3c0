import type { Secret } from '../base/secret.ts'

/** `socks4` is version 4a, `socks5` is version 5 (RFC 1928). Every kind of proxy resolves the service's name. */
export type ProxyKind = 'http' | 'https' | 'socks4' | 'socks5'

export interface ProxyServer {
  readonly kind: ProxyKind
  /** An IPv6 address is in brackets. */
  readonly host: string
  readonly port: number
}

export type ProxyChoice = 'direct' | ProxyServer

export interface ProxyLogin {
  readonly username: string
  readonly password: Secret
}

export interface ProxyCredentials {
  /** The same object until new credentials are set. `proxy` (`proxyName`) is the only proxy that may get them. */
  get(proxy: string): Promise<ProxyLogin | undefined>
}

/** SECURITY: names the kind, too, so that a TLS proxy's credentials never go in clear text to its address. */
export const proxyName = ({ kind, host, port }: ProxyServer): string => `${kind}://${host}:${port}`

/**
 * SECURITY: while a proxy listens on 127.0.0.1:PORT, any user of this computer can listen on [::1]:PORT and ask for the
 * proxy's password. A TLS proxy keeps its address, because its certificate proves that it is the right one.
 */
export const withoutLocalhost = (proxy: ProxyServer): ProxyServer =>
  proxy.host === 'localhost' && proxy.kind !== 'https' ? { ...proxy, host: '127.0.0.1' } : proxy

const HOST = /^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_.])?|\[[0-9a-f:.]+\])$/i

/** `undefined` if the host or the port is invalid. `usual` is the port if `port` is absent or empty. */
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

/** Which servers may see a token. */
import { LatchkeyError } from './error.ts'

/** Scheme, host and port, as `https://data.example.com:8443`. */
export function originOf(url: string | URL): string {
  const { protocol, hostname, origin } = new URL(url)
  // SECURITY: a token is never sent in the clear over a network.
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback)) {
    throw new TypeError(`https is needed for ${hostname || protocol}`)
  }
  return origin
}

/** True if this server may see a token of the connection whose service is at `own`. Of a base URL the origin counts. */
export function isAllowed(url: string | URL, own: string | undefined, hosts: readonly (string | URL)[]): boolean {
  try {
    const origin = originOf(url)
    return [...hosts, ...(own === undefined ? [] : [own])].some((each) => originOf(each) === origin)
  } catch {
    return false
  }
}

export function checkAllowed(url: URL, own: string | undefined, hosts: readonly (string | URL)[]): void {
  if (isAllowed(url, own, hosts)) return
  const allowed = [...hosts.map(originOf), ...(own === undefined ? [] : [own])].sort().join(', ') || 'no host'
  throw new LatchkeyError(
    'foreign_host',
    `The token isn't sent to ${url.protocol}//${url.host}, only to ${allowed}. Name another server in hosts to send it there.`,
  )
}

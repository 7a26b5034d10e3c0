import { LatchkeyError } from './error.ts'

export function parseAddress(url: string | URL): URL {
  // In Node 20, `URL.canParse` refuses hosts with an umlaut after some thousand calls.
  try {
    return new URL(url)
  } catch {
    // SECURITY: the error that `new URL` throws quotes the address, which can contain a password.
    throw new TypeError('not an address')
  }
}

/** Scheme, host and port, such as `https://data.example.com:8443`. */
export function originOf(url: string | URL): string {
  const { protocol, hostname, origin } = parseAddress(url)
  // SECURITY: never send a token unencrypted over a network.
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback)) {
    throw new TypeError(`https is needed for ${hostname || protocol}`)
  }
  return origin
}

/** True if this server may get a token of the connection whose service is at `own`. Paths don't matter. */
export function isAllowed(url: string | URL, own: string | undefined, hosts: readonly (string | URL)[]): boolean {
  const origin = originOrNone(url)
  const allowed = allowedOrigins(own, hosts)
  return origin !== undefined && [...allowed, ...allowed.map((each) => pinned(new URL(each)).origin)].includes(origin)
}

/**
 * SECURITY: another user could listen on [::1] at the port of a service that listens on 127.0.0.1, which Latchkey
 * itself uses. With https, the certificate shows who answers, so the URL stays as it is.
 */
export function pinned(url: URL): URL {
  if (url.protocol !== 'http:' || url.hostname !== 'localhost') return url
  const same = new URL(url)
  same.hostname = '127.0.0.1'
  return same
}

function allowedOrigins(own: string | undefined, hosts: readonly (string | URL)[]): string[] {
  const origin = own === undefined ? undefined : originOrNone(own)
  return [...hosts.map(originOf), ...(origin === undefined ? [] : [origin])]
}

function originOrNone(url: string | URL): string | undefined {
  try {
    return originOf(url)
  } catch {
    return undefined
  }
}

/** Throws if this server may not get the token. `connectionAt` finds the connection whose service is at an origin. */
export async function checkAllowed(
  url: URL,
  own: string | undefined,
  hosts: readonly (string | URL)[],
  connectionAt: (origin: string) => Promise<string | undefined>,
): Promise<void> {
  if (isAllowed(url, own, hosts)) return
  const allowed = allowedOrigins(own, hosts).sort().join(', ') || 'no host'
  const shown = `${url.protocol}//${url.host}`
  // SECURITY: hosts must not list another connection's service, so the message doesn't advise that.
  const name = await connectionAt(shown)
  const advice =
    name === undefined
      ? 'Name another server in hosts to send it there.'
      : `That is the service of another connection: use { connection: '${name}' }.`
  throw new LatchkeyError('foreign_host', `The token isn't sent to ${shown}, only to ${allowed}. ${advice}`)
}

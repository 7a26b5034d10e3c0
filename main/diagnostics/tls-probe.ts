import { Agent, request } from 'node:https'
import { TLSSocket } from 'node:tls'
import { type Certificate, chainOf } from './chain.ts'
import { causeOf, type Identity, type Ports, type Route } from './ports.ts'

export type Seen =
  | { readonly kind: 'unreached'; readonly cause: string }
  | {
      readonly kind: 'seen'
      readonly chain: readonly Certificate[]
      /** The version of TLS, such as `TLSv1.3`. */
      readonly protocol: string | undefined
      /** OpenSSL's code if the certificate isn't trusted; absent if it is. */
      readonly error: string | undefined
      readonly names: string | undefined
    }

const CONNECT_TIMEOUT_MS = 10_000

/** Connects by the route of a request, reads the certificates and closes the connection. Never rejects. */
export async function probeTls(
  url: URL,
  { routeFor, trusted, identityFor, clock }: Ports<'routeFor' | 'trusted' | 'identityFor' | 'clock'>,
  signal: AbortSignal,
): Promise<Seen> {
  try {
    const [authorities, identity] = await Promise.all([trusted?.(), identityFor?.(url)])
    const connectBy = clock.now() + CONNECT_TIMEOUT_MS
    let route: Route = (await routeFor?.({ url, trusted: authorities, connectBy, signal })) ?? {}
    for (;;) {
      try {
        return await probeAlong(url, route, { trusted: authorities, identity }, signal)
      } catch (error) {
        const next: Route | undefined = await route.next?.(error)
        if (next === undefined || signal.aborted) throw error
        route = next
      }
    }
  } catch (error) {
    return { kind: 'unreached', cause: causeWithReason(error) }
  }
}

interface Known {
  readonly trusted: readonly string[] | undefined
  readonly identity: Identity | undefined
}

function probeAlong(url: URL, route: Route, { trusted, identity }: Known, signal: AbortSignal): Promise<Seen> {
  return new Promise<Seen>((resolve, reject) => {
    const asked = request(url, {
      agent: route.agent ?? new Agent(),
      minVersion: 'TLSv1.2',
      // SECURITY: with `true`, Node would close an untrusted connection before its certificates could be read. Nothing
      // is sent: the request is destroyed right after the handshake.
      rejectUnauthorized: false,
      ...(trusted && { ca: [...trusted] }),
      // A service that requires a client certificate would close the connection if none were sent.
      ...identity,
      signal,
    })
    const finish = (seen: Seen) => {
      resolve(seen)
      asked.destroy()
    }
    asked.on('error', reject)
    asked.once('socket', (socket) => {
      if (!(socket instanceof TLSSocket)) return finish({ kind: 'unreached', cause: 'no TLS' })
      // The request's HTTP agent may supply a connection that has already completed its handshake.
      if (socket.authorized || socket.authorizationError) finish(seenOf(socket))
      else socket.once('secureConnect', () => finish(seenOf(socket)))
    })
  })
}

function seenOf(socket: TLSSocket): Seen {
  const leaf = socket.getPeerCertificate(true)
  // `authorizationError` is declared as `Error`, but its value is a code.
  const error: unknown = socket.authorizationError
  return {
    kind: 'seen',
    chain: chainOf(leaf),
    protocol: socket.getProtocol() ?? undefined,
    error: socket.authorized ? undefined : String(error),
    names: leaf.subjectaltname,
  }
}

/** The reason why a handshake failed. The error's code alone only says `EPROTO`. */
function causeWithReason(error: unknown): string {
  const reason = error instanceof Error && /SSL routines:\w*:([\w ]{1,60})/.exec(error.message)?.[1]
  return !reason ? causeOf(error) : `${causeOf(error)} (${reason})`
}

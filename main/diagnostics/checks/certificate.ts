import { Agent, request } from 'node:https'
import { type DetailedPeerCertificate, TLSSocket } from 'node:tls'
import { causeInWords } from '../../../text/cause.ts'
import { displayText } from '../../base/display-text.ts'
import { proxyErrorOf } from '../../service/exchange-error.ts'
import type { Route } from '../../service/http-client.ts'
import { hostOf } from '../../service/response.ts'
import type { Finding } from '../line.ts'
import { type ClientCertificate, causeOf, type Ports } from '../ports.ts'

const DAY_MS = 86_400_000
/** Most certificates are replaced a month before they expire. One with less time left was probably forgotten. */
const SOON_MS = 14 * DAY_MS

export async function checkCertificate(
  url: URL,
  ports: Ports<'routeFor' | 'trusted' | 'identityFor' | 'clock' | 'texts'>,
  signal: AbortSignal,
): Promise<Finding> {
  const { texts, clock } = ports
  const says = texts.diagnostics.certificate
  const host = hostOf(url)
  // The settings allow plain http only for an address of this machine.
  if (url.protocol === 'http:') return { state: 'ok', sentence: says.notNeeded(host) }
  const seen = await probeTls(url, ports, signal)
  if (seen.kind === 'unreached')
    return { state: 'failed', isUnreached: true, ...says.unreached(host, causeInWords(texts.causes, seen.cause)) }

  const now = clock.wall()
  const daysLeft = (until: number) => Math.floor((until - now) / DAY_MS)
  const details = [
    ...seen.chain.map((each, index) => says.link(index, each, daysLeft(each.validTo))),
    ...(seen.protocol === undefined ? [] : [seen.protocol]),
  ]
  if (seen.error !== undefined) {
    const { kind, failing } = problemOf(seen.chain, seen.error, now)
    const cause = causeInWords(texts.causes, seen.error)
    return { state: 'failed', ...says.untrusted(host, { kind, failing, cause, names: seen.names }), details }
  }
  const first = seen.chain.reduce(
    (soonest, each) => (each.validTo < soonest.validTo ? each : soonest),
    seen.chain[0] ?? NONE,
  )
  if (first.validTo - now < SOON_MS)
    return { state: 'warning', ...says.endsSoon(host, first, daysLeft(first.validTo)), details }
  return { state: 'ok', sentence: says.good(host, first, daysLeft(first.validTo)), details }
}

const NONE = { subject: '?', issuer: '?', validFrom: 0, validTo: 0 }

type TlsResult =
  | { readonly kind: 'unreached'; readonly cause: string }
  | {
      readonly kind: 'seen'
      readonly chain: readonly Certificate[]
      readonly protocol: string | undefined
      /** OpenSSL's code if the certificate isn't trusted; absent if it is. */
      readonly error: string | undefined
      readonly names: string | undefined
    }

const CONNECT_TIMEOUT_MS = 10_000

/** Connects by the same route as the app's requests, and sends nothing. Never rejects. */
export async function probeTls(
  url: URL,
  { routeFor, trusted, identityFor, clock }: Ports<'routeFor' | 'trusted' | 'identityFor' | 'clock'>,
  signal: AbortSignal,
): Promise<TlsResult> {
  try {
    const [authorities, identity] = await Promise.all([trusted?.(), identityFor?.(url)])
    const connectBy = clock.now() + CONNECT_TIMEOUT_MS
    let route: Route = (await routeFor?.({ url, trusted: authorities, connectBy, signal })) ?? {}
    for (;;) {
      try {
        return await probeAlong(url, route, { trusted: authorities, identity }, signal)
      } catch (error) {
        const proxyError = proxyErrorOf(error)
        const next: Route | undefined = proxyError && (await route.otherwise?.(proxyError))
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
  readonly identity: ClientCertificate | undefined
}

function probeAlong(url: URL, route: Route, { trusted, identity }: Known, signal: AbortSignal): Promise<TlsResult> {
  return new Promise<TlsResult>((resolve, reject) => {
    const asked = request(url, {
      agent: route.agent ?? new Agent(),
      minVersion: 'TLSv1.2',
      // SECURITY: otherwise an untrusted connection would close before its certificates are read. Nothing is sent.
      rejectUnauthorized: false,
      ...(trusted && { ca: [...trusted] }),
      // A service that requires a client certificate would close the connection if none were sent.
      ...identity,
      signal,
    })
    const finish = (seen: TlsResult) => {
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

function seenOf(socket: TLSSocket): TlsResult {
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

/** The error's code alone only says `EPROTO`. */
function causeWithReason(error: unknown): string {
  const reason = error instanceof Error && /SSL routines:\w*:([\w ]{1,60})/.exec(error.message)?.[1]
  return !reason ? causeOf(error) : `${causeOf(error)} (${reason})`
}

interface Certificate {
  /** The name in its usual form: `O=Data Platform, CN=service.test`. */
  readonly subject: string
  readonly issuer: string
  /** In milliseconds since the epoch. */
  readonly validFrom: number
  readonly validTo: number
}

const LONGEST_CHAIN = 10
const LONGEST_NAME = 200

const nameOf = (name: object | undefined): string =>
  displayText(
    Object.entries(name ?? {})
      .flatMap(([attribute, values]) => [values].flat().map((value) => `${attribute}=${value}`))
      .join(', '),
    LONGEST_NAME,
  )

/** The host's own certificate first, then its issuers as far as they are known. */
function chainOf(leaf: DetailedPeerCertificate): readonly Certificate[] {
  const chain: Certificate[] = []
  const seen = new Set<string>()
  let next: DetailedPeerCertificate | undefined = leaf
  // A self-signed certificate is its own issuer.
  while (next?.valid_to !== undefined && !seen.has(next.fingerprint256) && chain.length < LONGEST_CHAIN) {
    seen.add(next.fingerprint256)
    const { subject, issuer, valid_from, valid_to } = next
    chain.push({
      subject: nameOf(subject),
      issuer: nameOf(issuer),
      validFrom: Date.parse(valid_from),
      validTo: Date.parse(valid_to),
    })
    next = next.issuerCertificate
  }
  return chain
}

type ChainError = 'ended' | 'early' | 'otherHost' | 'unknownIssuer' | 'other'

export function problemOf(
  chain: readonly Certificate[],
  code: string,
  now: number,
): { readonly kind: ChainError; readonly failing: Certificate | undefined } {
  const [leaf] = chain
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return { kind: 'ended', failing: chain.find(({ validTo }) => validTo < now) ?? leaf }
    case 'CERT_NOT_YET_VALID':
      return { kind: 'early', failing: chain.find(({ validFrom }) => validFrom > now) ?? leaf }
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return { kind: 'otherHost', failing: leaf }
    // The last certificate has the problem: its issuer is unknown, or it is self-signed.
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return { kind: 'unknownIssuer', failing: chain.at(-1) }
    default:
      return { kind: 'other', failing: leaf }
  }
}

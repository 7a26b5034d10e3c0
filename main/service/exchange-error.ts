import type { Socket } from 'node:net'
import { type PeerCertificate, TLSSocket } from 'node:tls'
import type { Failure, FailureDetails } from '../../contract/failures.ts'
import { plainText } from './plain-text.ts'

/** What was observed during an exchange, for the failure's details. */
export interface Seen {
  /** True once the connection is established: from then on, the service may have read the request. */
  isSent?: true
  status?: number
  socket?: Socket
  certificate?: NonNullable<FailureDetails['certificate']>
}

/** An error that only has a code, which becomes the failure's cause. */
export const errorWithCode = (code: string): Error => Object.assign(new Error(code), { code })

/** SECURITY: a server may answer with endless 1xx responses, which would keep a request open. */
export const MOST_INTERIM_RESPONSES = 16

/** True if this code of Node's says that a certificate was not trusted. */
export const saysUntrusted = (code: string): boolean => /^\w*(?:CERT|ISSUER|LEAF_SIGNATURE)/.test(code)

/** A proxy's refusal to open a tunnel. The HTTP agent for that proxy fails with this error. */
export class ProxyRefusal extends Error {
  readonly status: number
  /** The reason in a few words, without anything that was sent to the proxy. */
  readonly reason: string | undefined
  /** True if the proxy would accept a username and a password. */
  readonly wantsPassword: boolean

  constructor(status: number, { reason, wantsPassword = false }: { reason?: string; wantsPassword?: boolean } = {}) {
    super(`The proxy answered ${status}`)
    this.status = status
    this.reason = reason
    this.wantsPassword = wantsPassword
  }
}

/** A proxy that could not be reached or gave no response. `code`: the reason, such as `ECONNREFUSED`. */
export class ProxyUnreached extends Error {
  readonly code: string

  constructor(code: string) {
    super('The proxy could not be reached')
    this.code = code
  }
}

/** Thrown if a proxy opened no tunnel, so nothing was sent to the service. */
export type ProxyError = ProxyRefusal | ProxyUnreached

const isoDate = (text: string): string => {
  const time = Date.parse(text)
  return Number.isNaN(time) ? plainText(text, []) : new Date(time).toISOString()
}

/** A distinguished name as it is usually written: `O=Data Platform, CN=service.test`. */
const nameOf = (name: object | undefined): string =>
  plainText(
    Object.entries(name ?? {})
      .flatMap(([attribute, values]) => [values].flat().map((value) => `${attribute}=${value}`))
      .join(', '),
    [],
  )

/**
 * Records the peer's certificate before Node's own `secure` listener, which destroys the socket if it isn't trusted.
 */
export function recordCertificate(socket: TLSSocket, seen: Seen): void {
  socket.prependOnceListener('secure', () => {
    // Don't call `getPeerX509Certificate` here: in Node 20, the verification that follows would then find no
    // alternative names, and refuse every certificate.
    const { subject, issuer, valid_from, valid_to }: Partial<PeerCertificate> = socket.getPeerCertificate() ?? {}
    if (valid_from === undefined || valid_to === undefined) return
    seen.certificate = {
      subject: nameOf(subject),
      issuer: nameOf(issuer),
      validFrom: isoDate(valid_from),
      validTo: isoDate(valid_to),
    }
  })
}

/** The error and its causes, outermost first. */
function* chainOf(error: unknown): Generator<object> {
  let link = error
  for (let depth = 0; depth < 8 && typeof link === 'object' && link !== null; depth++) {
    yield link
    link = 'cause' in link ? link.cause : undefined
  }
}

export function proxyErrorOf(error: unknown): ProxyError | undefined {
  for (const link of chainOf(error)) {
    if (link instanceof ProxyRefusal || link instanceof ProxyUnreached) return link
  }
  return undefined
}

function firstText(error: unknown, field: 'code' | 'reason'): string | undefined {
  for (const link of chainOf(error)) {
    const value: unknown = Reflect.get(link, field)
    if (typeof value === 'string' && !value.startsWith('ERR_GOT_')) return value
  }
  return undefined
}

/**
 * The TLS library's reason for a failed handshake, such as `unsupported protocol`. The error's code is only `EPROTO`.
 */
function tlsReason(error: unknown): string | undefined {
  for (const link of chainOf(error)) {
    const found = link instanceof Error && /SSL routines:\w*:([\w ]{1,60})/.exec(link.message)?.[1]
    if (found) return found
  }
  return undefined
}

/**
 * Turns the error of a failed exchange into data. SECURITY: the error carries the request's options with their
 * credentials, so only its code and what TLS says of a handshake or certificate are taken.
 */
export function failureOfError(error: unknown, seen: Seen, details: FailureDetails): Failure {
  const code = firstText(error, 'code') ?? 'request failed'
  const causeWith = (reason: string | undefined) => plainText(reason === undefined ? code : `${code} (${reason})`, [])
  const known: FailureDetails = {
    ...details,
    ...(seen.status !== undefined && { status: seen.status }),
    ...(seen.isSent && { sent: true }),
  }
  const proxyError = proxyErrorOf(error)
  if (proxyError instanceof ProxyRefusal) {
    const { status, reason } = proxyError
    return status === 407
      ? { code: 'proxyAuthenticationRequired', details: { ...known, status, ...(reason && { cause: reason }) } }
      : { code: 'unreachable', details: { ...known, cause: reason ?? `proxy answered ${status}` } }
  }
  if (seen.socket instanceof TLSSocket && seen.socket.authorizationError) {
    return {
      code: 'untrustedCertificate',
      details: {
        ...known,
        // The names in the certificate, if it doesn't cover this host.
        cause: causeWith(firstText(error, 'reason')),
        ...(seen.certificate && { certificate: seen.certificate }),
      },
    }
  }
  return { code: 'unreachable', details: { ...known, cause: causeWith(tlsReason(error)) } }
}

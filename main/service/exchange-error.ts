import type { Socket } from 'node:net'
import { type PeerCertificate, TLSSocket } from 'node:tls'
import type { Failure, FailureDetails } from '../../contract/failures.ts'
import { plainText } from './plain-text.ts'

export interface ExchangeTrace {
  /** True once there is a connection, because the service may have read the request from then on. */
  isSent?: true
  status?: number
  socket?: Socket
  certificate?: NonNullable<FailureDetails['certificate']>
}

export const errorWithCode = (code: string): Error => Object.assign(new Error(code), { code })

/** SECURITY: without this limit, endless 1xx responses would keep a request open. */
export const MOST_INTERIM_RESPONSES = 16

export const isCertificateError = (code: string): boolean => /^\w*(?:CERT|ISSUER|LEAF_SIGNATURE)/.test(code)

export class ProxyRefusal extends Error {
  readonly status: number
  /** The reason in a few words, without anything that was sent to the proxy. */
  readonly reason: string | undefined
  readonly wantsPassword: boolean

  constructor(status: number, { reason, wantsPassword = false }: { reason?: string; wantsPassword?: boolean } = {}) {
    super(`The proxy answered ${status}`)
    this.status = status
    this.reason = reason
    this.wantsPassword = wantsPassword
  }
}

/** A proxy didn't respond. `code` is the reason, for example `ECONNREFUSED`. */
export class ProxyUnreached extends Error {
  readonly code: string

  constructor(code: string) {
    super('The proxy could not be reached')
    this.code = code
  }
}

/** An error at a proxy, after which nothing was sent to the service. */
export type ProxyError = ProxyRefusal | ProxyUnreached

const isoDate = (text: string): string => {
  const time = Date.parse(text)
  return Number.isNaN(time) ? plainText(text, []) : new Date(time).toISOString()
}

const distinguishedName = (name: object | undefined): string =>
  plainText(
    Object.entries(name ?? {})
      .flatMap(([attribute, values]) => [values].flat().map((value) => `${attribute}=${value}`))
      .join(', '),
    [],
  )

/** Records the server's certificate. Node's own listener, which destroys an untrusted server's socket, runs later. */
export function recordCertificate(socket: TLSSocket, trace: ExchangeTrace): void {
  socket.prependOnceListener('secure', () => {
    // `getPeerX509Certificate` isn't used, because after that call, Node 20 finds no alternative names and refuses
    // every certificate.
    const { subject, issuer, valid_from, valid_to }: Partial<PeerCertificate> = socket.getPeerCertificate() ?? {}
    if (valid_from === undefined || valid_to === undefined) return
    trace.certificate = {
      subject: distinguishedName(subject),
      issuer: distinguishedName(issuer),
      validFrom: isoDate(valid_from),
      validTo: isoDate(valid_to),
    }
  })
}

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

/** Why a handshake failed, such as `unsupported protocol`. The error's own code says only `EPROTO`. */
function tlsReason(error: unknown): string | undefined {
  for (const link of chainOf(error)) {
    const found = link instanceof Error && /SSL routines:\w*:([\w ]{1,60})/.exec(link.message)?.[1]
    if (found) return found
  }
  return undefined
}

/** SECURITY: an error contains the request's credentials, so only its code is used, and what TLS says. */
export function failureOfError(error: unknown, trace: ExchangeTrace, details: FailureDetails): Failure {
  const code = firstText(error, 'code') ?? 'request failed'
  const causeWith = (reason: string | undefined) => plainText(reason === undefined ? code : `${code} (${reason})`, [])
  const known: FailureDetails = {
    ...details,
    ...(trace.status !== undefined && { status: trace.status }),
    ...(trace.isSent && { sent: true }),
  }
  const proxyError = proxyErrorOf(error)
  if (proxyError instanceof ProxyRefusal) {
    const { status, reason } = proxyError
    return status === 407
      ? { code: 'proxyAuthenticationRequired', details: { ...known, status, ...(reason && { cause: reason }) } }
      : { code: 'unreachable', details: { ...known, cause: reason ?? `proxy answered ${status}` } }
  }
  if (trace.socket instanceof TLSSocket && trace.socket.authorizationError) {
    return {
      code: 'untrustedCertificate',
      details: {
        ...known,
        // If the certificate is for other hosts, the cause contains their names.
        cause: causeWith(firstText(error, 'reason')),
        ...(trace.certificate && { certificate: trace.certificate }),
      },
    }
  }
  return { code: 'unreachable', details: { ...known, cause: causeWith(tlsReason(error)) } }
}

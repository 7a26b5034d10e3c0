import type { ServerResponse } from 'node:http'
import { assertNever } from '../../contract/assert-never.ts'
import type { IssuerKind } from '../../contract/grants.ts'
import { enKeychain } from '../../text/en/keychain.ts'
import { systemOf } from '../../text/system.ts'
import type { Clock } from '../base/clock.ts'
import type { NoTokenReason, TokenResult, WaitingIn } from './token-source.ts'

export type ReplyForm = 'json' | 'text'

/** Each error's status and usual message. The messages are ASCII, so that any terminal can show them. */
export const ERRORS = {
  malformed_request: [400, 'This is not a request in HTTP/1.1.'],
  invalid_parameter: [400, 'This path does not accept one of the parameters.'],
  invalid_body: [400, 'The body must be a JSON object with one member: token, the token that was rejected.'],
  signed_out: [401, 'You are not signed in. Open Latchkey and sign in.'],
  forbidden: [403, "Only this user's tools can use the agent."],
  not_found: [404, 'There is nothing at this path.'],
  unknown_connection: [404, 'There is no connection with this name.'],
  method_not_allowed: [405, 'This path does not support this method.'],
  recovery_code: [409, 'Nothing has changed, because a new recovery code would be lost.'],
  request_timeout: [408, 'The request took too long to arrive.'],
  too_short: [412, 'The access token is valid for less time than requested.'],
  request_too_large: [413, 'The body is larger than 512 KiB.'],
  unsupported_media_type: [415, 'The body must be application/json.'],
  headers_too_large: [431, 'The request is larger than 16 KiB.'],
  turned_off: [503, 'Turned off in Settings > This computer: tools get no access token.'],
  unavailable: [503, "Latchkey can't get a token right now and keeps trying. Its window shows why."],
  stopping: [503, 'Latchkey is quitting, or its agent was turned off. Start Latchkey and try again.'],
  too_many_connections: [503, 'Too many tools are connected. Try again in a moment.'],
  too_many_listeners: [503, 'Too many tools listen for events. Try again later, or request /v1/token instead.'],
} as const satisfies Record<string, readonly [number, string]>
export type ErrorCode = keyof typeof ERRORS

export interface Reply {
  readonly status: number
  /** Names and values alternate. */
  readonly headers: readonly string[]
  readonly body: string
}

interface ErrorOptions {
  readonly message?: string
  /** In seconds. */
  readonly retryAfter?: number
  readonly allow?: string
  readonly close?: boolean
}

export const CONTENT_TYPES: Record<ReplyForm, string> = { json: 'application/json', text: 'text/plain; charset=utf-8' }
/** SECURITY: nobody may cache a reply. */
export const NO_STORE = ['Cache-Control', 'no-store'] as const

export function replyOf(status: number, form: ReplyForm, body: string, more: readonly string[] = []): Reply {
  const length = String(Buffer.byteLength(body))
  return {
    status,
    headers: ['Content-Type', CONTENT_TYPES[form], 'Content-Length', length, ...NO_STORE, ...more],
    body,
  }
}

/** An error as JSON, `{"error": "code", "message": "sentence"}`, or as text, with only the sentence. */
export function errorReply(code: ErrorCode, form: ReplyForm, options: ErrorOptions = {}): Reply {
  const [status, standard] = ERRORS[code]
  const { message = standard, retryAfter, allow, close = false } = options
  const more = [
    ...(retryAfter === undefined ? [] : ['Retry-After', String(retryAfter)]),
    ...(allow === undefined ? [] : ['Allow', allow]),
    ...(close ? ['Connection', 'close'] : []),
  ]
  return replyOf(status, form, form === 'text' ? message : JSON.stringify({ error: code, message }), more)
}

export type TurnedOff = 'user' | 'administrator'

const TURNED_OFF: Readonly<Record<TurnedOff, string>> = {
  user: ERRORS.turned_off[1],
  administrator: 'Turned off by your administrator: tools get no access token.',
}

/** @param status a sentence about the session, which goes on while the agent is off */
export const turnedOffReply = (by: TurnedOff, form: ReplyForm, status?: string): Reply => {
  const message = status === undefined ? TURNED_OFF[by] : `${TURNED_OFF[by]} ${status}`
  return errorReply('turned_off', form, { message, retryAfter: 60, close: true })
}

export function sendReply(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, headers as string[])
  response.end(body)
}

export function rawReply({ status, headers, body }: Reply): string {
  const lines = headers.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`))
  return `HTTP/1.1 ${status} ${REASONS[status] ?? 'Error'}\r\n${lines.join('')}\r\n${body}`
}

const REASONS: Record<number, string> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Content Too Large',
  431: 'Request Header Fields Too Large',
}

type HandedOutToken = Extract<TokenResult, { kind: 'token' }>

interface TokenRepliesPorts {
  readonly clock: Pick<Clock, 'now' | 'wall'>
  readonly origin: () => string | undefined
  /** Absent for the default connection. */
  readonly at?: string | undefined
}

const STOPPED_SECONDS = 10
const WAIT_AGAIN_SECONDS = 60

export class TokenReplies {
  readonly #ports: TokenRepliesPorts

  constructor(ports: TokenRepliesPorts) {
    this.#ports = ports
  }

  /** A token is sent in `format`, an error in `form`. */
  of(answer: TokenResult, form: ReplyForm, format: TokenFormat = form): Reply {
    switch (answer.kind) {
      case 'token':
        return this.#replyWith(answer, format)
      case 'signedOut':
        return errorReply('signed_out', form, { message: notSignedIn(this.#ports.at, answer.waitingIn) })
      case 'tooShort': {
        const [left, wanted] = [answer.left, answer.minValidity].map((time) => Math.floor(time / 1_000))
        const message = `The access token is valid for only ${left} s, less than the requested ${wanted} s.`
        return errorReply('too_short', form, { message })
      }
      case 'removed':
        return errorReply('unknown_connection', form, { close: true })
      case 'tooManyWaiting':
        return errorReply('too_many_connections', form, { message: TOO_MANY, retryAfter: WAIT_AGAIN_SECONDS })
      case 'stopping':
        return errorReply('stopping', form, { retryAfter: STOPPED_SECONDS, close: true })
      case 'rejectedTooSoon':
        return this.#unavailable(TOO_SOON, answer.retryAt, form)
      case 'unavailable':
        return this.#unavailable(sentenceOf(answer.reason, answer.issuer), answer.retryAt, form)
    }
  }

  #unavailable(message: string, retryAt: number, form: ReplyForm): Reply {
    const retryAfter = Math.max(1, Math.ceil((retryAt - this.#ports.clock.now()) / 1_000))
    return errorReply('unavailable', form, { message, retryAfter })
  }

  #replyWith({ token: { accessToken, expiresAt: end }, account }: HandedOutToken, format: TokenFormat): Reply {
    const { clock, origin } = this.#ports
    const left = end - clock.now()
    const facts = {
      token: accessToken.reveal(),
      expiresAt: Math.floor((left + clock.wall()) / 1_000),
      expiresIn: Math.max(0, Math.floor(left / 1_000)),
      account,
      origin: origin(),
    }
    return replyOf(200, formOfFormat(format), tokenBody(format, facts))
  }
}

function notSignedIn(at: string | undefined, waitingIn: WaitingIn | undefined): string {
  const to = at === undefined ? '' : ` to ${at}`
  if (waitingIn === undefined) return `You are not signed in${to}. Open Latchkey and sign in.`
  return `You are not signed in${to} yet. Finish the sign-in in ${waitingIn === 'browser' ? 'your browser' : "Latchkey's window"}.`
}

const TOO_MANY = 'Too many tools are waiting for a sign-in. Sign in, or try again later.'
const TOO_SOON = 'The remote machine rejects new tokens faster than Latchkey renews them for it. Try again later.'
const BY_WINDOW = ERRORS.unavailable[1]

function sentenceOf(reason: NoTokenReason, issuer: IssuerKind = 'service'): string {
  const says = SENTENCES[reason]
  return typeof says === 'string' ? says : says(NAMES[issuer])
}

const keychain = enKeychain(systemOf(process.platform))
export const KEYCHAIN_SILENT = `${keychain.Your} is not responding. Latchkey continues as soon as it does.`

const NAMES: Record<IssuerKind, readonly [string, string]> = {
  service: ['the service', 'The service'],
  identityProvider: ['your identity provider', 'Your identity provider'],
}

/** `name` is the issuer's name within a sentence and at its start. */
const SENTENCES: Record<NoTokenReason, string | ((name: readonly [string, string]) => string)> = {
  unreachable: ([it]) => `Latchkey can't reach ${it}. Check your network or VPN; Latchkey keeps trying.`,
  unavailable: ([, It]) => `${It} isn't responding as it should. Latchkey keeps trying; its window shows why.`,
  rateLimited: ([, It]) => `${It} asked Latchkey to wait. Try again later.`,
  untrustedCertificate: ([it]) => `Latchkey doesn't trust the certificate of ${it}. Its window shows the details.`,
  proxyAuthenticationRequired: "Your network's proxy requires you to sign in. Sign in to it in Latchkey.",
  malformedResponse: ([it]) => `Latchkey doesn't understand the response of ${it}. Its window shows the details.`,
  keychainUnavailable:
    process.platform === 'win32'
      ? KEYCHAIN_SILENT
      : `${keychain.Your} is locked or not responding. Unlock it, and Latchkey continues.`,
  interactionRequired: ([, It]) => `${It} requires an additional step. Open Latchkey.`,
  rejected: BY_WINDOW,
  sessionEnded: BY_WINDOW,
  passwordRefused: BY_WINDOW,
  notConfigured: BY_WINDOW,
  invalidInput: BY_WINDOW,
  notConfirmed: BY_WINDOW,
  settingsUnwritable: BY_WINDOW,
}

export const TOKEN_FORMATS = ['text', 'json', 'oauth', 'headers', 'kubernetes'] as const
export type TokenFormat = (typeof TOKEN_FORMATS)[number]

export const isTokenFormat = (text: string): text is TokenFormat => (TOKEN_FORMATS as readonly string[]).includes(text)

interface TokenFacts {
  readonly token: string
  /** In seconds since the epoch. */
  readonly expiresAt: number
  /** In seconds. */
  readonly expiresIn: number
  readonly account: string
  readonly origin?: string | undefined
}

/** The body of a reply with a token, which is one line in every format. */
export function tokenBody(format: TokenFormat, facts: TokenFacts): string {
  const { token, expiresAt, expiresIn, account, origin } = facts
  switch (format) {
    case 'text':
      return token
    case 'json':
      return JSON.stringify({ token, expiresAt, account, origin })
    // `databricks auth token` prints the fields of RFC 6749 section 5.1, and `expiry` as in golang.org/x/oauth2.
    case 'oauth':
      return JSON.stringify({
        access_token: token,
        token_type: 'Bearer',
        expires_in: expiresIn,
        expiry: rfc3339(expiresAt),
      })
    // This is what MCP clients expect from a `headersHelper`.
    case 'headers':
      return JSON.stringify({ Authorization: `Bearer ${token}` })
    // This is what Kubernetes clients expect: an ExecCredential of client.authentication.k8s.io/v1.
    case 'kubernetes':
      return JSON.stringify({
        kind: 'ExecCredential',
        apiVersion: 'client.authentication.k8s.io/v1',
        spec: { interactive: false },
        status: { expirationTimestamp: rfc3339(expiresAt), token },
      })
    default:
      return assertNever(format)
  }
}

const formOfFormat = (format: TokenFormat): ReplyForm => (format === 'text' ? 'text' : 'json')
const rfc3339 = (seconds: number): string => new Date(seconds * 1_000).toISOString().replace('.000', '')

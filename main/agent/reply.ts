/** The agent's HTTP replies. */
import type { ServerResponse } from 'node:http'

/** The form of a reply: JSON, or plain text for `Accept: text/plain`. */
export type Form = 'json' | 'text'

/**
 * Every error: its code, its status and its default message. The messages are ASCII, so that any terminal can show
 * them.
 */
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
  /** The headers, with alternating names and values. */
  readonly headers: readonly string[]
  readonly body: string
}

interface ErrorOptions {
  readonly message?: string
  /** Seconds. */
  readonly retryAfter?: number
  readonly allow?: string
  /** True if the agent closes the connection after the reply and doesn't read the rest of the request. */
  readonly close?: boolean
}

export const TYPES: Record<Form, string> = { json: 'application/json', text: 'text/plain; charset=utf-8' }

/** SECURITY: no proxy or client may cache an answer. */
export const NO_STORE = ['Cache-Control', 'no-store'] as const

export function replyOf(status: number, form: Form, body: string, more: readonly string[] = []): Reply {
  const length = String(Buffer.byteLength(body))
  return { status, headers: ['Content-Type', TYPES[form], 'Content-Length', length, ...NO_STORE, ...more], body }
}

/** An error as JSON, `{"error": "code", "message": "sentence"}`, or as text, with only the sentence. */
export function errorReply(code: ErrorCode, form: Form, options: ErrorOptions = {}): Reply {
  const [status, standard] = ERRORS[code]
  const { message = standard, retryAfter, allow, close = false } = options
  const more = [
    ...(retryAfter === undefined ? [] : ['Retry-After', String(retryAfter)]),
    ...(allow === undefined ? [] : ['Allow', allow]),
    ...(close ? ['Connection', 'close'] : []),
  ]
  return replyOf(status, form, form === 'text' ? message : JSON.stringify({ error: code, message }), more)
}

export function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, headers as string[])
  response.end(body)
}

/** The reply as raw text, for a connection on which no request could be read. */
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

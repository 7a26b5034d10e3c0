import type { IncomingHttpHeaders } from 'node:http'
import * as v from 'valibot'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Called when the answer has been sent completely, unless an injected fault has spoiled it. */
  readonly delivered?: () => void
}

export interface Call {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** The query, without the question mark. */
  readonly query: string
  /** `undefined` if the body isn't JSON in UTF-8. */
  readonly json: unknown
}

/** Ends the request with this answer. */
export class Refusal extends Error {
  readonly answer: Answer

  constructor(answer: Answer) {
    super()
    this.answer = answer
  }
}

export type Refuse = (status: number, error: string, text: string, headers?: Record<string, string>) => never

export const json = (status: number, value: unknown, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(value),
})

/** The headers of an answer with tokens (RFC 6749 section 5.1). */
export const NO_STORE = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }

export const nonEmpty = v.pipe(v.string(), v.nonEmpty())

/** `error_description` is the identity provider's (RFC 6749 section 5.2), `message` the service's. */
export const refuseWith =
  (textField: 'message' | 'error_description'): Refuse =>
  (status, error, text, headers) => {
    throw new Refusal(json(status, { error, [textField]: text }, headers))
  }

/** A refusal doesn't repeat the sender's values. */
export function parseBody<S extends v.GenericSchema>(call: Call, schema: S, refuse: Refuse): v.InferOutput<S> {
  if (!/^application\/json *(; *charset="?utf-8"? *)?$/i.test(call.headers['content-type'] ?? '')) {
    refuse(415, 'unsupported_media_type', 'The content type must be application/json.')
  }
  const result = v.safeParse(schema, call.json)
  if (result.success) return result.output
  const field = v.getDotPath(result.issues[0]) ?? ''
  return refuse(400, 'invalid_request', `The body is no JSON object, or a field is wrong or not known here: ${field}`)
}

export function refuseAuthorization(call: Call, refuse: Refuse): void {
  if (call.headers.authorization === undefined) return
  refuse(400, 'invalid_request', 'No Authorization header is sent with this request.')
}

import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Answer } from './answer.ts'

/** Whether the service carries out the request although the client gets no proper answer. */
export type Work = 'done' | 'undone'

/** What can go wrong with the connection or the answer, for any operation. */
export type WireFault =
  /** The connection is reset (TCP RST). With `done`, the request is carried out and its answer is lost. */
  | { readonly kind: 'reset'; readonly work: Work }
  /** There is no answer until the client gives up or the server stops. By default, the request is not carried out. */
  | { readonly kind: 'hang'; readonly work?: Work }
  /** The head comes at once, the body in ten pieces over `ms` milliseconds. The request is carried out. */
  | { readonly kind: 'slow'; readonly ms: number }
  /**
   * The answer has this status, and as its body either a short text of this type (default: json) or `content`. By
   * default, the request is not carried out.
   */
  | {
      readonly kind: 'status'
      readonly status: number
      readonly type?: 'json' | 'html' | 'text' | 'empty'
      readonly content?: string
      readonly headers?: Readonly<Record<string, string>>
      readonly work?: Work
    }
  /**
   * The answer is a redirect. After 307, the default, clients repeat the method and the body. The request is not
   * carried out.
   */
  | { readonly kind: 'redirect'; readonly location: string; readonly status?: 301 | 302 | 303 | 307 | 308 }
  /** The answer is cut in the middle, so it isn't JSON. The request is carried out. */
  | { readonly kind: 'garbageJson' }
  /** These fields are missing from the answer; by default all. The request is carried out. */
  | { readonly kind: 'missingFields'; readonly fields?: readonly string[] }
  /** The answer is padded with `bytes` bytes (default 64 MB), and still valid JSON. The request is carried out. */
  | { readonly kind: 'huge'; readonly bytes?: number }

/** The connection of a request: a fault can write its own answer to it, or reset it. */
export interface Wire {
  readonly response: ServerResponse
  readonly reset: () => void
}

export interface Effect {
  readonly work: Work
  /** True if the client gets no usable answer. The client may then send the same refresh token again. */
  readonly spoils?: boolean
  readonly answer?: (answer: Answer) => Answer
  readonly send?: (wire: Wire, answer: Answer) => void
}

const MEDIA = {
  json: { type: 'application/json', content: '{"error":"fault","message":"An injected fault."}' },
  html: { type: 'text/html; charset=utf-8', content: '<!doctype html><title>Fault</title><h1>An injected fault</h1>' },
  text: { type: 'text/plain; charset=utf-8', content: 'An injected fault.' },
  empty: { type: undefined, content: '' },
} as const

const EFFECTS: { readonly [K in WireFault['kind']]: (fault: Extract<WireFault, { kind: K }>) => Effect } = {
  reset: ({ work }) => ({ work, spoils: true, send: ({ reset }) => reset() }),
  hang: ({ work = 'undone' }) => ({ work, spoils: true, send: () => undefined }),
  slow: ({ ms }) => ({ work: 'done', send: ({ response }, answer) => dribble(response, answer, ms) }),
  status: ({ status, type = 'json', content = MEDIA[type].content, headers, work = 'undone' }) => ({
    work,
    spoils: true,
    answer: ({ headers: { Date: date = '' } }) => ({
      status,
      headers: { Date: date, ...(MEDIA[type].type && { 'Content-Type': MEDIA[type].type }), ...headers },
      body: content,
    }),
  }),
  redirect: ({ location, status = 307 }) => ({
    work: 'undone',
    spoils: true,
    answer: ({ headers: { Date: date = '' } }) => ({ status, headers: { Date: date, Location: location }, body: '' }),
  }),
  garbageJson: () => spoilt((body) => body.slice(0, Math.ceil(body.length / 2))),
  missingFields: ({ fields }) =>
    spoilt(eachField((value, name) => (fields === undefined || fields.includes(name) ? undefined : value))),
  huge: ({ bytes = 64 * 1024 * 1024 }) => ({
    work: 'done',
    spoils: true,
    send: ({ response }, answer) => pad(response, answer, bytes),
  }),
}

const PIECES = 10
const NO_EFFECT: Effect = { work: 'done' }

export const effectOf = (fault: WireFault | undefined): Effect =>
  fault === undefined ? NO_EFFECT : (EFFECTS[fault.kind] as (fault: WireFault) => Effect)(fault)

/** The faults that the next requests get, in the order in which they were injected. */
export class FaultQueue<Operation extends string> {
  readonly #waiting: { readonly operation: Operation; readonly fault: WireFault; left: number }[] = []

  /** The next `times` requests (default 1) of the operation get this fault. Returns a function that removes it. */
  inject(operation: Operation, fault: WireFault, { times = 1 }: { times?: number } = {}): () => void {
    const entry = { operation, fault, left: times }
    this.#waiting.push(entry)
    return () => {
      entry.left = 0
    }
  }

  take(operation: Operation): WireFault | undefined {
    const entry = this.#waiting.find((each) => each.operation === operation && each.left > 0)
    if (entry) entry.left -= 1
    return entry?.fault
  }

  clear(): void {
    this.#waiting.length = 0
  }
}

const spoilt = (alter: (body: string) => string): Effect => ({
  work: 'done',
  spoils: true,
  answer: (answer) => ({ ...answer, body: alter(answer.body) }),
})

const eachField = (alter: (value: unknown, name: string) => unknown) => (body: string) =>
  JSON.stringify(
    Object.fromEntries(Object.entries(JSON.parse(body)).map(([name, value]) => [name, alter(value, name)])),
  )

/** Node adds `Content-Length` or `Transfer-Encoding` when it sends the body. */
export function setHead(response: ServerResponse, { status, headers }: Answer): ServerResponse {
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  return response
}

function dribble(response: ServerResponse, answer: Answer, ms: number): void {
  const bytes = Buffer.from(answer.body)
  const end = (piece: number) => Math.floor((piece * bytes.length) / PIECES)
  let piece = 0
  setHead(response, answer).setHeader('Content-Length', bytes.length).flushHeaders()
  const timer = setInterval(() => {
    response.write(bytes.subarray(end(piece), end(piece + 1)))
    piece += 1
    if (piece < PIECES) return
    clearInterval(timer)
    response.end()
  }, ms / PIECES)
  response.once('close', () => clearInterval(timer))
}

function pad(response: ServerResponse, answer: Answer, bytes: number): void {
  const { body } = answer
  const chunk = Buffer.alloc(64 * 1024, 'x')
  function* padded() {
    yield `${body.slice(0, -1)}${body === '{}' ? '' : ','}"padding":"`
    for (let left = bytes; left > 0; left -= chunk.length) yield chunk.subarray(0, left)
    yield '"}'
  }
  setHead(response, answer)
  // Errors are ignored, because tests use this fault for clients that hang up before the end.
  pipeline(Readable.from(padded()), response).catch(() => undefined)
}

import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from './answer.ts'

const PIECES = 10

/** Whether the service carries out the request although the client gets no proper answer. */
type Work = 'done' | 'undone'

export type WireFault =
  /** The connection is reset (TCP RST). With `done`, the request is carried out and its answer is lost. */
  | { readonly kind: 'reset'; readonly work: Work }
  /** There is no answer until the client gives up or the server stops. By default, the request is not carried out. */
  | { readonly kind: 'hang'; readonly work?: Work }
  /** The head comes at once, the body in ten pieces over `ms` milliseconds. The request is carried out. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** The body is a short text of this type (default: json) or `content`. By default, the work is not carried out. */
  | {
      readonly kind: 'status'
      readonly status: number
      readonly type?: 'json' | 'html' | 'text' | 'empty'
      readonly content?: string
      readonly headers?: Readonly<Record<string, string>>
      readonly work?: Work
    }
  /** The answer is cut in the middle, so it isn't JSON. The request is carried out. */
  | { readonly kind: 'garbageJson' }
  /** These fields are missing from the answer; by default all. The request is carried out. */
  | { readonly kind: 'missingFields'; readonly fields?: readonly string[] }
  /** The answer is padded with 64 MB, and still valid JSON. The request is carried out. */
  | { readonly kind: 'huge' }

interface Effect {
  readonly work: Work
  /** True if the client gets no usable answer. The client may then send the same refresh token again. */
  readonly spoils?: boolean
  readonly answer?: (answer: Answer) => Answer
  readonly send?: (connection: { readonly response: ServerResponse; reset(): void }, answer: Answer) => void
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
  garbageJson: () => spoilt((body) => body.slice(0, Math.ceil(body.length / 2))),
  missingFields: ({ fields }) =>
    spoilt((body) => {
      const kept = Object.entries(JSON.parse(body)).filter(([name]) => fields && !fields.includes(name))
      return JSON.stringify(Object.fromEntries(kept))
    }),
  huge: () => ({ work: 'done', spoils: true, send: ({ response }, answer) => pad(response, answer) }),
}

export const effectOf = (fault: WireFault | undefined): Effect =>
  fault === undefined ? { work: 'done' } : (EFFECTS[fault.kind] as (fault: WireFault) => Effect)(fault)

const spoilt = (alter: (body: string) => string): Effect => ({
  work: 'done',
  spoils: true,
  answer: (answer) => ({ ...answer, body: alter(answer.body) }),
})

/** Node adds `Content-Length` or `Transfer-Encoding` when it sends the body. */
export function setHead(response: ServerResponse, { status, headers }: Answer): ServerResponse {
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  return response
}

async function dribble(response: ServerResponse, answer: Answer, ms: number): Promise<void> {
  const bytes = Buffer.from(answer.body)
  const end = (piece: number) => Math.floor((piece * bytes.length) / PIECES)
  setHead(response, answer).setHeader('Content-Length', bytes.length).flushHeaders()
  for (let piece = 0; piece < PIECES; piece++) {
    await sleep(ms / PIECES)
    response.write(bytes.subarray(end(piece), end(piece + 1)))
  }
  response.end()
}

function pad(response: ServerResponse, answer: Answer): void {
  const { body } = answer
  const mebibyte = 'x'.repeat(1024 * 1024)
  function* padded() {
    yield `${body.slice(0, -1)}${body === '{}' ? '' : ','}"padding":"`
    for (let n = 0; n < 64; n++) yield mebibyte
    yield '"}'
  }
  setHead(response, answer)
  // Errors are ignored, because tests use this fault for clients that hang up before the end.
  pipeline(Readable.from(padded()), response).catch(() => undefined)
}

import { Readable } from 'node:stream'
import type { FetchLike } from '@modelcontextprotocol/client'
import type { Clock } from '../base/clock.ts'
import { displayText } from '../base/display-text.ts'
import type { AccessToken } from '../base/secret.ts'
import { unlessAborted } from '../base/waits.ts'
import type { StreamingClient } from '../service/http-client.ts'
import { boundedEvents, LONGEST_MESSAGE, MessageTooLong } from './lines.ts'

/** An error whose message is for the user of the MCP client. */
export class McpError extends Error {}

/** This header carries the key of a message from the bridge to `onStream`. It is never sent to the server. */
export const KEY_HEADER = 'x-latchkey-key'

interface FetchPorts {
  readonly http: StreamingClient
  readonly clock: Pick<Clock, 'now' | 'at'>
  /** Rejects with `McpError` if there is no token. */
  readonly token: (signal: AbortSignal) => Promise<AccessToken>
  readonly renewed: (rejected: AccessToken, signal: AbortSignal) => Promise<AccessToken>
  /** Throws `McpError` if the settings don't allow sending the token to this address. */
  readonly check: (url: URL) => void
  /** Called with the message's key if the answer is a stream of events. */
  readonly onStream: (key: string) => void
}

const LONGEST_REASON = 200
/** The least time between two requests for a stream, because a server could end each stream at once. */
const STREAM_GAP_MS = 100

/** For the SDK: uses the app's own HTTP client, with its proxies, certificates and access token. */
export function createFetch({ http, clock, token, renewed, check, onStream }: FetchPorts): FetchLike {
  let nextStream = 0
  return async (input, init = {}) => {
    const url = new URL(input)
    const { [KEY_HEADER]: key, ...headers } = Object.fromEntries(new Headers(init.headers))
    const signal = init.signal ?? new AbortController().signal
    const method = init.method === 'POST' || init.method === 'DELETE' ? init.method : 'GET'
    const body = typeof init.body === 'string' ? init.body : undefined
    const ask = async (accessToken: AccessToken) => {
      check(url)
      const request = { operation: 'mcp', method, url, headers, body, signal } as const
      const outcome = await http.open({ ...request, authorization: { kind: 'bearer', token: accessToken } })
      signal.throwIfAborted()
      if (outcome.ok) return outcome.value
      const { cause = outcome.failure.code } = outcome.failure.details ?? {}
      throw new McpError(`The MCP server at ${url.host} can't be reached (${displayText(cause, LONGEST_REASON)}).`)
    }
    if (method === 'GET') {
      const now = clock.now()
      const at = Math.max(now, nextStream)
      nextStream = at + STREAM_GAP_MS
      if (at > now) await unlessAborted<void>(signal, (resolve) => clock.at(at, resolve))
    }
    const first = await token(signal)
    let answer = await ask(first)
    if (answer.status === 401 && !isPage(answer.headers['content-type'])) {
      answer.body.destroy()
      answer = await ask(await renewed(first, signal))
    }
    const { status, headers: given } = answer
    const type = given['content-type']
    // A web page comes from a captive portal or a company's proxy, and not from the server.
    if (isPage(type)) {
      answer.body.destroy()
      throw new McpError(`${url.host} answered with a web page. Sign in to the network, or check the address.`)
    }
    // SECURITY: the id becomes a header of each later request.
    if (!/^[!-~]{0,1024}$/.test(String(given['mcp-session-id'] ?? ''))) {
      answer.body.destroy()
      throw new McpError(`The MCP server at ${url.host} gave its session an id that isn't allowed.`)
    }
    const isStream = /^text\/event-stream\b/i.test(type ?? '')
    if (isStream && key !== undefined) onStream(key)
    const isEmpty = status === 204 || status === 205 || status === 304
    if (isEmpty) answer.body.resume()
    const content = Readable.from(isStream ? boundedEvents(guarded(answer.body)) : bounded(guarded(answer.body)))
    return new Response(isEmpty ? null : (Readable.toWeb(content) as ReadableStream), {
      status,
      headers: Object.entries(given).flatMap(([name, value]) =>
        ['content-type', 'mcp-session-id', 'location', 'retry-after'].includes(name) && typeof value === 'string'
          ? [[name, value] as [string, string]]
          : [],
      ),
    })
  }
}

const isPage = (type = ''): boolean => /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(type)

/** SECURITY: the HTTP client's errors contain the request's credentials. */
async function* guarded(body: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch {
    throw new McpError('The connection to the MCP server was interrupted.')
  }
}

async function* bounded(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > LONGEST_MESSAGE) throw new MessageTooLong()
    yield chunk
  }
}

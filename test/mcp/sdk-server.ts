import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import {
  type CallToolResult,
  type EventStore,
  type JSONRPCMessage,
  Server,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { httpServer } from '../support/local-servers.ts'

const textResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] })

type Tool = (
  args: Record<string, unknown>,
  context: ServerContext,
  progressToken: string | number,
) => Promise<CallToolResult>

const toolsOf = (cancelled: unknown[]): Record<string, Tool> => ({
  echo: async ({ text }) => textResult(String(text)),
  big: async ({ bytes }) => textResult('x'.repeat(Number(bytes))),
  roots: async (_, { mcpReq }) => textResult(JSON.stringify(await mcpReq.send({ method: 'roots/list' }))),
  progress: async (_, { mcpReq }, progressToken) => {
    for (const progress of [1, 2, 3]) {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 3 } })
      // The SDK's client drops a notification that comes along with the response, so the response comes later.
      await mcpReq.send({ method: 'roots/list' })
    }
    return textResult('done')
  },
  forever: (_, { mcpReq }) =>
    new Promise((_resolve, reject) => {
      mcpReq.signal.addEventListener('abort', () => {
        cancelled.push(mcpReq.id)
        reject(new Error('cancelled'))
      })
    }),
  /** Closes the stream halfway, so that the client must come back for the result. */
  resumed: async (_, { http }) => {
    http?.closeSSE?.()
    await new Promise((resolve) => setTimeout(resolve, 100))
    return textResult('resumed')
  },
})

class Events implements EventStore {
  readonly #events: { readonly id: string; readonly stream: string; readonly message: JSONRPCMessage }[] = []

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const id = String(this.#events.length)
    this.#events.push({ id, stream, message })
    return id
  }

  async replayEventsAfter(
    last: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const stream = this.#events.find(({ id }) => id === last)?.stream ?? ''
    const later = this.#events.filter((each) => each.stream === stream && Number(each.id) > Number(last))
    for (const { id, message } of later) await send(id, message)
    return stream
  }
}

export type SdkServer = Awaited<ReturnType<typeof startSdkServer>>

export async function startSdkServer(accepts: (token: string | undefined) => boolean, enableJsonResponse = false) {
  const sessions = new Map<string, Awaited<ReturnType<typeof open>>>()
  /** Each request's method, with the JSON-RPC method in its body. */
  const requests: string[] = []
  const cancelled: unknown[] = []
  const lastEventIds: unknown[] = []
  const refused = { count: 0 }
  const tools = toolsOf(cancelled)
  const open = async (): Promise<{ server: Server; transport: WebStandardStreamableHTTPServerTransport }> => {
    const server = new Server({ name: 'tables', version: '1.0.0' }, { capabilities: { tools: { listChanged: true } } })
    server.setRequestHandler('tools/list', () => ({
      tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' as const } })),
    }))
    server.setRequestHandler('tools/call', ({ params: { name, arguments: args = {}, _meta } }, context) => {
      const tool = tools[name]
      if (tool === undefined) throw new Error(`There is no tool ${name}`)
      return tool(args, context, _meta?.progressToken ?? '')
    })
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse,
      eventStore: new Events(),
      retryInterval: 20,
      maxRequestBodySize: 20_000_000,
      onsessioninitialized: (id) => void sessions.set(id, { server, transport }),
      onsessionclosed: (id) => void sessions.delete(id),
    })
    await server.connect(transport)
    return { server, transport }
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request)
    if (!accepts(request.headers.authorization?.replace(/^Bearer /, ''))) {
      refused.count++
      const challenge = 'Bearer resource_metadata="http://127.0.0.1:1/.well-known/oauth-protected-resource"'
      response.writeHead(401, { 'WWW-Authenticate': challenge }).end('{"error":"invalid_token"}')
      return
    }
    const said = body.length === 0 ? undefined : (JSON.parse(body.toString()) as { readonly method?: string })
    requests.push([request.method, said?.method].filter(Boolean).join(' '))
    if (request.headers['last-event-id'] !== undefined) lastEventIds.push(request.headers['last-event-id'])
    const id = request.headers['mcp-session-id']
    const session = typeof id === 'string' ? sessions.get(id) : await open()
    if (session === undefined) {
      response.writeHead(404).end('{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}')
      return
    }
    const closing = new AbortController()
    response.once('close', () => closing.abort())
    const {
      status,
      headers,
      body: content,
    } = await session.transport.handleRequest(
      new Request(`http://127.0.0.1${request.url}`, {
        method: request.method ?? 'GET',
        headers: Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string]),
        ...(body.length > 0 && { body }),
        signal: closing.signal,
      }),
    )
    response.writeHead(status, Object.fromEntries(headers))
    response.flushHeaders()
    if (content === null) response.end()
    else await pipeline(Readable.fromWeb(content as never), response)
  }
  const { port, stop } = await httpServer((...exchange) => void answer(...exchange).catch(() => exchange[1].destroy()))
  return { url: `http://127.0.0.1:${port}/mcp`, sessions, requests, cancelled, lastEventIds, refused, stop }
}

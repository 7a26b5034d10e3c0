import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clients } from './clients.ts'
import type { ConnectionEndpoints } from './connection-endpoints.ts'
import type { McpRequest } from './parse-request.ts'
import { ERRORS, type ErrorCode, type ReplyForm, replyOf, sendReply } from './replies.ts'
import type { AskResult } from './token-source.ts'
import { type ToolId, throughMcp } from './tools.ts'

export interface McpBridges {
  open(connection: string, url: string | undefined, client: BridgeClient): { readonly id: string } | McpRefusal
  receive(id: string, response: ServerResponse): boolean
  send(id: string, request: IncomingMessage, response: ServerResponse): boolean
  /** Why the bridge ended; `undefined` if its client ended it. */
  whyEnded(id: string): McpRefusal | undefined
}

export interface BridgeClient {
  /** Called when the bridge has asked for a token. `name` is what the client calls itself. */
  readonly onAsked: (name: string | undefined, result: AskResult) => void
  readonly onEnd: () => void
}

export interface McpRefusal {
  readonly error: ErrorCode
  readonly message: string
}

const NO_BRIDGE: McpRefusal = { error: 'not_found', message: 'There is no bridge with this id.' }

interface McpPorts {
  /** Absent for remote machines. */
  readonly bridges?: McpBridges | undefined
  readonly clients: Pick<Clients, 'stream'>
  readonly endpoints: Pick<ConnectionEndpoints, 'isOn' | 'of' | 'names'>
}

interface Asked {
  readonly asked: McpRequest
  readonly form: ReplyForm
  /** How the list of tools names the client until the client has named itself. */
  readonly caller: ToolId
  readonly refuse: (code: ErrorCode, message?: string) => void
}

/** MCP clients get data and no token, so their requests work even while the agent is turned off. */
export function answerMcp(
  { bridges, clients, endpoints }: McpPorts,
  request: IncomingMessage,
  response: ServerResponse,
  { asked, form, caller, refuse }: Asked,
): void {
  if (bridges === undefined) {
    refuse('forbidden', 'MCP clients on a remote machine get no bridge. Run latchkey mcp on the desktop.')
  } else if (asked.path === '/v1/mcp') {
    const opened = endpoints.names.includes(asked.connection)
      ? bridges.open(asked.connection, asked.url, listedClient(endpoints, asked.connection, caller))
      : { error: 'unknown_connection' as const, message: ERRORS.unknown_connection[1] }
    if ('id' in opened) sendReply(response, replyOf(200, form, opened.id))
    else refuse(opened.error, opened.message)
  } else {
    clients.stream(request.socket)
    // The client may send nothing for hours, so this connection has no idle timeout.
    request.socket.setTimeout(0)
    const isAttached =
      asked.path === '/v1/mcp/send'
        ? bridges.send(asked.bridge, request, response)
        : bridges.receive(asked.bridge, response)
    if (isAttached) return
    const { error, message } = bridges.whyEnded(asked.bridge) ?? NO_BRIDGE
    refuse(error, message)
  }
}

/** Returns callbacks that list an MCP client among the tools while its bridge is open. */
function listedClient(endpoints: McpPorts['endpoints'], connection: string, caller: ToolId): BridgeClient {
  let listed: string | undefined
  let stopListening = () => {}
  return {
    onAsked: (name, result) => {
      const endpoint = endpoints.of(connection)
      const tool = throughMcp(name) ?? caller
      if (result === 'signedOut') endpoint?.onSignedOut(tool)
      else if (endpoint !== undefined && endpoints.isOn) {
        endpoint.onHandOut(tool)
        if (listed === tool.userAgent) return
        listed = tool.userAgent
        stopListening()
        stopListening = endpoint.onListen(tool)
      }
    },
    onEnd: () => stopListening(),
  }
}

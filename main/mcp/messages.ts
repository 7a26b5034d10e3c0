/** The parts of JSON-RPC 2.0 and MCP that a bridge must understand. Everything else passes through unread. */
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client'
import * as v from 'valibot'

const id = v.union([v.string(), v.number()])
const message = v.union([
  v.looseObject({ jsonrpc: v.literal('2.0'), method: v.string() }),
  v.looseObject({ jsonrpc: v.literal('2.0'), id: v.optional(id), result: v.looseObject({}) }),
  v.looseObject({ jsonrpc: v.literal('2.0'), id: v.optional(id), error: v.looseObject({}) }),
])

const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
/** The code for errors that an implementation defines (JSON-RPC 2.0 section 5.1). */
const BRIDGE_ERROR = -32_000

/** A batch is a list of messages. For each element that isn't a message, `error` is the line to reply with. */
export function messagesOf(
  line: string,
): readonly ({ readonly message: JSONRPCMessage } | { readonly error: string })[] {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return [{ error: errorLine(null, 'This line is not JSON.', PARSE_ERROR) }]
  }
  return (Array.isArray(value) ? value : [value]).map((each) => {
    if (v.is(message, each)) return { message: each as JSONRPCMessage }
    const named = v.safeParse(v.looseObject({ id }), each)
    return { error: errorLine(named.success ? named.output.id : null, 'This is not JSON-RPC 2.0.', INVALID_REQUEST) }
  })
}

export const errorLine = (to: RequestId | null, text: string, code = BRIDGE_ERROR): string =>
  JSON.stringify({ jsonrpc: '2.0', id: to, error: { code, message: text } })

export const requestId = (each: JSONRPCMessage): RequestId | undefined =>
  'method' in each && 'id' in each ? each.id : undefined

export const responseId = (each: JSONRPCMessage): RequestId | undefined => ('method' in each ? undefined : each.id)

const cancelled = v.looseObject({
  method: v.literal('notifications/cancelled'),
  params: v.looseObject({ requestId: id }),
})

export function cancelledId(each: JSONRPCMessage): RequestId | undefined {
  const parsed = v.safeParse(cancelled, each)
  return parsed.success ? parsed.output.params.requestId : undefined
}

const stateless = v.looseObject({
  params: v.looseObject({ _meta: v.looseObject({ 'io.modelcontextprotocol/protocolVersion': v.string() }) }),
})

/** True if the request names its protocol version (MCP since 2026-07-28). Closing its stream cancels it. */
export const isStateless = (each: JSONRPCMessage): boolean => v.is(stateless, each)

const NAME = 'io.modelcontextprotocol/clientInfo'
const info = v.looseObject({ name: v.string() })
const introduced = v.union([
  v.pipe(
    v.looseObject({ params: v.looseObject({ clientInfo: info }) }),
    v.transform(({ params }) => params.clientInfo.name),
  ),
  v.pipe(
    v.looseObject({ params: v.looseObject({ _meta: v.looseObject({ [NAME]: info }) }) }),
    v.transform(({ params }) => params._meta[NAME]?.name),
  ),
])

/** The name is in `initialize` or, since 2026-07-28, in every request. */
export function clientNameOf(each: JSONRPCMessage): string | undefined {
  const parsed = v.safeParse(introduced, each)
  return parsed.success ? parsed.output : undefined
}

const initialized = v.looseObject({
  result: v.looseObject({ protocolVersion: v.pipe(v.string(), v.regex(/^[!-~]{1,40}$/)) }),
})

export function versionOf(each: JSONRPCMessage): string | undefined {
  const parsed = v.safeParse(initialized, each)
  return parsed.success ? parsed.output.result.protocolVersion : undefined
}

import * as v from 'valibot'
import { type Answer, json } from './answer.ts'
import { TABLES } from './tables.ts'

const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26']
const METHOD_NOT_FOUND = -32_601
const INVALID_PARAMS = -32_602
const INVALID_REQUEST = -32_600

const TOOLS = [
  {
    name: 'list_tables',
    description: 'Lists the tables of the data platform, with their number of rows.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'describe_table',
    description: 'Describes one table.',
    inputSchema: { type: 'object', properties: { table: { type: 'string' } }, required: ['table'] },
    annotations: { readOnlyHint: true },
  },
]

const message = v.object({
  jsonrpc: v.literal('2.0'),
  id: v.optional(v.union([v.string(), v.number()])),
  method: v.optional(v.string()),
  params: v.optional(v.record(v.string(), v.unknown()), {}),
})
const call = v.object({ name: v.string(), arguments: v.optional(v.record(v.string(), v.unknown()), {}) })

/** Answers one message of an MCP client (Streamable HTTP, without sessions or streams). */
export function answerMcp(body: unknown): Answer {
  const parsed = v.safeParse(message, body)
  if (!parsed.success) return json(400, { jsonrpc: '2.0', id: null, ...error(INVALID_REQUEST, 'This is no JSON-RPC.') })
  const { id, method, params } = parsed.output
  if (id === undefined || method === undefined) return { status: 202, headers: {}, body: '' }
  return json(200, { jsonrpc: '2.0', id, ...resultOf(method, params) })
}

function resultOf(method: string, params: Readonly<Record<string, unknown>>): object {
  switch (method) {
    case 'initialize': {
      const protocolVersion = VERSIONS.find((each) => each === params['protocolVersion']) ?? VERSIONS[0]
      const serverInfo = { name: 'Latchkey demo', version: '1.0.0' }
      return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo } }
    }
    case 'ping':
      return { result: {} }
    case 'tools/list':
      return { result: { tools: TOOLS } }
    case 'tools/call': {
      const { success, output } = v.safeParse(call, params)
      if (success && output.name === 'list_tables') return content(JSON.stringify(TABLES))
      if (!success || output.name !== 'describe_table') return error(INVALID_PARAMS, 'There is no such tool.')
      const row = TABLES.find(({ table }) => table === output.arguments['table'])
      return row === undefined ? content('There is no such table.', true) : content(JSON.stringify(row))
    }
    default:
      return error(METHOD_NOT_FOUND, 'There is no such method.')
  }
}

const content = (text: string, isError = false) => ({ result: { content: [{ type: 'text', text }], isError } })
const error = (code: number, text: string) => ({ error: { code, message: text } })

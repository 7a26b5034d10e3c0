import * as v from 'valibot'
import { type Answer, json } from './answer.ts'
import { TABLES } from './tables.ts'

export const MCP_PATH = '/mcp'

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
  if (!parsed.success) return json(400, errorOf(null, INVALID_REQUEST, 'This is not JSON-RPC 2.0.'))
  const { id, method, params } = parsed.output
  if (id === undefined || method === undefined) return { status: 202, headers: {}, body: '' }
  const result = resultOf(method, params)
  return json(200, 'code' in result ? errorOf(id, result.code, result.message) : { jsonrpc: '2.0', id, ...result })
}

type Result = { readonly result: object } | { readonly code: number; readonly message: string }

function resultOf(method: string, params: Readonly<Record<string, unknown>>): Result {
  switch (method) {
    case 'initialize': {
      const protocolVersion = VERSIONS.find((each) => each === params['protocolVersion']) ?? VERSIONS[0]
      return {
        result: {
          protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'Latchkey demo', version: '1.0.0' },
        },
      }
    }
    case 'ping':
      return { result: {} }
    case 'tools/list':
      return { result: { tools: TOOLS } }
    case 'tools/call':
      return called(params)
    default:
      return { code: METHOD_NOT_FOUND, message: 'There is no such method.' }
  }
}

function called(params: unknown): Result {
  const parsed = v.safeParse(call, params)
  if (!parsed.success) return { code: INVALID_PARAMS, message: 'A call needs the name of a tool.' }
  const { name, arguments: given } = parsed.output
  if (name === 'list_tables') return content(TABLES)
  if (name !== 'describe_table') return { code: INVALID_PARAMS, message: 'There is no such tool.' }
  const row = TABLES.find(({ table }) => table === given['table'])
  return row === undefined ? content('There is no such table.', true) : content(row)
}

const content = (value: unknown, isError = false): Result => ({
  result: { content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }], isError },
})

const errorOf = (id: string | number | null, code: number, text: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message: text },
})

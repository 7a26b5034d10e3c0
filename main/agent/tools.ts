import type { SignInNeed, ToolName, ToolUse } from '../../contract/views.ts'
import type { Clock } from '../base/clock.ts'
import { displayText } from '../base/display-text.ts'
import { Listeners } from '../base/listeners.ts'

const LONGEST_NAME = 64
const MOST_TOOLS = 50
/** SECURITY: one remote machine can't push this desktop's tools off the list. */
const MOST_TOOLS_OF_A_HOST = 8
const UNKNOWN_TOOL = 'unknown tool'
const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/** Reads a header as UTF-8, although Node decodes it as Latin-1. A header that isn't valid UTF-8 stays as it is. */
function read(header: string): string {
  try {
    return UTF_8.decode(Buffer.from(header, 'latin1'))
  } catch {
    return header
  }
}

/** The name that is shown, from the `User-Agent` header: one line of 64 characters at most. */
export const toolName = (userAgent = ''): string => displayText(read(userAgent), LONGEST_NAME) || UNKNOWN_TOOL

/** If the tool has a `host`, it runs on that remote machine. */
export interface ToolId {
  readonly userAgent?: string | undefined
  readonly host?: string | undefined
}

/** The name is the first word of the `User-Agent` header, without the rest, such as a link. */
export const throughGateway = (userAgent = ''): ToolId => ({
  userAgent: `${/^\S+/.exec(userAgent)?.[0] ?? UNKNOWN_TOOL} (gateway)`,
})

const MCP = ' (mcp)'

/** `undefined` if the client gave itself no name. */
export function throughMcp(name: string | undefined): ToolId | undefined {
  const shown = displayText(name ?? '', LONGEST_NAME - MCP.length)
  // The name is encoded like a header, because `toolName` decodes it.
  return shown === '' ? undefined : { userAgent: Buffer.from(shown + MCP).toString('latin1') }
}

/** The tools that recently got a token. They are kept only in memory, and without the tokens. */
export class ToolUsage {
  readonly #clock: Pick<Clock, 'wall'>
  /** The tools by connection, then by host and name. The least recently used one is first. */
  readonly #tools = new Map<string, Map<string, ToolUse>>()
  readonly #listening = new Map<string, number>()
  readonly #listeners: Listeners
  readonly subscribe: Listeners['subscribe']

  constructor(clock: Pick<Clock, 'now' | 'wall' | 'at'>) {
    this.#clock = clock
    this.#listeners = throttled(clock)
    this.subscribe = this.#listeners.subscribe
  }

  /** The connection's tools, the latest first: at most 50 of this desktop and 8 of each remote machine. */
  list(connection: string): readonly ToolUse[] {
    const tools = [...(this.#tools.get(connection) ?? [])].reverse()
    return tools.map(([key, use]) => (this.#listening.has(connection + key) ? { ...use, isListening: true } : use))
  }

  record(connection: string, tool: ToolId): void {
    const named = nameOf(tool)
    const key = JSON.stringify(named)
    const tools = this.#tools.get(connection) ?? new Map<string, ToolUse>()
    this.#tools.set(connection, tools)
    const count = (tools.get(key)?.count ?? 0) + 1
    tools.delete(key)
    tools.set(key, { ...named, lastAt: this.#clock.wall(), count })
    if (count === 1) dropOldest(tools, tool.host)
    this.#listeners.tellLater()
  }

  /** Returns a function to call when the tool stops listening. */
  listen(connection: string, tool: ToolId): () => void {
    const key = connection + JSON.stringify(nameOf(tool))
    const add = (more: number) => {
      const count = (this.#listening.get(key) ?? 0) + more
      if (count > 0) this.#listening.set(key, count)
      else this.#listening.delete(key)
      this.#listeners.tellLater()
    }
    add(1)
    return () => add(-1)
  }

  /** SECURITY: the next person must not see which tools the previous person used. */
  remove(connection: string): void {
    if (this.#tools.delete(connection)) this.#listeners.tellLater()
  }
}

function dropOldest(tools: Map<string, ToolUse>, host: string | undefined): void {
  const own = [...tools].filter(([, use]) => use.host === host).map(([key]) => key)
  const [oldest] = own
  const most = host === undefined ? MOST_TOOLS : MOST_TOOLS_OF_A_HOST
  if (oldest !== undefined && own.length > most) tools.delete(oldest)
}

interface Needs {
  /** In the order in which they began to wait. `count` is the number of a tool's waiting requests. */
  readonly waiting: Map<string, { readonly tool: ToolName; count: number }>
  /** The first tool that got no token since the last sign-in. */
  asked?: ToolName | undefined
}

/** The tools that need a sign-in, by connection. Only their names are kept, and only in memory. */
export class SignInNeeds {
  readonly #needs = new Map<string, Needs>()
  readonly #listeners: Listeners
  readonly subscribe: Listeners['subscribe']

  constructor(clock: Pick<Clock, 'now' | 'at'>) {
    this.#listeners = throttled(clock)
    this.subscribe = this.#listeners.subscribe
  }

  list(): readonly SignInNeed[] {
    return [...this.#needs].flatMap(([connection, needs]) => {
      const waiting = [...needs.waiting.values()].map(({ tool }) => tool)
      const first = needs.asked ?? waiting[0]
      return first === undefined ? [] : [{ connection, first, waiting }]
    })
  }

  /** Returns a function to call when the tool stops waiting. */
  hold(connection: string, id: ToolId): () => void {
    const tool = nameOf(id)
    const { waiting } = this.#recorded(connection, tool)
    const key = JSON.stringify(tool)
    const entry = waiting.get(key) ?? { tool, count: 0 }
    entry.count += 1
    if (entry.count === 1) {
      waiting.set(key, entry)
      this.#listeners.tellLater()
    }
    return () => {
      entry.count -= 1
      if (entry.count > 0) return
      waiting.delete(key)
      this.#listeners.tellLater()
    }
  }

  /** To be called when a tool got no token because nobody is signed in, and the tool doesn't wait. */
  record(connection: string, id: ToolId): void {
    if (this.#needs.get(connection)?.asked === undefined) this.#recorded(connection, nameOf(id))
  }

  /** To be called after a sign-in. Forgets the first tool that got no token, but not the tools that still wait. */
  clear(connection: string): void {
    const needs = this.#needs.get(connection)
    if (needs?.asked === undefined) return
    needs.asked = undefined
    this.#listeners.tellLater()
  }

  #recorded(connection: string, tool: ToolName): Needs {
    const needs: Needs = this.#needs.get(connection) ?? { waiting: new Map() }
    this.#needs.set(connection, needs)
    if (needs.asked === undefined) {
      needs.asked = tool
      this.#listeners.tellLater()
    }
    return needs
  }
}

const nameOf = ({ userAgent, host }: ToolId): ToolName => ({
  name: toolName(userAgent),
  ...(host === undefined ? {} : { host }),
})

const INTERVAL_MS = 1_000

const throttled = (clock: Pick<Clock, 'now' | 'at'>): Listeners =>
  new Listeners((action) => clock.at(clock.now() + INTERVAL_MS, action))

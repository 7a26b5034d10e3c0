import type { ToolUse } from '../../contract/views.ts'
import type { Clock } from '../base/clock.ts'
import { displayText } from '../base/display-text.ts'
import { PacedListeners } from './paced-listeners.ts'

const LONGEST_NAME = 64
const MOST_TOOLS = 50
/** SECURITY: one remote machine can't push the tools of this desktop off the list. */
const MOST_TOOLS_OF_A_HOST = 8
export const UNKNOWN_TOOL = 'unknown tool'

const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Decodes a header that was sent in UTF-8, because Node returns each of its bytes as one character. A header whose
 * bytes aren't valid UTF-8 is returned unchanged.
 */
function read(header: string): string {
  try {
    return UTF_8.decode(Buffer.from(header, 'latin1'))
  } catch {
    return header
  }
}

/** A tool's name from its `User-Agent` header, for display: one line of at most 64 characters. */
export const toolName = (userAgent = ''): string => displayText(read(userAgent), LONGEST_NAME) || UNKNOWN_TOOL

/** What is known about a tool: its `User-Agent` header, and the remote machine that it runs on. */
export interface ToolId {
  readonly userAgent?: string | undefined
  readonly host?: string | undefined
}

/**
 * A tool that got data through a gateway. As with the tools that run a command of Latchkey's, the name ends with how;
 * of what such programs say, only the first word is a name.
 */
export const throughGateway = (userAgent = ''): ToolId => ({
  userAgent: `${/^\S+/.exec(userAgent)?.[0] ?? UNKNOWN_TOOL} (gateway)`,
})

const MCP = ' (mcp)'

/** An MCP client that got data through a bridge, by the name that it gave itself; `undefined` if it gave none. */
export function throughMcp(name: string | undefined): ToolId | undefined {
  const shown = displayText(name ?? '', LONGEST_NAME - MCP.length)
  // Encoded as in a header.
  return shown === '' ? undefined : { userAgent: Buffer.from(shown + MCP).toString('latin1') }
}

/**
 * The tools that recently received a token, by connection: names, times and counts. Contains no tokens, and is only in
 * memory.
 */
export class Usage {
  readonly #clock: Pick<Clock, 'wall'>
  /** The tools by connection and by host and name; the least recently used tool first. */
  readonly #tools = new Map<string, Map<string, ToolUse>>()
  /** How often each tool listens for new tokens at the moment. */
  readonly #listening = new Map<string, number>()
  readonly #listeners: PacedListeners
  /** Calls the listener at most once a second, after tools received tokens or were removed. */
  readonly subscribe: PacedListeners['subscribe']
  /** The tool of the last request, cached because successive requests usually come from the same tool. */
  #last: { readonly userAgent: string | undefined; readonly name: string } | undefined

  constructor(clock: Pick<Clock, 'now' | 'wall' | 'at'>) {
    this.#clock = clock
    this.#listeners = new PacedListeners(clock)
    this.subscribe = this.#listeners.subscribe
  }

  /**
   * The tools of this connection; the most recently used tool first. At most 50 of this desktop, and 8 of each remote
   * machine.
   */
  list(connection: string): readonly ToolUse[] {
    const tools = [...(this.#tools.get(connection) ?? [])].reverse()
    return tools.map(([key, use]) => (this.#listening.has(connection + key) ? { ...use, isListening: true } : use))
  }

  /** Call this when this tool has received a token of this connection. */
  note(connection: string, tool: ToolId): void {
    const { host } = tool
    const { name, key } = this.#named(tool)
    const tools = this.#tools.get(connection) ?? new Map<string, ToolUse>()
    this.#tools.set(connection, tools)
    const count = (tools.get(key)?.count ?? 0) + 1
    tools.delete(key)
    tools.set(key, { name, ...(host === undefined ? {} : { host }), lastAt: this.#clock.wall(), count })
    if (count === 1) dropOldest(tools, host)
    this.#listeners.tellSoon()
  }

  /** Call this when this tool begins to listen for new tokens. Returns a function to call when it no longer does. */
  listen(connection: string, tool: ToolId): () => void {
    const key = connection + this.#named(tool).key
    const add = (more: number) => {
      const count = (this.#listening.get(key) ?? 0) + more
      if (count > 0) this.#listening.set(key, count)
      else this.#listening.delete(key)
      this.#listeners.tellSoon()
    }
    add(1)
    return () => add(-1)
  }

  #named({ userAgent, host }: ToolId): { readonly name: string; readonly key: string } {
    if (this.#last === undefined || this.#last.userAgent !== userAgent) {
      this.#last = { userAgent, name: toolName(userAgent) }
    }
    const { name } = this.#last
    return { name, key: JSON.stringify([host, name]) }
  }

  /** Removes the connection's tools. SECURITY: the next person must not see which tools the previous one used. */
  remove(connection: string): void {
    if (this.#tools.delete(connection)) this.#listeners.tellSoon()
  }
}

/** Removes the tool of this host that was used least recently, if the host has too many. */
function dropOldest(tools: Map<string, ToolUse>, host: string | undefined): void {
  const own = [...tools].filter(([, use]) => use.host === host).map(([key]) => key)
  const [oldest] = own
  const most = host === undefined ? MOST_TOOLS : MOST_TOOLS_OF_A_HOST
  if (oldest !== undefined && own.length > most) tools.delete(oldest)
}

import type { SignInNeed, ToolName, ToolUse } from '../../contract/views.ts'
import type { Clock } from '../base/clock.ts'
import { displayText } from '../base/display-text.ts'
import { Listeners, Subscription } from '../base/listeners.ts'

const LONGEST_NAME = 64
const MOST_TOOLS = 50
/** SECURITY: one remote machine can't push the tools of this desktop off the list. */
const MOST_TOOLS_OF_A_HOST = 8
const UNKNOWN_TOOL = 'unknown tool'

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
  readonly #listeners: ThrottledListeners
  /** Calls the listener at most once a second, after tools received tokens or were removed. */
  readonly subscribe: ThrottledListeners['subscribe']
  /** The tool of the last request, cached because successive requests usually come from the same tool. */
  #last: { readonly userAgent: string | undefined; readonly name: string } | undefined

  constructor(clock: Pick<Clock, 'now' | 'wall' | 'at'>) {
    this.#clock = clock
    this.#listeners = new ThrottledListeners(clock)
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

/** One connection's tools that need the user to sign in. */
interface Needs {
  /** The tools that wait, in the order in which they began, and how many requests of each wait. */
  readonly waiting: Map<string, { readonly tool: ToolName; count: number }>
  /** The first tool that waited or asked in vain since the session ended. */
  asked?: ToolName | undefined
}

/** The tools that need a sign-in, by connection. Contains only names, and is only in memory. */
export class SignInNeeds {
  readonly #needs = new Map<string, Needs>()
  readonly #listeners: ThrottledListeners
  /** Calls the listener at most once a second. Returns a function that removes it. */
  readonly subscribe: ThrottledListeners['subscribe']

  constructor(clock: Pick<Clock, 'now' | 'at'>) {
    this.#listeners = new ThrottledListeners(clock)
    this.subscribe = this.#listeners.subscribe
  }

  list(): readonly SignInNeed[] {
    return [...this.#needs].flatMap(([connection, needs]) => {
      const waiting = [...needs.waiting.values()].map(({ tool }) => tool)
      const first = needs.asked ?? waiting[0]
      return first === undefined ? [] : [{ connection, first, waiting }]
    })
  }

  /** Call this when a tool begins to wait. Returns a function to call when it no longer waits. */
  hold(connection: string, id: ToolId): () => void {
    const tool = nameOf(id)
    const { waiting } = this.#noted(connection, tool)
    const key = JSON.stringify(tool)
    const entry = waiting.get(key) ?? { tool, count: 0 }
    entry.count += 1
    if (entry.count === 1) {
      waiting.set(key, entry)
      this.#listeners.tellSoon()
    }
    return () => {
      entry.count -= 1
      if (entry.count > 0) return
      waiting.delete(key)
      this.#listeners.tellSoon()
    }
  }

  /** Call this when a tool that doesn't wait got no token, because nobody is signed in. */
  note(connection: string, id: ToolId): void {
    if (this.#needs.get(connection)?.asked === undefined) this.#noted(connection, nameOf(id))
  }

  /** Forgets who asked before. Tools that still wait are not forgotten. */
  clear(connection: string): void {
    const needs = this.#needs.get(connection)
    if (needs?.asked === undefined) return
    needs.asked = undefined
    this.#listeners.tellSoon()
  }

  #noted(connection: string, tool: ToolName): Needs {
    const needs: Needs = this.#needs.get(connection) ?? { waiting: new Map() }
    this.#needs.set(connection, needs)
    if (needs.asked === undefined) {
      needs.asked = tool
      this.#listeners.tellSoon()
    }
    return needs
  }
}

const nameOf = ({ userAgent, host }: ToolId): ToolName => ({
  name: toolName(userAgent),
  ...(host === undefined ? {} : { host }),
})

/** The minimum time between two calls of the listeners, in milliseconds. */
const INTERVAL_MS = 1_000

/** Listeners that are called at most once a second, however often tools cause a change. */
class ThrottledListeners {
  readonly #clock: Pick<Clock, 'now' | 'at'>
  readonly #listeners = new Listeners()
  readonly #silence = new Subscription()

  constructor(clock: Pick<Clock, 'now' | 'at'>) {
    this.#clock = clock
  }

  /** Registers a listener. Returns a function that removes it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    const undo = this.#listeners.subscribe(listener)
    return () => {
      undo()
      if (this.#listeners.isEmpty) this.#silence.end()
    }
  }

  tellSoon(): void {
    if (this.#listeners.isEmpty) return
    this.#silence.begin(() =>
      this.#clock.at(this.#clock.now() + INTERVAL_MS, () => {
        this.#silence.end()
        this.#listeners.tell()
      }),
    )
  }
}

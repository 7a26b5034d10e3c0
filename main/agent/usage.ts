import type { ToolUse } from '../../contract/views.ts'
import { Listeners } from '../listeners.ts'
import { displayText } from '../session/display-text.ts'
import type { Clock } from '../session/ports.ts'
import { Ongoing } from './ongoing.ts'

const LONGEST_NAME = 64
const MOST_TOOLS = 50
export const UNKNOWN_TOOL = 'unknown tool'

/** The minimum time between two calls of the listeners, in milliseconds. */
const ANNOUNCE_INTERVAL_MS = 1_000

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

/**
 * The tools that recently received a token, by connection: names, times and counts. Contains no tokens, and is only in
 * memory.
 */
export class Usage {
  readonly #clock: Pick<Clock, 'now' | 'wall' | 'at'>
  /** The tools by connection; the least recently used tool first. */
  readonly #tools = new Map<string, Map<string, { lastAt: number; count: number }>>()
  readonly #listeners = new Listeners()
  readonly #silence = new Ongoing()
  /** The tool of the last request, cached because successive requests usually come from the same tool. */
  #last: { readonly userAgent: string | undefined; readonly name: string } | undefined

  constructor(clock: Pick<Clock, 'now' | 'wall' | 'at'>) {
    this.#clock = clock
  }

  /** The tools of this connection, at most 50; the most recently used tool first. */
  list(connection: string): readonly ToolUse[] {
    return [...(this.#tools.get(connection) ?? [])].map(([name, use]) => ({ name, ...use })).reverse()
  }

  /**
   * Calls the listener at most once a second, after tools received tokens or were removed. Returns a function that
   * removes the listener.
   */
  subscribe(listener: () => void): () => void {
    const undo = this.#listeners.subscribe(listener)
    return () => {
      undo()
      if (this.#listeners.isEmpty) this.#silence.end()
    }
  }

  /** Call this when a tool with this `User-Agent` has received a token of this connection. */
  note(connection: string, userAgent: string | undefined): void {
    if (this.#last === undefined || this.#last.userAgent !== userAgent) {
      this.#last = { userAgent, name: toolName(userAgent) }
    }
    const { name } = this.#last
    const tools = this.#tools.get(connection) ?? new Map()
    this.#tools.set(connection, tools)
    const count = (tools.get(name)?.count ?? 0) + 1
    tools.delete(name)
    tools.set(name, { lastAt: this.#clock.wall(), count })
    if (tools.size > MOST_TOOLS) dropFirst(tools)
    this.#announceSoon()
  }

  /** Removes the connection's tools. SECURITY: the next person must not see which tools the previous one used. */
  remove(connection: string): void {
    if (this.#tools.delete(connection)) this.#announceSoon()
  }

  #announceSoon(): void {
    if (this.#listeners.isEmpty) return
    this.#silence.begin(() => this.#clock.at(this.#clock.now() + ANNOUNCE_INTERVAL_MS, () => this.#announce()))
  }

  #announce(): void {
    this.#silence.end()
    this.#listeners.tell()
  }
}

function dropFirst(map: Map<string, unknown>): void {
  for (const key of map.keys()) {
    map.delete(key)
    return
  }
}

import type { ToolUse } from '../../contract/views.ts'
import { Listeners } from '../listeners.ts'
import { displayText } from '../session/display-text.ts'
import type { Clock } from '../session/ports.ts'
import { Ongoing } from './ongoing.ts'

const LONGEST_NAME = 64
const MOST_TOOLS = 50
export const UNKNOWN_TOOL = 'unknown tool'

/** Listeners are called at most once in this time. Milliseconds. */
const TELL_EVERY = 1_000

const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/** A header as the tool means it, of which Node gives each byte as a character: UTF-8, or else what it says as it is. */
function read(header: string): string {
  try {
    return UTF_8.decode(Buffer.from(header, 'latin1'))
  } catch {
    return header
  }
}

/**
 * The name a tool gives itself in `User-Agent`, as Node gives that, as something that can be shown: one line of at most
 * 64 characters.
 */
export const toolName = (userAgent = ''): string => displayText(read(userAgent), LONGEST_NAME) || UNKNOWN_TOOL

/** The tools that recently got a token, by connection: names, times and counts. No tokens; only in memory. */
export class Usage {
  readonly #clock: Pick<Clock, 'now' | 'wall' | 'at'>
  /** By connection; the least recent first. */
  readonly #tools = new Map<string, Map<string, { lastAt: number; count: number }>>()
  readonly #listeners = new Listeners()
  readonly #silence = new Ongoing()
  /** Most requests come from the tool that made the one before. */
  #last: { readonly userAgent: string | undefined; readonly name: string } | undefined

  constructor(clock: Pick<Clock, 'now' | 'wall' | 'at'>) {
    this.#clock = clock
  }

  /** Of the connection of this name: the most recent first, at most 50. */
  list(connection: string): readonly ToolUse[] {
    return [...(this.#tools.get(connection) ?? [])].map(([name, use]) => ({ name, ...use })).reverse()
  }

  /** Announces hand-outs and removals, at most once a second; returns the undo. */
  subscribe(listener: () => void): () => void {
    const undo = this.#listeners.subscribe(listener)
    return () => {
      undo()
      if (this.#listeners.isEmpty) this.#silence.end()
    }
  }

  /** A tool with this `User-Agent` was handed a token of this connection. */
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
    this.#tellSoon()
  }

  /** SECURITY: the next person must not see which tools the previous one used. */
  forget(connection: string): void {
    if (this.#tools.delete(connection)) this.#tellSoon()
  }

  #tellSoon(): void {
    if (this.#listeners.isEmpty) return
    this.#silence.begin(() => this.#clock.at(this.#clock.now() + TELL_EVERY, () => this.#tell()))
  }

  #tell(): void {
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

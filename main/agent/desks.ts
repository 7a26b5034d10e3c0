import type { Clock } from '../session/ports.ts'
import { Dispenser } from './dispenser.ts'
import { Events } from './events.ts'
import type { Limits } from './limits.ts'
import { Ongoing } from './ongoing.ts'
import { TokenReplies } from './token-reply.ts'
import type { TokenSource } from './token-source.ts'
import type { Usage } from './usage.ts'

/** The connections that tools can ask about. */
export interface AgentConnections {
  /** The current connections; the default one first. */
  readonly names: readonly string[]
  /** The state of a connection's session. A connection that no longer exists counts as signed out. */
  source(name: string): TokenSource
}

/** The objects that serve tools for one connection. */
export interface Desk {
  readonly dispenser: Pick<Dispenser, 'ask' | 'rejected'>
  readonly replies: Pick<TokenReplies, 'of'>
  readonly events: Pick<Events, 'add' | 'remove'>
  /** Called when a tool with this `User-Agent` has received a token. */
  readonly onHandOut: (userAgent: string | undefined) => void
}

interface DesksPorts {
  readonly connections: AgentConnections
  /** The origin of a connection's service. */
  readonly origin: (name: string) => string | undefined
  readonly clock: Clock
  readonly limits: Pick<Limits, 'patience' | 'backlog'>
  readonly usage: Pick<Usage, 'note' | 'forget'>
}

/** Undo functions to call at the end. */
interface OpenDesk extends Desk {
  readonly dispenser: Dispenser
  readonly replies: TokenReplies
  readonly events: Events
  readonly watching: Ongoing
}

/** One endpoint for each connection: the first one's immediately, the others' when a tool first asks for it. */
export class Desks {
  readonly #ports: DesksPorts
  #isOn = false
  readonly #open = new Map<string, OpenDesk>()

  constructor(ports: DesksPorts) {
    this.#ports = ports
  }

  get names(): readonly string[] {
    return this.#ports.connections.names
  }

  /** The number of tools that listen for events, at all endpoints together. */
  get listeners(): number {
    return [...this.#open.values()].reduce((sum, { events }) => sum + events.listeners, 0)
  }

  /** True between the start and the stop. */
  get isOn(): boolean {
    return this.#isOn
  }

  /** `undefined` if no connection has this name. */
  of(name: string): Desk | undefined {
    if (!this.names.includes(name)) return undefined
    return this.#open.get(name) ?? this.#make(name)
  }

  start(): void {
    this.#isOn = true
    const [first] = this.names
    if (first !== undefined) this.of(first)
  }

  stop(): void {
    this.#isOn = false
    for (const [name, { dispenser, replies, events, watching }] of this.#open) {
      watching.end()
      events.stop()
      dispenser.stop()
      replies.forget()
      this.#ports.usage.forget(name)
    }
    this.#open.clear()
  }

  #make(name: string): Desk {
    const { connections, origin, clock, limits, usage } = this.#ports
    const source = connections.source(name)
    const onHandOut = (userAgent: string | undefined) => usage.note(name, userAgent)
    const watching = new Ongoing()
    const replies = new TokenReplies({ clock, origin: () => origin(name) })
    const dispenser = new Dispenser({ source, clock, patience: limits.patience })
    const events = new Events({ source, clock, replies, onHandOut, longestBacklog: limits.backlog })
    const desk = { dispenser, replies, events, onHandOut, watching }
    this.#open.set(name, desk)
    // Before anyone hears of the next person's token.
    watching.begin(() => watchPerson(source, () => usage.forget(name)))
    dispenser.start()
    events.start()
    return desk
  }
}

/** Calls the listener when the user has signed out or someone else has signed in; returns the undo. */
function watchPerson(source: TokenSource, onChange: () => void): () => void {
  let last: string | undefined
  return source.subscribe(() => {
    const { hand } = source
    // Until the keychain has been read, it may be the same person.
    if (hand.kind === 'restoring' || hand.kind === 'locked') return
    const person = hand.kind === 'signedIn' ? hand.account : undefined
    if (person !== last) onChange()
    last = person
  })
}

import { DEFAULT_CONNECTION } from '../../contract/connection-names.ts'
import type { Clock } from '../base/clock.ts'
import { Subscription } from '../base/listeners.ts'
import { Events } from './events.ts'
import type { Limits } from './limits.ts'
import { TokenReplies } from './replies.ts'
import type { SignedOut } from './sign-out.ts'
import { TokenBroker } from './token-broker.ts'
import { type TokenSource, watchAccount } from './token-source.ts'
import type { SignInNeeds, ToolId, ToolUsage } from './tools.ts'

export interface AgentConnections {
  /** The names of the current connections, the default one first. */
  readonly names: readonly string[]
  /** The source of a connection's tokens. For a connection that no longer exists, a source that is signed out. */
  source(name: string): TokenSource
  /** Signs out at once. May resolve before the issuer has revoked the token. */
  signOut(name: string): Promise<SignedOut>
}

export interface ConnectionEndpoint {
  readonly broker: TokenBroker
  readonly replies: TokenReplies
  readonly events: Events
  readonly watching: Subscription
  readonly onHandOut: (tool: ToolId) => void
  /** Returns a function to call when the wait is over. */
  readonly onHold: (tool: ToolId) => () => void
  /** Returns a function to call when the tool stops listening. */
  readonly onListen: (tool: ToolId) => () => void
  readonly onSignedOut: (tool: ToolId) => void
}

interface ConnectionEndpointsPorts {
  readonly connections: AgentConnections
  /** Called only after a change and not for each request, because reading the settings takes time. */
  readonly origin: (name: string) => string | undefined
  readonly clock: Clock
  readonly limits: Pick<Limits, 'answer' | 'backlog'>
  readonly usage: Pick<ToolUsage, 'record' | 'listen' | 'remove'>
  readonly needs: Pick<SignInNeeds, 'hold' | 'record' | 'clear'>
}

export class ConnectionEndpoints {
  readonly #ports: ConnectionEndpointsPorts
  #isOn = false
  readonly #open = new Map<string, ConnectionEndpoint>()

  constructor(ports: ConnectionEndpointsPorts) {
    this.#ports = ports
  }

  get names(): readonly string[] {
    return this.#ports.connections.names
  }

  get isOn(): boolean {
    return this.#isOn
  }

  of(name: string): ConnectionEndpoint | undefined {
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
    for (const name of this.#open.keys()) this.#close(name)
  }

  #close(name: string, why: 'stopping' | 'removed' = 'stopping'): void {
    const endpoint = this.#open.get(name)
    this.#open.delete(name)
    endpoint?.watching.end()
    endpoint?.events.stop()
    endpoint?.broker.stop(why)
    this.#ports.usage.remove(name)
    this.#ports.needs.clear(name)
  }

  #make(name: string): ConnectionEndpoint {
    const { connections, clock, limits, usage, needs } = this.#ports
    const source = connections.source(name)
    const onHandOut = (tool: ToolId) => usage.record(name, tool)
    const onListen = (tool: ToolId) => usage.listen(name, tool)
    const watching = new Subscription()
    let origin: string | undefined
    const replies = new TokenReplies({
      clock,
      origin: () => origin,
      at: name === DEFAULT_CONNECTION ? undefined : name,
    })
    const broker = new TokenBroker({ source, clock, timeoutMs: limits.answer })
    const events = new Events({ source, clock, replies, onHandOut, onListen, longestBacklog: limits.backlog })
    const onHold = (tool: ToolId) => needs.hold(name, tool)
    const onSignedOut = (tool: ToolId) => needs.record(name, tool)
    const endpoint = { broker, replies, events, onHandOut, onListen, onHold, onSignedOut, watching }
    this.#open.set(name, endpoint)
    // This must come before `broker.start()`: another person's sign-in clears the list before a tool gets the token.
    watching.begin(() => {
      const undo = [
        watchAccount(source, () => usage.remove(name)),
        source.subscribe(() => {
          if (!this.names.includes(name)) return this.#close(name, 'removed')
          origin = this.#ports.origin(name)
          if (source.tokenState.kind === 'signedIn') needs.clear(name)
        }),
      ]
      return () => {
        for (const each of undo) each()
      }
    })
    broker.start()
    events.start()
    return endpoint
  }
}

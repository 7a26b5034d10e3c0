import { randomBytes } from 'node:crypto'
import type { Server } from 'node:net'
import path from 'node:path'
import { DEFAULT_CONNECTION } from '../../contract/connection-names.ts'
import type { Clock } from '../base/clock.ts'
import { Listeners, Subscription } from '../base/listeners.ts'
import { createInTurn } from '../base/waits.ts'
import { type AgentConnections, ConnectionEndpoints } from './connection-endpoints.ts'
import type { GatewayPort } from './gateway-reply.ts'
import {
  LIMITS,
  type Limits,
  limitedTo,
  MOST_REMOTES,
  REMOTE_LIMITS,
  roomForConnections,
  roomForRemotes,
} from './limits.ts'
import type { AgentLocation, AgentProblem, LocationProblem } from './location.ts'
import type { McpBridges } from './mcp-requests.ts'
import {
  deletePipeFile,
  isPipeFileIntact,
  listenAtPipe,
  newPipeName,
  type PipeContent,
  restorePipeFile,
} from './pipe-file.ts'
import { Remotes } from './remotes.ts'
import { type TurnedOff, turnedOffReply } from './replies.ts'
import type { StatusPort } from './request-handler.ts'
import { createAgentServer } from './server.ts'
import {
  identityAt,
  isReachable,
  listenAgain,
  listenAtSocket,
  type SocketIdentity,
  stopListening,
} from './socket-file.ts'
import { type StatusView, statusOf, statusReply, timeOf } from './status.ts'
import type { AskResult } from './token-source.ts'
import { SignInNeeds, type ToolId, ToolUsage } from './tools.ts'

export type AgentState =
  | { readonly kind: 'off' }
  | { readonly kind: 'on'; readonly location: AgentLocation }
  | { readonly kind: 'failed'; readonly problem: AgentProblem }

interface AgentPorts {
  readonly location: AgentLocation | LocationProblem
  readonly connections: AgentConnections
  readonly view: (connection: string) => StatusView
  readonly clock: Clock
  /** Calls the listener at least every 30 s. Another program may have deleted the agent's socket. */
  readonly onCheck?: (listener: () => void) => () => void
  readonly gateway?: GatewayPort
  /** Calls the listener for each tool that asks a gateway, because the window lists these tools, too. */
  readonly onGatewayUse?: (listener: (use: GatewayUse) => void) => () => void
  readonly bridges?: McpBridges | undefined
  /** The numeric id of the user who runs the app; `undefined` on Windows. */
  readonly uid?: number | undefined
  readonly limits?: Partial<Limits>
  readonly pipeName?: () => string
}

export interface GatewayUse {
  readonly connection: string
  readonly tool: ToolId
  readonly result: AskResult
}

interface Running extends Listening {
  readonly location: AgentLocation
  readonly turnedOff: TurnedOff | undefined
}

interface Listening {
  readonly listen: () => Promise<AgentProblem | undefined>
  readonly isReachable: () => Promise<boolean>
  /** Lets tools connect again. Open connections stay. */
  readonly listenAgain: () => Promise<AgentProblem | undefined>
  readonly stop: () => Promise<void>
}

/**
 * The local endpoint for the user's tools. Any program of the user may ask, as with ssh-agent, because Node can't tell
 * which one connects. The socket's permissions or, on Windows, the pipe's secret keep other users out.
 */
export class Agent {
  readonly usage: ToolUsage
  readonly needs: SignInNeeds
  readonly #changes = new Listeners<'lost' | 'restored'>()
  /** Calls the listener when tools can no longer connect, and when they can again. */
  readonly onChange = this.#changes.subscribe
  readonly #ports: AgentPorts
  #state: AgentState = { kind: 'off' }
  #running: Running | undefined
  /** What was last asked for. A turned-off agent still listens, so that it can tell tools who turned it off. */
  #wanted: TurnedOff | 'on' | 'stopped' = 'stopped'
  readonly #watching = new Subscription()
  #isChecking = false
  readonly #next = createInTurn()

  constructor(ports: AgentPorts) {
    this.#ports = ports
    this.usage = new ToolUsage(ports.clock)
    this.needs = new SignInNeeds(ports.clock)
  }

  get state(): AgentState {
    return this.#state
  }

  /** Starts the agent. If that fails, the state says why, and another call tries again. */
  start(): Promise<AgentState> {
    return this.#next(async () => {
      this.#wanted = 'on'
      if (this.#running === undefined || this.#running.turnedOff !== undefined) {
        await this.#close()
        this.#state = await this.#open()
      }
      this.#watch()
      return this.#state
    })
  }

  turnOff(by: TurnedOff): Promise<void> {
    return this.#next(async () => {
      this.#wanted = by
      this.#watch()
      this.#state = { kind: 'off' }
      if (this.#running?.turnedOff === by) return
      await this.#close()
      // A failure is ignored: tools then find no agent, as if the app weren't running.
      await this.#open()
    })
  }

  stop(): Promise<void> {
    return this.#next(async () => {
      this.#wanted = 'stopped'
      this.#watching.end()
      this.#state = { kind: 'off' }
      await this.#close()
    })
  }

  #watch(): void {
    const { onCheck = () => () => {} } = this.#ports
    this.#watching.begin(() =>
      onCheck(() => {
        // A check can wait for the file system, or for another process. Further checks mustn't queue up behind it.
        if (this.#isChecking) return
        this.#isChecking = true
        void this.#next(() => this.#check()).finally(() => {
          this.#isChecking = false
        })
      }),
    )
  }

  async #check(): Promise<void> {
    const { location } = this.#ports
    // An unusable location stays unusable until the app's next start.
    if (this.#wanted === 'stopped' || (location.kind !== 'socket' && location.kind !== 'pipe')) return
    const before = this.#running
    if (before === undefined || !(await before.isReachable())) {
      const state = await (before === undefined ? this.#open() : this.#listenAgain(before))
      if (this.#wanted === 'on') this.#state = state
      this.#changes.tell(state.kind === 'failed' ? 'lost' : 'restored')
    }
  }

  async #listenAgain(running: Running): Promise<AgentState> {
    const problem = await running.listenAgain()
    return problem === undefined ? { kind: 'on', location: running.location } : { kind: 'failed', problem }
  }

  async #close(): Promise<void> {
    const running = this.#running
    this.#running = undefined
    await running?.stop()
  }

  async #open(): Promise<AgentState> {
    const { location, connections, clock, view, bridges, uid = 0, pipeName = newPipeName } = this.#ports
    if (location.kind !== 'socket' && location.kind !== 'pipe') return { kind: 'failed', problem: location }
    const room = roomForConnections(process.platform)
    const remoteRoom = roomForRemotes(room)
    const turnedOff = this.#wanted === 'user' || this.#wanted === 'administrator' ? this.#wanted : undefined
    const limits = limitedTo({ ...LIMITS, ...this.#ports.limits }, room - remoteRoom)
    const { usage, needs } = this
    const origin = (name: string) => originOf(view(name).connection)
    const endpoints = new ConnectionEndpoints({ connections, origin, clock, limits, usage, needs })
    const pipe = { pipe: pipeName(), secret: randomBytes(32).toString('base64url') }
    const status: StatusPort = (form, connection, names, until) => {
      const found = statusOf(
        view(connection),
        until && timeOf(until, clock.wall()),
        connection === DEFAULT_CONNECTION ? undefined : connection,
      )
      if (turnedOff !== undefined) return turnedOffReply(turnedOff, form, found.message)
      return statusReply(found, form, originsOf(names, origin))
    }
    const remotes =
      location.kind === 'socket'
        ? new Remotes({
            folder: path.dirname(location.path),
            uid,
            clock,
            endpoints,
            status,
            limits: limitedTo({ ...REMOTE_LIMITS, ...this.#ports.limits }, Math.floor(remoteRoom / MOST_REMOTES)),
          })
        : undefined
    const { server, close } = createAgentServer({
      endpoints,
      remotes,
      bridges,
      limits,
      turnedOff,
      status,
      gateway: this.#ports.gateway,
      signOut: (name) => connections.signOut(name),
      // SECURITY: a pipe also needs a secret, because Latchkey can't set all permissions of the pipe.
      secret: location.kind === 'pipe' ? pipe.secret : undefined,
    })
    if (turnedOff === undefined) endpoints.start()
    const leaveGateway = this.#ports.onGatewayUse?.(({ connection, tool, result }) => {
      if (result === 'signedOut') endpoints.of(connection)?.onSignedOut(tool)
      else if (endpoints.isOn) endpoints.of(connection)?.onHandOut(tool)
    })
    const listening =
      location.kind === 'socket' ? socketOf(server, location.path, uid) : pipeOf(server, location.file, pipe)
    const stop = async () => {
      leaveGateway?.()
      endpoints.stop()
      await listening.stop()
      await Promise.all([close(), remotes?.stop()])
    }
    const problem = await listening.listen()
    if (problem !== undefined) {
      await stop()
      return { kind: 'failed', problem }
    }
    // A failure is ignored, because leftover sockets do no harm.
    await remotes?.clean().catch(() => {})
    this.#running = { ...listening, location, turnedOff, stop }
    return { kind: 'on', location }
  }
}

const originsOf = (names: readonly string[], origin: (name: string) => string | undefined) =>
  Object.fromEntries(names.flatMap((name) => [[name, origin(name)]]).filter(([, each]) => each !== undefined))

/** SECURITY: the client libraries send the token to this origin only, unless their caller lists others. */
const originOf = (connection: StatusView['connection']): string | undefined =>
  connection && new URL(connection.dataAddress ?? connection.baseAddress).origin

function socketOf(server: Server, socket: string, uid: number): Listening {
  const file = { path: socket, uid }
  let identity: SocketIdentity | undefined
  const remembered = async (problem: AgentProblem | undefined) => {
    identity = problem === undefined ? await identityAt(socket) : undefined
    return problem
  }
  return {
    listen: async () => remembered(await listenAtSocket(server, file)),
    isReachable: async () => identity !== undefined && isReachable(file, identity),
    listenAgain: async () => remembered(await listenAgain(server, file, identity)),
    stop: async () => {
      if (identity !== undefined && (await identityAt(socket)) !== identity) stopListening(server, socket)
    },
  }
}

const pipeOf = (server: Server, file: string, content: PipeContent): Listening => ({
  listen: () => listenAtPipe(server, file, content),
  isReachable: () => isPipeFileIntact(file, content),
  listenAgain: () => restorePipeFile(file, content),
  stop: () => deletePipeFile(file, content.pipe),
})

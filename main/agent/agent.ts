import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { Clock } from '../session/ports.ts'
import { type AgentConnections, ConnectionEndpoints } from './connection-endpoints.ts'
import { fittedTo, roomForConnections, roomForRemotes } from './descriptors.ts'
import { LIMITS, type Limits, MOST_REMOTES, REMOTE_LIMITS } from './limits.ts'
import type { Location, LocationProblem } from './location.ts'
import { deletePipeFile, listenAtPipe, newPipeName } from './pipe-file.ts'
import type { AgentProblem } from './problem.ts'
import { Remotes } from './remotes.ts'
import type { Form } from './reply.ts'
import type { TurnedOff } from './requests.ts'
import { createAgentServer } from './server.ts'
import { listenAtSocket } from './socket-file.ts'
import { type StatusView, statusOf, statusReply } from './status.ts'
import { Usage } from './usage.ts'

export type AgentState =
  | { readonly kind: 'off' }
  | { readonly kind: 'on'; readonly location: Location }
  | { readonly kind: 'failed'; readonly problem: AgentProblem }

interface AgentPorts {
  /** Where the agent listens, or why it can't listen: the result of `locate`. */
  readonly location: Location | LocationProblem
  readonly connections: AgentConnections
  /** Returns the data for the status of the connection with this name. */
  readonly view: (connection: string) => StatusView
  readonly clock: Clock
  /** The user's id; `undefined` on Windows. */
  readonly uid?: number | undefined
  readonly limits?: Partial<Limits>
  /** Returns a new name for the pipe at each start. */
  readonly pipeName?: () => string
}

/** The listening server: it hands out tokens, or reports who turned the agent off. */
interface Running {
  readonly turnedOff: TurnedOff | undefined
  readonly stop: () => Promise<void>
}

/**
 * The local endpoint from which every tool of the user gets a valid access token. As with ssh-agent, any program of the
 * user can get a token, because Node can't find out which program connects. Other users are kept out by the socket's
 * permissions or, on Windows, by the pipe's secret.
 */
export class Agent {
  readonly usage: Usage
  readonly #ports: AgentPorts
  #state: AgentState = { kind: 'off' }
  #running: Running | undefined
  /** The last start or stop. The next one waits for it, so that they run one at a time. */
  #work: Promise<unknown> = Promise.resolve()

  constructor(ports: AgentPorts) {
    this.#ports = ports
    this.usage = new Usage(ports.clock)
  }

  get state(): AgentState {
    return this.#state
  }

  /**
   * Starts the agent unless it is already running. If that fails, the state says why, and the next call tries again.
   */
  start(): Promise<AgentState> {
    return this.#next(async () => {
      if (this.#running === undefined || this.#running.turnedOff !== undefined) {
        await this.#close()
        this.#state = await this.#open()
      }
      return this.#state
    })
  }

  /** Stops handing out tokens. From then on, every answer says who turned the agent off. */
  turnOff(by: TurnedOff): Promise<void> {
    return this.#next(async () => {
      this.#state = { kind: 'off' }
      if (this.#running?.turnedOff === by) return
      await this.#close()
      // If the agent can't listen, tools get the same error as if the app weren't running.
      await this.#open(by)
    })
  }

  /** Closes every connection, and removes the socket or the pipe's file. */
  stop(): Promise<void> {
    return this.#next(async () => {
      this.#state = { kind: 'off' }
      await this.#close()
    })
  }

  async #close(): Promise<void> {
    const running = this.#running
    this.#running = undefined
    await running?.stop()
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work)
    this.#work = done.catch(() => {})
    return done
  }

  async #open(turnedOff?: TurnedOff): Promise<AgentState> {
    const { location, connections, clock, view, uid = 0, pipeName = newPipeName } = this.#ports
    if (location.kind !== 'socket' && location.kind !== 'pipe') return { kind: 'failed', problem: location }
    const room = roomForConnections(process.platform)
    const remoteRoom = roomForRemotes(room)
    const limits = fittedTo({ ...LIMITS, ...this.#ports.limits }, room - remoteRoom)
    const { usage } = this
    const origin = (name: string) => originOf(view(name).connection?.baseAddress)
    const endpoints = new ConnectionEndpoints({ connections, origin, clock, limits, usage })
    const pipe = { pipe: pipeName(), secret: randomBytes(32).toString('base64url') }
    const status = (form: Form, connection: string) => statusReply(statusOf(view(connection)), form)
    const remotes =
      location.kind === 'socket'
        ? new Remotes({
            folder: path.dirname(location.path),
            uid,
            clock,
            endpoints,
            status,
            limits: fittedTo(REMOTE_LIMITS, Math.floor(remoteRoom / MOST_REMOTES)),
          })
        : undefined
    const { server, close } = createAgentServer({
      endpoints,
      remotes,
      limits,
      turnedOff,
      status,
      // SECURITY: tools must present a secret at a pipe, because Latchkey can't set all of a pipe's permissions.
      secret: location.kind === 'pipe' ? pipe.secret : undefined,
    })
    if (turnedOff === undefined) endpoints.start()
    const problem =
      location.kind === 'socket'
        ? await listenAtSocket(server, { path: location.path, uid })
        : await listenAtPipe(server, location.file, pipe)
    const stop = async () => {
      endpoints.stop()
      await Promise.all([close(), remotes?.stop()])
      if (location.kind === 'pipe') await deletePipeFile(location.file, pipe.pipe)
    }
    if (problem !== undefined) {
      await stop()
      return { kind: 'failed', problem }
    }
    this.#running = { turnedOff, stop }
    return { kind: 'on', location }
  }
}

const originOf = (address: string | undefined): string | undefined =>
  address === undefined ? undefined : new URL(address).origin

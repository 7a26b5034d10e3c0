import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { systemTime } from '../session/clock.ts'

interface ArrivalPorts {
  /** How long a request may take to arrive, from its first byte (or from the connection's begin) to its last: milliseconds. */
  readonly arrival: number
  /** Whether this connection has an answer without an end: nothing is expected of it. */
  readonly isStreaming: (socket: Socket) => boolean
  readonly cutOff: (socket: Socket) => void
}

interface Arriving {
  /** The last request whose head has arrived. */
  request?: IncomingMessage
  /** Bytes that had come when nothing was arriving. */
  before: number
  /** When the request that is arriving began: milliseconds of the system's monotonic clock. */
  since: number | undefined
}

/** The most that a request may be late before that is seen: milliseconds. */
const PACE = 1_000

/**
 * Cuts off requests that take too long to arrive. Node does so too, but looks at its connections for as long as it
 * listens, which would wake a computer every second of the day; this looks while somebody is connected.
 */
export class Arrivals {
  readonly #ports: ArrivalPorts
  readonly #arriving = new Map<Socket, Arriving>()
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(ports: ArrivalPorts) {
    this.#ports = ports
  }

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.#arriving.set(socket, { before: 0, since: systemTime.monotonic() })
      socket.once('close', () => {
        this.#arriving.delete(socket)
        if (this.#arriving.size === 0) this.#rest()
      })
      this.#timer ??= setInterval(() => this.#look(), Math.min(PACE, this.#ports.arrival))
    })
    server.on('request', (request) => this.#note(request))
    server.on('checkExpectation', (request) => this.#note(request))
  }

  #note(request: IncomingMessage): void {
    const arriving = this.#arriving.get(request.socket)
    if (arriving !== undefined) arriving.request = request
  }

  #look(): void {
    const { arrival, isStreaming, cutOff } = this.#ports
    const now = systemTime.monotonic()
    for (const [socket, arriving] of this.#arriving) {
      if (isStreaming(socket)) this.#arriving.delete(socket)
      else if (isOver(socket, arriving, now, arrival)) cutOff(socket)
    }
    if (this.#arriving.size === 0) this.#rest()
  }

  #rest(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

/** Takes note of what has come, and says whether that has taken too long. */
function isOver(socket: Socket, arriving: Arriving, now: number, arrival: number): boolean {
  if (arriving.request?.complete) {
    delete arriving.request
    arriving.before = socket.bytesRead
    arriving.since = undefined
  } else if (socket.bytesRead > arriving.before) {
    arriving.since ??= now
  }
  return arriving.since !== undefined && now - arriving.since >= arrival
}

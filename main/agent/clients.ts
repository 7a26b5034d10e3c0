import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Limits } from './limits.ts'

/** Who is connected, and how many of a connection's requests wait for an answer. */
export class Clients {
  readonly #limits: Pick<Limits, 'connections' | 'refusals' | 'waitingPerConnection'>
  readonly #open = new Set<Duplex>()
  /** Came when there was no room. */
  readonly #late = new WeakSet<Duplex>()
  readonly #waiting = new Map<Duplex, number>()

  constructor(limits: Pick<Limits, 'connections' | 'refusals' | 'waitingPerConnection'>) {
    this.#limits = limits
  }

  watch(server: Server): void {
    const { connections, refusals } = this.#limits
    server.maxConnections = connections + refusals
    server.on('connection', (socket) => {
      this.#open.add(socket)
      socket.once('close', () => this.#open.delete(socket))
      if (!this.#isCrowded) return
      // Those that only stand by make room; where that is not enough, the newcomer is told when it asks.
      server.closeIdleConnections()
      this.#late.add(socket)
    })
  }

  /** Whether there was no room for this one when it came, and still is none. */
  isOneTooMany(socket: Duplex): boolean {
    return this.#isCrowded && this.#late.has(socket)
  }

  /** A request of this connection waits; `false` where too many do. */
  wait(socket: Duplex): boolean {
    const count = (this.#waiting.get(socket) ?? 0) + 1
    this.#waiting.set(socket, count)
    return count <= this.#limits.waitingPerConnection
  }

  waitNoMore(socket: Duplex): void {
    const count = (this.#waiting.get(socket) ?? 0) - 1
    if (count > 0) this.#waiting.set(socket, count)
    else this.#waiting.delete(socket)
  }

  isWaiting(socket: Duplex): boolean {
    return this.#waiting.has(socket)
  }

  get #isCrowded(): boolean {
    return this.#open.size > this.#limits.connections
  }
}

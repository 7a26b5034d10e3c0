import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Limits } from './limits.ts'

/** Who is connected, and what of it is still to be answered. */
export class Clients {
  readonly #limits: Pick<Limits, 'connections' | 'refusals' | 'waitingPerConnection'>
  readonly #open = new Set<Duplex>()
  /** Came when there was no room. */
  readonly #late = new WeakSet<Duplex>()
  readonly #waiting = new Map<Duplex, number>()
  /** Has had its last answer. */
  readonly #leaving = new WeakSet<Duplex>()

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

  /** A request of this connection waits for its answer, or for more of it; `false` where too many do. */
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

  /** This answer is its last: what it sends from here on is not read. */
  leave(socket: Duplex): void {
    this.#leaving.add(socket)
  }

  /** What can be read of this connection is no request: ends it with this, where that can't be taken for another answer. */
  refuse(socket: Duplex, reply: string): void {
    if (this.#leaving.has(socket)) return
    if (!socket.writable || this.#waiting.has(socket)) socket.destroy()
    else socket.end(reply, () => socket.destroy())
  }

  get #isCrowded(): boolean {
    return this.#open.size > this.#limits.connections
  }
}

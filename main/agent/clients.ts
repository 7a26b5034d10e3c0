import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Limits } from './limits.ts'

/** Who is connected, and what of it is still to be answered. */
export class Clients {
  readonly #limits: Pick<Limits, 'connections' | 'refusals' | 'waitingPerConnection'>
  /** Each with what ends those of its requests that wait for an answer, or for more of it. */
  readonly #open = new Map<Duplex, Set<() => void>>()
  /** Came when there was no room. */
  readonly #late = new WeakSet<Duplex>()
  /** Has had its last answer. */
  readonly #leaving = new WeakSet<Duplex>()
  /** Has an answer without an end, behind which no other can be sent. */
  readonly #streaming = new WeakSet<Duplex>()

  constructor(limits: Pick<Limits, 'connections' | 'refusals' | 'waitingPerConnection'>) {
    this.#limits = limits
  }

  watch(server: Server): void {
    const { connections, refusals } = this.#limits
    server.maxConnections = connections + refusals
    server.on('connection', (socket) => {
      this.#open.set(socket, new Set())
      // Node tells only the answer whose turn it is of the connection's end, none that stands behind it.
      socket.once('close', () => {
        const waiting = this.#open.get(socket) ?? []
        this.#open.delete(socket)
        for (const over of waiting) over()
      })
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

  /**
   * A request of this connection waits for its answer, or for more of it; `false` where too many do. `over` is called
   * when the connection is closed, unless the request waits no more by then.
   */
  wait(socket: Duplex, over: () => void): boolean {
    const waiting = this.#open.get(socket)
    if (waiting === undefined) over()
    return (waiting?.add(over).size ?? 0) <= this.#limits.waitingPerConnection
  }

  waitNoMore(socket: Duplex, over: () => void): void {
    this.#open.get(socket)?.delete(over)
  }

  /** This answer has no end. */
  stream(socket: Duplex): void {
    this.#streaming.add(socket)
  }

  isStreaming(socket: Duplex): boolean {
    return this.#streaming.has(socket)
  }

  /** This answer is its last: what it sends from here on is not read. */
  leave(socket: Duplex): void {
    this.#leaving.add(socket)
  }

  /** What can be read of this connection is no request: ends it with this, where that can't be taken for another answer. */
  refuse(socket: Duplex, reply: string): void {
    if (this.#leaving.has(socket)) return
    const isWaiting = (this.#open.get(socket)?.size ?? 0) > 0
    if (!socket.writable || isWaiting) socket.destroy()
    else socket.end(reply, () => socket.destroy())
  }

  /** Closes each connection as soon as its last answer is sent: over a pipe, unlike a socket, that takes a while. */
  closeAll(): void {
    for (const socket of this.#open.keys()) {
      if (socket.writableLength === 0) socket.destroy()
      else socket.end(() => socket.destroy())
    }
  }

  get #isCrowded(): boolean {
    const { connections } = this.#limits
    if (this.#open.size <= connections) return false
    // Those that were just closed to make room are no longer in it: Windows tells only later that a pipe is closed.
    return [...this.#open.keys()].filter((socket) => !socket.destroyed).length > connections
  }
}

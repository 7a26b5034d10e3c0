import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Limits } from './limits.ts'

export class Clients {
  readonly #limits: Pick<Limits, 'connections' | 'refusals' | 'waitingPerConnection'>
  /** The open connections, each with a callback for each of its waiting requests. */
  readonly #open = new Map<Duplex, Set<() => void>>()
  /** Connections that arrived when there was no room. */
  readonly #late = new WeakSet<Duplex>()
  readonly #leaving = new WeakSet<Duplex>()
  /** Connections whose current reply is an endless stream. */
  readonly #streaming = new WeakSet<Duplex>()

  constructor(limits: Pick<Limits, 'connections' | 'refusals' | 'waitingPerConnection'>) {
    this.#limits = limits
  }

  watch(server: Server): void {
    const { connections, refusals } = this.#limits
    server.maxConnections = connections + refusals
    server.on('connection', (socket) => {
      this.#open.set(socket, new Set())
      // When a connection closes, Node emits `close` only for its current reply, so waiting requests are ended here.
      socket.once('close', () => {
        const waiting = this.#open.get(socket) ?? []
        this.#open.delete(socket)
        for (const onEnd of waiting) onEnd()
      })
      if (!this.#isCrowded) return
      // Idle connections are closed to make room. If that isn't enough, the new one gets an error.
      server.closeIdleConnections()
      this.#late.add(socket)
    })
  }

  /** Whether there was no room when this connection arrived, and still is none. */
  isOneTooMany(socket: Duplex): boolean {
    return this.#isCrowded && this.#late.has(socket)
  }

  /** Calls `onEnd` if the connection closes during the wait. Returns false if too many of its requests wait. */
  wait(socket: Duplex, onEnd: () => void): boolean {
    const waiting = this.#open.get(socket)
    if (waiting === undefined) onEnd()
    return (waiting?.add(onEnd).size ?? 0) <= this.#limits.waitingPerConnection
  }

  endWait(socket: Duplex, onEnd: () => void): void {
    this.#open.get(socket)?.delete(onEnd)
  }

  stream(socket: Duplex): void {
    this.#streaming.add(socket)
  }

  isStreaming(socket: Duplex): boolean {
    return this.#streaming.has(socket)
  }

  /** Makes the current reply the connection's last. */
  leave(socket: Duplex): void {
    this.#leaving.add(socket)
  }

  /** True after the request with the last reply. SECURITY: Node keeps ignored requests, so too many end the connection. */
  ignores(socket: Duplex): boolean {
    const isLeaving = this.#leaving.has(socket)
    if (isLeaving && !this.wait(socket, () => {})) socket.destroy()
    return isLeaving
  }

  /** Sends this reply, unless an earlier request waits and would seem answered, and closes the connection. */
  refuse(socket: Duplex, reply: string): void {
    if (this.#leaving.has(socket)) return
    const isWaiting = (this.#open.get(socket)?.size ?? 0) > 0
    if (!socket.writable || isWaiting) socket.destroy()
    else socket.end(reply, () => socket.destroy())
  }

  closeAll(): void {
    for (const socket of this.#open.keys()) {
      if (socket.writableLength === 0) socket.destroy()
      else socket.end(() => socket.destroy())
    }
  }

  get #isCrowded(): boolean {
    const { connections } = this.#limits
    if (this.#open.size <= connections) return false
    // Destroyed connections aren't counted. On Windows, they stay in `#open` for a moment.
    return [...this.#open.keys()].filter((socket) => !socket.destroyed).length > connections
  }
}

import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * The connections on which no right password has come yet. SECURITY: if there are too many, the oldest closes. So
 * another user of this computer can't keep the gateway's tools out, neither with silence nor with requests that never end.
 */
export class Strangers {
  readonly #open = new Set<Socket>()

  /** @param most how many may be open at once */
  watch(server: Server, most: number): void {
    server.on('connection', (socket) => {
      this.#open.add(socket)
      socket.once('close', () => this.#open.delete(socket))
      const [oldest] = this.#open
      if (this.#open.size > most && oldest !== undefined) {
        this.#open.delete(oldest)
        oldest.destroy()
      }
    })
  }

  /** The right password has come. */
  admit(socket: Socket): void {
    this.#open.delete(socket)
  }
}

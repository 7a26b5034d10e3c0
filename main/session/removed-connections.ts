import { addressOfEntry } from './entry.ts'
import type { Marker } from './ports.ts'
import type { SessionEngine } from './session-engine.ts'

export interface RemovedConnectionsPorts {
  readonly installation: string
  readonly markers: () => Readonly<Record<string, Marker>>
  /** Opens a session at this address. It restores nothing, and only revokes tokens. */
  readonly openRemoved: (address: string) => Pick<SessionEngine, 'start' | 'stop' | 'wake' | 'verifyEntry'>
  /** Whether a connection has this address, in its settings or its open session. */
  readonly isTaken: (address: string) => boolean
  readonly signal: AbortSignal
}

/**
 * Continues pending revocations at addresses that no connection has any more. Also tracks which sessions are closing,
 * because two sessions must never write the same entry.
 */
export class RemovedConnections {
  readonly #ports: RemovedConnectionsPorts
  readonly #open = new Map<string, ReturnType<RemovedConnectionsPorts['openRemoved']>>()
  /** The closing sessions, by address. A closing session may still write its entry. */
  readonly #closing = new Map<string, Promise<void>>()

  constructor(ports: RemovedConnectionsPorts) {
    this.#ports = ports
  }

  sync(): void {
    const { isTaken, openRemoved, signal } = this.#ports
    for (const address of this.#removed) {
      if (signal.aborted || this.#open.has(address) || isTaken(address)) continue
      const closed = this.#closing.get(address)
      if (closed === undefined) {
        const opened = openRemoved(address)
        this.#open.set(address, opened)
        void opened.start()
      } else void closed.then(() => this.sync())
    }
  }

  close(address: string, session: Pick<SessionEngine, 'stop'>): Promise<void> {
    const closed = session.stop().finally(() => {
      if (this.#closing.get(address) === closed) this.#closing.delete(address)
    })
    this.#closing.set(address, closed)
    return closed
  }

  /** Closes the session at this address. Call it until it returns `undefined`, when none is left there. */
  release(address: string): Promise<void> | undefined {
    const left = this.#open.get(address)
    if (left === undefined) return this.#closing.get(address)
    this.#open.delete(address)
    return this.close(address, left)
  }

  wake(): void {
    for (const left of this.#open.values()) left.wake()
  }

  verifyEntries(): void {
    for (const left of this.#open.values()) left.verifyEntry()
  }

  async stop(): Promise<void> {
    for (const address of [...this.#open.keys()]) void this.release(address)
    await Promise.all(this.#closing.values())
  }

  /** The addresses that may have tokens to revoke or an entry to remove. */
  get #removed(): readonly string[] {
    const { installation, markers } = this.#ports
    const marked = Object.entries(markers()).flatMap(([name, mark]) => {
      return mark === 'stored' ? [] : (addressOfEntry(name, installation) ?? [])
    })
    return [...new Set(marked)].filter((address) => URL.canParse(address))
  }
}

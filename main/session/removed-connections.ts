import { addressOfEntry } from './entry.ts'
import type { Marker } from './ports.ts'
import type { SessionEngine } from './session-engine.ts'

export interface RemovedConnectionsPorts {
  readonly installation: string
  /** The markers in the settings, by entry name. */
  readonly markers: () => Readonly<Record<string, Marker>>
  /** Opens a session of this address that restores nothing and only revokes. */
  readonly openRemoved: (address: string) => Pick<SessionEngine, 'start' | 'stop' | 'wake' | 'verifyEntry'>
  /** True if a connection has this address, in its settings or in its open session. */
  readonly isTaken: (address: string) => boolean
  /** The closing sessions, by address. A closing session may still write the entry of its address. */
  readonly closing: Map<string, Promise<void>>
}

/**
 * Addresses that the user removed after signing out, but before the service heard of it. Their revocations go on,
 * except while a connection has the address: two sessions would then write the same entry.
 */
export class RemovedConnections {
  readonly #ports: RemovedConnectionsPorts
  readonly #open = new Map<string, ReturnType<RemovedConnectionsPorts['openRemoved']>>()
  #isStopped = false

  constructor(ports: RemovedConnectionsPorts) {
    this.#ports = ports
  }

  /** Continues pending revocations at addresses that no connection has. */
  sync(): void {
    const { isTaken, closing, openRemoved } = this.#ports
    for (const address of this.#removed) {
      if (this.#isStopped || this.#open.has(address) || isTaken(address)) continue
      const closed = closing.get(address)
      if (closed === undefined) {
        const opened = openRemoved(address)
        this.#open.set(address, opened)
        void opened.start()
      } else void closed.then(() => this.sync())
    }
  }

  /**
   * Ends the earlier session of this address, so that a new one can open. Call it again when its promise resolves,
   * until it returns `undefined`.
   */
  release(address: string): Promise<void> | undefined {
    const { closing } = this.#ports
    const left = this.#open.get(address)
    if (left === undefined) return closing.get(address)
    this.#open.delete(address)
    const closed = left.stop().finally(() => closing.delete(address))
    closing.set(address, closed)
    return closed
  }

  wake(): void {
    for (const left of this.#open.values()) left.wake()
  }

  verifyEntries(): void {
    for (const left of this.#open.values()) left.verifyEntry()
  }

  /** Stops for good. Once every promise in `closing` has resolved, no work is under way. */
  stop(): void {
    this.#isStopped = true
    for (const address of [...this.#open.keys()]) void this.release(address)
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

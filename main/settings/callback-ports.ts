import * as v from 'valibot'
import type { Remembered } from '../base/key-value-store.ts'

/** For each port, the id of the process that listens there. The entry of a crashed process stays. */
const schema = v.fallback(v.record(v.string(), v.number()), {})

/** The fixed ports of the callback, stored so that `latchkey doctor` doesn't report Latchkey's own port as taken. */
export class CallbackPorts {
  readonly #stored: Remembered<Readonly<Record<string, number>>>

  constructor(stored: Remembered<Readonly<Record<string, number>>>) {
    this.#stored = stored
  }

  add(port: number, pid: number): () => void {
    this.#stored.set({ ...this.#ports, [port]: pid })
    return () => {
      const { [port]: _, ...rest } = this.#ports
      this.#stored.set(rest)
    }
  }

  /** Call this when the app starts. The ports that are still stored were left by a crash. */
  clear(): void {
    if (Object.keys(this.#ports).length > 0) this.#stored.set({})
  }

  has(port: number): boolean {
    const pid = this.#ports[port]
    return pid !== undefined && hasProcess(pid)
  }

  get #ports(): Readonly<Record<string, number>> {
    return v.parse(schema, this.#stored.get())
  }
}

function hasProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

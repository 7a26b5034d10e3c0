import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { Clock } from '../base/clock.ts'

/** The limit for a remote machine. In the first second, twice as many bytes are read. */
export const BYTES_PER_SECOND = 128 * 1_024
/** How many bytes are read before the app does other work. About 25 of the shortest requests fit into them. */
const SLICE = 1_024
const RETRY_MS = 50

/** Limits how fast the requests of a remote machine are read. All its connections share one throttle. */
export class Throttle {
  readonly #clock: Pick<Clock, 'now' | 'at'>
  #left = BYTES_PER_SECOND
  #countedAt: number

  constructor(clock: Pick<Clock, 'now' | 'at'>) {
    this.#clock = clock
    this.#countedAt = clock.now()
  }

  take(wanted: number): number {
    const now = this.#clock.now()
    this.#left = Math.min(BYTES_PER_SECOND, this.#left + ((now - this.#countedAt) * BYTES_PER_SECOND) / 1_000)
    this.#countedAt = now
    const taken = Math.min(wanted, Math.floor(this.#left))
    this.#left -= taken
    return taken
  }

  /** Returns a function that cancels the wait. */
  wait(onReady: () => void): () => void {
    return this.#clock.at(this.#clock.now() + RETRY_MS, onReady)
  }
}

/** SECURITY: reads a little at a time, so that a remote machine can't delay the app and this desktop's tools. */
export class ThrottledSocket extends Duplex {
  readonly #raw: Socket
  readonly #throttle: Throttle
  #pending: Buffer | undefined
  /** True when everything that arrived was passed on. */
  #isDry = false
  #cancelWait = (): void => {}

  constructor(raw: Socket, throttle: Throttle) {
    super()
    this.#raw = raw
    this.#throttle = throttle
    raw.on('end', () => {
      if (this.#isDry) this.push(null)
    })
    raw.on('error', (error) => this.destroy(error))
    raw.on('timeout', () => this.emit('timeout'))
  }

  /** Sets the idle timeout. Node's server calls this, as it does on a `net.Socket`. */
  setTimeout(timeout: number): this {
    this.#raw.setTimeout(timeout)
    return this
  }

  override _read(): void {
    this.#pending ??= this.#raw.read() ?? undefined
    this.#isDry = this.#pending === undefined
    if (this.#pending === undefined) {
      if (this.#raw.readableEnded) this.push(null)
      else this.#raw.once('readable', () => this._read())
      return
    }
    const taken = this.#throttle.take(Math.min(this.#pending.length, SLICE))
    if (taken === 0) {
      this.#cancelWait = this.#throttle.wait(() => this._read())
      return
    }
    const slice = this.#pending.subarray(0, taken)
    this.#pending = taken < this.#pending.length ? this.#pending.subarray(taken) : undefined
    setImmediate(() => this.push(slice))
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#raw.write(chunk, encoding, done)
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#raw.end(done)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#cancelWait()
    this.#raw.destroy()
    done(error)
  }
}

import type { Clock } from '../session/ports.ts'

type Which = 'connect timeout' | 'request timeout'

/** The deadlines of one request, on the Clock: one that slept through its own is over on resume. */
export class Deadlines {
  /** When the connection must stand, on the Clock. */
  readonly connectBy: number
  /** Rejects when one passes. */
  readonly over: Promise<never>
  readonly #ends = new Set<() => void>()
  #passed: Which | undefined
  #isConnected = false
  #controller: AbortController | undefined
  #cancel: () => void

  /** @param connect how long the connection may take to stand, and `request` all of it: milliseconds. */
  constructor(clock: Pick<Clock, 'now' | 'at'>, connect: number, request: number) {
    const start = clock.now()
    this.connectBy = start + connect
    let reject = (_reason: Error): void => {}
    this.over = new Promise((_, rejectIt) => {
      reject = rejectIt
    })
    const end = (which: Which) => {
      this.#passed = which
      reject(new Error(which))
      for (const each of this.#ends) each()
      // After the request that goes through it: what a signal ends is an error that somebody must expect.
      this.#controller?.abort(which)
    }
    // One at a time: hardly any request lives to see the second.
    this.#cancel = clock.at(start + Math.min(connect, request), () => {
      if (connect < request && !this.#isConnected) end('connect timeout')
      else if (clock.now() < start + request) this.#cancel = clock.at(start + request, () => end('request timeout'))
      else end('request timeout')
    })
  }

  /** Which of them has passed, if one has. */
  get passed(): Which | undefined {
    return this.#passed
  }

  /** For whoever takes nothing but a signal: to make one takes longer than all the rest of this. */
  signal(): AbortSignal {
    if (this.#passed !== undefined) return AbortSignal.abort(this.#passed)
    this.#controller ??= new AbortController()
    return this.#controller.signal
  }

  /** Calls `end` when one passes; returns the undo. Throws where one has passed. */
  onPassed(end: () => void): () => void {
    if (this.#passed !== undefined) throw new Error(this.#passed)
    this.#ends.add(end)
    return () => this.#ends.delete(end)
  }

  /** The connection stands. */
  connected(): void {
    this.#isConnected = true
  }

  /** The request is over: none passes any more. */
  stop(): void {
    this.#cancel()
  }
}

import type { Clock } from '../session/ports.ts'

/** The reason a signal is aborted with when time runs out; its `code` says which time. */
export const timeoutReason = (code: string): Error => Object.assign(new Error(code), { code })

/** The deadlines of one request, on the Clock: a request that slept through one is over on resume. */
export class Deadlines {
  /** When the connection must be established, on the Clock. */
  readonly connectBy: number
  readonly #controller = new AbortController()
  readonly #cancelConnect: () => void
  readonly #cancelRequest: () => void

  /** @param connect the timeout of the connection, and `request` of the whole request, in milliseconds. */
  constructor(clock: Pick<Clock, 'now' | 'at'>, connect: number, request: number) {
    const start = clock.now()
    this.connectBy = start + connect
    const endAt = (deadline: number, which: string) =>
      clock.at(deadline, () => {
        this.stop()
        this.#controller.abort(timeoutReason(which))
      })
    this.#cancelConnect = connect < request ? endAt(this.connectBy, 'connect timeout') : () => {}
    this.#cancelRequest = endAt(start + request, 'request timeout')
  }

  /** Aborted when a deadline passes. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Call it once connected. */
  connected(): void {
    this.#cancelConnect()
  }

  /** Cancels both, because the request has ended. */
  stop(): void {
    this.#cancelConnect()
    this.#cancelRequest()
  }
}

/** Settles like `work`, or rejects with the signal's reason as soon as it is aborted. The work itself continues. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject)
  })
}

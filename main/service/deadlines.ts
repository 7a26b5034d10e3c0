import type { Clock } from '../base/clock.ts'
import { errorWithCode } from './exchange-error.ts'

/**
 * The deadlines of one request, on the Clock, which counts time asleep: a deadline that passed meanwhile ends the
 * request on resume.
 */
export class Deadlines {
  /** The time on the `Clock` by which the connection must be established. */
  readonly connectBy: number
  /** Aborted when a deadline passes, or the caller aborts the request. */
  readonly signal: AbortSignal
  readonly #controller = new AbortController()
  readonly #cancelConnect: () => void
  readonly #cancelRequest: () => void

  /** @param connect the connection's timeout in milliseconds. `request`: the timeout of the whole request. */
  constructor(clock: Pick<Clock, 'now' | 'at'>, connect: number, request: number, caller?: AbortSignal) {
    this.signal = caller ? AbortSignal.any([caller, this.#controller.signal]) : this.#controller.signal
    const start = clock.now()
    this.connectBy = start + connect
    const endAt = (deadline: number, which: string) =>
      clock.at(deadline, () => {
        this.stop()
        this.#controller.abort(errorWithCode(which))
      })
    this.#cancelConnect = connect < request ? endAt(this.connectBy, 'connect timeout') : () => {}
    this.#cancelRequest = request === Number.POSITIVE_INFINITY ? () => {} : endAt(start + request, 'request timeout')
  }

  /** Call this when the connection is established. It cancels the deadline of the connection. */
  connected(): void {
    this.#cancelConnect()
  }

  /** Cancels both deadlines, because the request has ended. */
  stop(): void {
    this.#cancelConnect()
    this.#cancelRequest()
  }
}

/** Settles like `work`, or rejects with the signal's reason when the signal is aborted. The work itself continues. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject)
  })
}

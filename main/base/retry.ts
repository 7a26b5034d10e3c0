import type { Clock } from './clock.ts'
import { Subscription } from './listeners.ts'

export type Random = () => number

const FIRST_DELAY_MS = 1_000

/**
 * Full-jitter backoff: a random part of 1 s, 2 s, 4 s, … up to `cap`. `attempt` counts failures from 1. The first retry
 * comes within a second, so that a request whose response was lost is repeated within the service's grace period.
 */
export function backoff(attempt: number, cap: number, random: Random): number {
  return random() * Math.min(cap, FIRST_DELAY_MS * 2 ** Math.min(attempt - 1, 30))
}

interface RetryPorts {
  readonly clock: Clock
  readonly random: Random
  readonly capMs: number
  readonly signal: AbortSignal
  readonly attempt: () => void
}

export class Retry {
  readonly #ports: RetryPorts
  #failures = 0
  #notBefore = 0
  readonly #timer = new Subscription()

  constructor(ports: RetryPorts) {
    this.#ports = ports
    ports.signal.addEventListener('abort', () => this.#timer.end(), { once: true })
  }

  /** @param notBefore the end of the service's `Retry-After`, on the `Clock` */
  obey(notBefore: number): void {
    this.#notBefore = Math.max(this.#notBefore, notBefore)
  }

  failed(): void {
    const { clock, random, capMs, signal, attempt } = this.#ports
    if (signal.aborted) return
    this.#failures += 1
    const at = Math.max(this.#notBefore, clock.now() + backoff(this.#failures, capMs, random))
    this.#timer.end()
    this.#timer.begin(() => clock.at(at, attempt))
  }

  succeeded(): void {
    this.#failures = 0
  }

  /** To be called when an attempt begins. Clears the schedule and an earlier `Retry-After`. */
  begin(): void {
    this.#timer.end()
    this.#notBefore = 0
  }

  /** Runs a waiting attempt at once, unless the service asked to wait. */
  wake(): void {
    if (this.#timer.isOn && this.#ports.clock.now() >= this.#notBefore) this.#ports.attempt()
  }
}

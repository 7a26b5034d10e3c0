import type { Outcome } from '../contract/failures.ts'
import type { Clock } from '../main/base/clock.ts'
import type { Random } from '../main/base/retry.ts'
import type { RefreshToken } from '../main/base/secret.ts'
import type { TokenPair } from '../main/session/ports.ts'
import type { EventQueue } from './queue.ts'
import type { fleetService, Reply } from './service.ts'
import { MINUTE, SECOND, type Span } from './week.ts'

interface Conditions {
  readonly queue: EventQueue
  readonly service: ReturnType<typeof fleetService>
  readonly lostPercent: number
  /** The end of the simulation. In the last minute before it, no reply is lost, so that every loss shows its effect. */
  readonly end: number
  readonly lossNoticedAfter: number
  readonly lost: Map<string, number>
}

const LOST: Outcome<TokenPair> = {
  ok: false,
  failure: { code: 'unreachable', details: { cause: 'ECONNRESET', sent: true } },
}
/**
 * One person's computer: a clock whose timers stop during sleep, and the route to the service. A reply that is under
 * way when the lid closes still arrives, because systems take seconds to fall asleep.
 */
export class Computer implements Clock {
  readonly name: string
  readonly random: Random
  readonly #conditions: Conditions
  #isAsleep = true
  /** Timers that were due during sleep, in order. */
  #missed: (() => void)[] = []

  constructor(name: string, random: Random, conditions: Conditions) {
    this.name = name
    this.random = random
    this.#conditions = conditions
  }

  now(): number {
    return this.#conditions.queue.now
  }

  wall(): number {
    return this.now()
  }

  at(deadline: number, action: () => void): () => void {
    let isCancelled = false
    const ring = () => {
      if (isCancelled) return
      if (this.#isAsleep) this.#missed.push(ring)
      else action()
    }
    const cancel = this.#conditions.queue.at(deadline, ring)
    return () => {
      isCancelled = true
      cancel()
    }
  }

  /** Schedules the times at which the computer is awake. Calls `started` at the first, and `woken` at each later one. */
  live(days: readonly Span[], { started, woken }: { readonly started: () => void; readonly woken: () => void }): void {
    for (const [index, { from, to }] of days.entries()) {
      this.#conditions.queue.at(from, () => {
        this.#isAsleep = false
        for (const ring of this.#missed.splice(0)) ring()
        if (index === 0) started()
        else woken()
      })
      this.#conditions.queue.at(to, () => {
        this.#isAsleep = true
      })
    }
  }

  readonly login = () => this.#send(() => this.#conditions.service.login(this.name, this.random), 0)

  readonly refresh = (token: RefreshToken) => {
    const { service, lostPercent } = this.#conditions
    return this.#send(() => service.refresh(this.name, token, this.random), lostPercent / 100)
  }

  #send(serve: () => Reply, lossRate: number): Promise<Outcome<TokenPair>> {
    const { queue, end, lost, lossNoticedAfter } = this.#conditions
    const sentAt = queue.now
    return new Promise((resolve) => {
      queue.at(sentAt + this.#journey(), () => {
        const { outcome, family } = serve()
        const isLost = outcome.ok && queue.now < end - MINUTE && this.random() < lossRate
        if (isLost) lost.set(family, (lost.get(family) ?? 0) + 1)
        const arrival = queue.now + this.#journey()
        if (isLost) queue.at(Math.max(arrival, sentAt + lossNoticedAfter), () => resolve(LOST))
        else queue.at(arrival, () => resolve(outcome))
      })
    })
  }

  /** The time that a request or a reply travels, in milliseconds. */
  #journey(): number {
    return 10 + this.random() * 70
  }
}

/** The milliseconds until a person signs in again. */
export const signInDelay = (random: Random): number => 30 * SECOND + random() * 10 * MINUTE

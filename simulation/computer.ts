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
export type Computer = ReturnType<typeof startComputer>

/** Timers stop during sleep. A reply that is under way still arrives: systems take seconds to fall asleep. */
export function startComputer(name: string, random: Random, conditions: Conditions) {
  const { queue, service, end, lost, lostPercent, lossNoticedAfter } = conditions
  let isAsleep = true
  const missed: (() => void)[] = []
  const now = () => queue.now
  /** The time that a request or a reply travels, in milliseconds. */
  const journey = () => 10 + random() * 70

  const clock: Clock = {
    now,
    wall: now,
    at(deadline, action) {
      let isCancelled = false
      const ring = () => {
        if (isCancelled) return
        if (isAsleep) missed.push(ring)
        else action()
      }
      const cancel = queue.at(deadline, ring)
      return () => {
        isCancelled = true
        cancel()
      }
    },
  }

  /** Schedules the times at which the computer is awake. Calls `started` at the first, and `woken` at each later one. */
  function live(days: readonly Span[], { started, woken }: { started: () => void; woken: () => void }): void {
    for (const [index, { from, to }] of days.entries()) {
      queue.at(from, () => {
        isAsleep = false
        for (const ring of missed.splice(0)) ring()
        if (index === 0) started()
        else woken()
      })
      queue.at(to, () => {
        isAsleep = true
      })
    }
  }

  function send(serve: () => Reply, lossRate: number): Promise<Outcome<TokenPair>> {
    const sentAt = now()
    return new Promise((resolve) => {
      queue.at(sentAt + journey(), () => {
        const { outcome, family } = serve()
        const isLost = outcome.ok && now() < end - MINUTE && random() < lossRate
        if (isLost) lost.set(family, (lost.get(family) ?? 0) + 1)
        const arrival = now() + journey()
        if (isLost) queue.at(Math.max(arrival, sentAt + lossNoticedAfter), () => resolve(LOST))
        else queue.at(arrival, () => resolve(outcome))
      })
    })
  }

  const login = () => send(() => service.login(name, random), 0)
  const refresh = (token: RefreshToken) => send(() => service.refresh(name, token, random), lostPercent / 100)
  return { ...clock, name, random, live, login, refresh }
}

/** In milliseconds. */
export const signInDelay = (random: Random): number => 30 * SECOND + random() * 10 * MINUTE

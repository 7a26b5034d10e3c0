import { isIn, type Schedule } from './week.ts'

export class Notes {
  /** How often a session was lost, so that the user had to sign in again. */
  sessionsLost = 0
  /** Computers without a valid access token during the outage. */
  readonly withoutToken = new Set<string>()
  /** Milliseconds from the end of the outage until the last computer reached the service again. */
  lastBack = 0
  readonly #schedule: Schedule
  readonly #awaySince = new Map<string, number>()

  constructor(schedule: Schedule) {
    this.#schedule = schedule
  }

  /** How many computers can't reach the service now. */
  get stillAway(): number {
    return this.#awaySince.size
  }

  away(who: string, now: number, isOut: boolean): void {
    if (!this.#awaySince.has(who)) this.#awaySince.set(who, now)
    if (isOut && isIn(now, this.#schedule.outage)) this.withoutToken.add(who)
  }

  back(who: string, now: number): void {
    const since = this.#awaySince.get(who)
    this.#awaySince.delete(who)
    const { to } = this.#schedule.outage
    if (since !== undefined && since < to && now >= to) this.lastBack = Math.max(this.lastBack, now - to)
  }

  sessionLost(who: string): void {
    this.#awaySince.delete(who)
    this.sessionsLost += 1
  }
}

import { assertNever } from '../../contract/assert-never.ts'
import type { Clock } from './ports.ts'
import { warningTime } from './schedule.ts'
import { type SessionState, settledOf } from './state.ts'

export type AlarmName = 'renew' | 'warn' | 'ranOut'

/** A deadline on the Clock, and what is due then. */
export interface Alarm {
  readonly at: number
  readonly name: AlarmName
}

/** What a state waits for: these alarms, and no other. */
export function alarmsOf(state: SessionState): readonly Alarm[] {
  const settled = settledOf(state)
  switch (settled.kind) {
    case 'active': {
      const { token, renewal } = settled
      if (token.renewsAt === undefined) return [{ at: warningTime(token), name: 'warn' }]
      return renewal === 'idle' ? [{ at: token.renewsAt, name: 'renew' }] : []
    }
    case 'unreachable': {
      const { token, renewal, retryAt } = settled
      return [
        ...(renewal === 'idle' ? [{ at: retryAt, name: 'renew' } as const] : []),
        ...(token === undefined ? [] : [{ at: token.expiresAt, name: 'ranOut' } as const]),
      ]
    }
    case 'ending':
      return [{ at: settled.token.expiresAt, name: 'ranOut' }]
    case 'restoring':
    case 'keychainLocked':
    case 'signedOut':
    case 'expired':
      return []
    default:
      return assertNever(settled)
  }
}

/** The alarms that are set on the Clock: setting new ones clears the old. */
export class Alarms {
  readonly #clock: Pick<Clock, 'at'>
  readonly #ring: (name: AlarmName) => void
  #cancels: readonly (() => void)[] = []

  constructor(clock: Pick<Clock, 'at'>, ring: (name: AlarmName) => void) {
    this.#clock = clock
    this.#ring = ring
  }

  set(alarms: readonly Alarm[]): void {
    this.clear()
    this.#cancels = alarms.map(({ at, name }) => this.#clock.at(at, () => this.#ring(name)))
  }

  clear(): void {
    for (const cancel of this.#cancels) cancel()
    this.#cancels = []
  }
}

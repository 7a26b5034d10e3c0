import { assertNever } from '../../contract/assert-never.ts'
import type { Clock } from '../base/clock.ts'
import { whenAborted } from '../base/when-aborted.ts'
import type { PublishedState } from './published-state.ts'
import { warningTime } from './schedule.ts'
import { baseStateOf, type SessionState } from './state.ts'

export type AlarmName = 'refresh' | 'warn' | 'ranOut'

/** A deadline on the `Clock` and its action. */
export interface Alarm {
  readonly at: number
  readonly name: AlarmName
}

export function alarmsOf(state: SessionState): readonly Alarm[] {
  const base = baseStateOf(state)
  switch (base.kind) {
    case 'active': {
      const { token, refresh } = base
      if (token.refreshesAt === undefined) return [{ at: warningTime(token), name: 'warn' }]
      return refresh === 'idle' ? [{ at: token.refreshesAt, name: 'refresh' }] : []
    }
    case 'unreachable': {
      const { token, refresh, retryAt } = base
      return [
        ...(refresh === 'idle' ? [{ at: retryAt, name: 'refresh' } as const] : []),
        ...(token === undefined ? [] : [{ at: token.expiresAt, name: 'ranOut' } as const]),
      ]
    }
    case 'ending':
      return [{ at: base.token.expiresAt, name: 'ranOut' }]
    case 'restoring':
    case 'sessionUnread':
    case 'unknownVersion':
    case 'signedOut':
    case 'expired':
      return []
    default:
      return assertNever(base)
  }
}

interface AlarmsPorts {
  readonly clock: Pick<Clock, 'at'>
  readonly state: Pick<PublishedState, 'subscribe'>
  /** Cancels all alarms. */
  readonly signal: AbortSignal
  readonly onAlarm: (name: AlarmName) => void
}

/** Sets each state's alarms on the `Clock`. */
export class Alarms {
  readonly #ports: AlarmsPorts
  #cancels: readonly (() => void)[] = []

  constructor(ports: AlarmsPorts) {
    this.#ports = ports
  }

  start(): void {
    const { state, signal } = this.#ports
    const unsubscribe = state.subscribe((now) => this.#set(alarmsOf(now)))
    whenAborted(signal, () => {
      unsubscribe()
      this.#set([])
    })
  }

  #set(alarms: readonly Alarm[]): void {
    const { clock, onAlarm } = this.#ports
    for (const cancel of this.#cancels) cancel()
    this.#cancels = alarms.map(({ at, name }) => clock.at(at, () => onAlarm(name)))
  }
}

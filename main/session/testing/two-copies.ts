import fc from 'fast-check'
import { Desktop } from './desktop.ts'
import { settle } from './hand-time.ts'
import type { ModelService } from './model-service.ts'
import { PairWatch } from './pair-watch.ts'
import { answerAll, anyStep, HOUR, MINUTE, quit, randomFrom, rarely, SECOND, type Step, take } from './steps.ts'

/** A step of one of the copies. Time, the service and the keychain are those of both. */
interface PairStep {
  readonly which: 0 | 1
  readonly step: Step
}

export interface PairSchedule {
  readonly grace: number
  readonly detectsReuse: boolean
  readonly lifetime: number
  readonly revokesOnChange: boolean
  readonly isProviderRefreshable: boolean
  readonly tells: ModelService['options']['tells']
  readonly clockOffset: number
  readonly isSignedIn: boolean
  readonly seed: number
  readonly steps: readonly PairStep[]
}

export const anyPairSchedule: fc.Arbitrary<PairSchedule> = fc.record({
  grace: fc.constantFrom(0, 0, 30 * SECOND, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY),
  detectsReuse: fc.boolean(),
  lifetime: fc.constantFrom(5, 60, 3600),
  revokesOnChange: rarely(4),
  isProviderRefreshable: rarely(4).map((is) => !is),
  tells: fc.constantFrom('all', 'all', 'all', 'noIat', 'noExp', 'noSub', 'nothing'),
  clockOffset: fc.constantFrom(0, -HOUR, HOUR),
  isSignedIn: rarely(4).map((is) => !is),
  seed: fc.nat(0x7fffffff),
  steps: fc.array(fc.record({ which: fc.constantFrom(0, 1), step: anyStep }), { maxLength: 40, size: 'max' }),
})

const FAIR = { hasLiars: false, hasStrangers: false, isInMemory: false }

/** Plays one schedule with two copies of the program. Answers what was violated. */
export async function playTwoCopies(schedule: PairSchedule): Promise<readonly string[]> {
  const { grace, detectsReuse, lifetime, revokesOnChange, tells, isProviderRefreshable } = schedule
  const first = new Desktop()
  const second = new Desktop(first)
  const { service, sso, store } = first
  Object.assign(service.options, { grace, detectsReuse, lifetime, revokesOnChange, tells })
  Object.assign(sso.options, { grace, detectsReuse, lifetime, tells, isRefreshable: isProviderRefreshable })
  first.random = randomFrom(schedule.seed)
  second.random = randomFrom(~schedule.seed)
  second.clockOffset = schedule.clockOffset
  const isGenerous = grace === Number.POSITIVE_INFINITY && !revokesOnChange && isProviderRefreshable
  const both = [first, second] as const
  const watch = new PairWatch(both, isGenerous)
  for (const desktop of both) {
    await desktop.start()
    if (desktop === first && schedule.isSignedIn) {
      await take(first, watch.of(0), FAIR, { do: 'signIn', who: 'ana', method: 'password', isWrong: false })
    }
    await settle()
    await answerAll(first, watch.of(0))
  }
  for (const { which, step } of schedule.steps) {
    if (store.mode !== 'ok') watch.of(which).keychainTroubled()
    await take(both[which], watch.of(which), FAIR, step)
    await settle()
    if (store.mode !== 'ok') watch.of(which).keychainTroubled()
    watch.looksAround()
    if (watch.violations.length > 0) return watch.violations
  }
  await heal(both, watch)
  watch.looksBack()
  for (const which of [0, 1] as const) await quit(both[which], watch.of(which))
  return watch.violations
}

/** Everything works from now on, for long enough. What could not be seen at a start is found at the next one. */
async function heal(both: readonly [Desktop, Desktop], watch: PairWatch): Promise<void> {
  const [{ service, sso, store }] = both
  store.mode = 'ok'
  for (const which of [0, 1] as const) await take(both[which], watch.of(which), FAIR, { do: 'quit' })
  for (const each of [service, sso]) each.options.lifetime = 7200
  for (const ms of [0, MINUTE, 10 * MINUTE, HOUR, 10 * MINUTE, 5 * MINUTE]) {
    for (let passed = 0; passed <= ms; passed += 20 * SECOND) {
      await both[0].pass(Math.min(20 * SECOND, ms))
      await answerAll(both[0], watch.of(0))
    }
  }
}

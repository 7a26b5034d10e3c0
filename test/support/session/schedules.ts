import fc from 'fast-check'
import { settle } from '../manual-time.ts'
import { ModelDesktop } from './model-desktop.ts'
import type { ModelService } from './model-service.ts'
import { answerAll, anyStep, HOUR, MINUTE, quit, randomFrom, rarely, SECOND, type Step, take } from './steps.ts'
import { anyPairSchedule, playTwoInstances } from './two-instances.ts'
import { type Circumstances, Watch } from './watch.ts'

interface Schedule {
  readonly grace: number
  readonly isOneTime: boolean
  readonly lifetime: number
  readonly revokesOnChange: boolean
  readonly isProviderRefreshable: boolean
  readonly hasLyingProxies: boolean
  readonly hasStrangers: boolean
  readonly tells: ModelService['options']['tells']
  readonly isInMemory: boolean
  /** True if a user is signed in at the start. Most schedules begin so, because more can then happen. */
  readonly isSignedIn: boolean
  readonly seed: number
  readonly steps: readonly Step[]
}

const anySchedule: fc.Arbitrary<Schedule> = fc.record({
  grace: fc.constantFrom(0, 30 * SECOND, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY),
  isOneTime: rarely(4).map((is) => !is),
  lifetime: fc.constantFrom(1, 5, 60, 3600),
  revokesOnChange: rarely(4),
  isProviderRefreshable: rarely(4).map((is) => !is),
  hasLyingProxies: rarely(4),
  hasStrangers: rarely(6),
  tells: fc.constantFrom('all', 'all', 'all', 'noIat', 'noExp', 'noSub', 'nothing'),
  isInMemory: rarely(10),
  isSignedIn: rarely(4).map((is) => !is),
  seed: fc.nat(0x7fffffff),
  steps: fc.array(anyStep, { maxLength: 40, size: 'max' }),
})

const circumstancesOf = (schedule: Schedule): Circumstances => ({
  neverRefuses: neverRefuses(schedule),
  hasLyingProxies: schedule.hasLyingProxies,
  hasStrangers: schedule.hasStrangers,
  isInMemory: schedule.isInMemory,
})

/**
 * True if nothing in this schedule can end the session against the user's will. For example, a lost response
 * can end it if the service can't be reached again before the grace period is over. After a password change that ends
 * all sessions, a kill can end it.
 */
const neverRefuses = ({
  grace,
  hasLyingProxies,
  hasStrangers,
  revokesOnChange,
  isProviderRefreshable,
}: Schedule): boolean =>
  grace === Number.POSITIVE_INFINITY && !hasLyingProxies && !hasStrangers && !revokesOnChange && isProviderRefreshable

const SIGNED_IN: readonly Step[] = [
  { do: 'signIn', who: 'ana', grant: 'password', isWrong: false },
  { do: 'answerAll' },
]

async function play(schedule: Schedule): Promise<readonly string[]> {
  const desktop = new ModelDesktop()
  const { service, sso, store } = desktop
  const { grace, isOneTime, lifetime, revokesOnChange, tells } = schedule
  Object.assign(service.options, { grace, isOneTime, lifetime, revokesOnChange, tells })
  Object.assign(sso.options, { grace, lifetime, tells, isRefreshable: schedule.isProviderRefreshable })
  store.persistence = schedule.isInMemory ? 'memory' : 'keychain'
  desktop.random = randomFrom(schedule.seed)
  const watch = new Watch(desktop, circumstancesOf(schedule))
  await desktop.start()
  for (const each of schedule.isSignedIn ? [...SIGNED_IN, ...schedule.steps] : schedule.steps) {
    if (store.mode !== 'ok' || schedule.isInMemory) watch.keychainFailed()
    if (desktop.marker.isFull) watch.diskFailed()
    await take(desktop, watch, schedule, each)
    await settle()
    watch.looksAround()
    if (watch.violations.length > 0) return watch.violations
  }
  await heal(
    desktop,
    watch,
    schedule.steps.some((each) => (each.do === 'keychain' && each.mode === 'seemsMissing') || each.do === 'disk'),
  )
  watch.looksBack()
  await quit(desktop, watch)
  return watch.violations
}

/** Ends the simulated failures, and lets enough time pass for all pending work. */
async function heal(desktop: ModelDesktop, watch: Watch, wasUnseen: boolean): Promise<void> {
  const { service, sso, store } = desktop
  store.mode = 'ok'
  desktop.marker.isFull = false
  if (wasUnseen) {
    // Some pending revocations may have been unreadable at the start. The next start reads them.
    await quit(desktop, watch)
    watch.killed()
    await desktop.start()
  }
  for (const each of [service, sso]) each.options.lifetime = 7200
  for (const ms of [0, MINUTE, 10 * MINUTE, HOUR, 10 * MINUTE, 5 * MINUTE]) {
    // Every 20 s, each pending request gets its response.
    for (let passed = 0; passed <= ms; passed += 20 * SECOND) {
      await desktop.pass(Math.min(20 * SECOND, ms))
      await answerAll(desktop, watch)
    }
  }
}

/**
 * Plays random schedules with one instance of the program. Fails with the shortest schedule that breaks a rule, and its
 * seed.
 */
export const playSchedules = (numRuns: number, seed?: number): Promise<void> =>
  playAny(anySchedule, play, numRuns, seed)

/**
 * Plays random schedules with two instances of the program on one keychain. Fails with the shortest schedule that breaks a
 * rule, and its seed.
 */
export const playPairSchedules = (numRuns: number, seed?: number): Promise<void> =>
  playAny(anyPairSchedule, playTwoInstances, numRuns, seed)

async function playAny<S>(
  any: fc.Arbitrary<S>,
  playOne: (schedule: S) => Promise<readonly string[]>,
  numRuns: number,
  seed: number | undefined,
): Promise<void> {
  const rejections: unknown[] = []
  const note = (reason: unknown) => rejections.push(reason)
  process.on('unhandledRejection', note)
  try {
    await fc.assert(
      fc.asyncProperty(any, async (schedule) => {
        const violations = await playOne(schedule)
        const [rejection] = rejections.splice(0)
        if (rejection !== undefined) throw rejection
        if (violations.length > 0) throw new Error(violations.join('\n'))
      }),
      { numRuns, ...(seed === undefined ? {} : { seed }) },
    )
  } finally {
    process.off('unhandledRejection', note)
  }
}

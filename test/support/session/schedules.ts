import fc from 'fast-check'
import { settle } from '../manual-time.ts'
import { HOUR, MINUTE, ModelDesktop, SECOND } from './model-desktop.ts'
import type { ModelService } from './model-service.ts'
import { answerAll, anyStep, type Player, quit, rarely, type Step, take } from './steps.ts'
import { Watch } from './watch.ts'

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
  /** How far the second instance's wall clock is ahead, in milliseconds; `undefined` if there is one instance. */
  readonly secondClock: number | undefined
  readonly isSignedIn: boolean
  readonly seed: number
  readonly steps: readonly { readonly which: number; readonly step: Step }[]
}

const never = fc.constant(false)

const anySchedule = (isPair: boolean): fc.Arbitrary<Schedule> =>
  fc.record({
    grace: fc.constantFrom(0, 30 * SECOND, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY),
    isOneTime: isPair ? fc.constant(true) : rarely(4).map((is) => !is),
    lifetime: fc.constantFrom(...(isPair ? [] : [1]), 5, 60, 3600),
    revokesOnChange: rarely(4),
    isProviderRefreshable: rarely(4).map((is) => !is),
    hasLyingProxies: isPair ? never : rarely(4),
    hasStrangers: isPair ? never : rarely(6),
    tells: fc.constantFrom('all', 'all', 'all', 'noIat', 'noExp', 'noSub', 'nothing'),
    isInMemory: isPair ? never : rarely(10),
    secondClock: isPair ? fc.constantFrom(0, -HOUR, HOUR) : fc.constant(undefined),
    isSignedIn: rarely(4).map((is) => !is),
    seed: fc.nat(0x7fffffff),
    steps: fc.array(fc.record({ which: fc.nat(isPair ? 1 : 0), step: anyStep }), { maxLength: 40, size: 'max' }),
  })

/** True if nothing in this schedule can end the session, as a lost response or a kill after a password change can. */
const neverRefuses = (schedule: Schedule): boolean =>
  schedule.grace === Number.POSITIVE_INFINITY &&
  !schedule.hasLyingProxies &&
  !schedule.hasStrangers &&
  !schedule.revokesOnChange &&
  schedule.isProviderRefreshable

function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function playersOf(schedule: Schedule): readonly [Player, ...Player[]] {
  const circumstances = { ...schedule, neverRefuses: neverRefuses(schedule) }
  const first = new ModelDesktop()
  const playerOn = (desktop: ModelDesktop) => ({ desktop, watch: new Watch(desktop, circumstances) })
  const { service, sso, store } = first
  const { grace, isOneTime, lifetime, revokesOnChange, tells, secondClock } = schedule
  Object.assign(service.options, { grace, isOneTime, lifetime, revokesOnChange, tells })
  Object.assign(sso.options, { grace, lifetime, tells, isRefreshable: schedule.isProviderRefreshable })
  store.persistence = schedule.isInMemory ? 'memory' : 'keychain'
  first.random = randomFrom(schedule.seed)
  if (secondClock === undefined) return [playerOn(first)]
  const second = new ModelDesktop(first)
  second.random = randomFrom(~schedule.seed)
  second.clockOffset = secondClock
  return [playerOn(first), playerOn(second)]
}

async function play(schedule: Schedule): Promise<readonly string[]> {
  const players = playersOf(schedule)
  const violations = () => players.flatMap(({ watch }) => watch.violations)
  const noteFailures = () => {
    for (const { watch, desktop } of players) {
      if (desktop.store.mode !== 'ok' || schedule.isInMemory) watch.keychainFailed()
      if (desktop.marker.isFull) watch.diskFailed()
    }
  }
  for (const [which, player] of players.entries()) {
    await player.desktop.start()
    if (schedule.isSignedIn) {
      await take(players, which, schedule, { do: 'signIn', who: 'ana', grant: 'password', isWrong: false })
    }
    await settle()
    await answerAll(players)
  }
  for (const { which, step } of schedule.steps) {
    noteFailures()
    await take(players, which, schedule, step)
    await settle()
    noteFailures()
    for (const { watch } of players) watch.looksAround()
    if (violations().length > 0) return violations()
  }
  await heal(players, schedule)
  for (const { watch } of players) watch.looksBack()
  for (const player of players) await quit(player)
  return violations()
}

async function heal(players: readonly [Player, ...Player[]], schedule: Schedule): Promise<void> {
  const [{ desktop }] = players
  desktop.store.mode = 'ok'
  for (const each of players) each.desktop.marker.isFull = false
  // Some pending revocations may have been unreadable at the start. The next start reads them.
  const isUnseen = ({ step }: Schedule['steps'][number]) =>
    step.do === 'disk' || (step.do === 'keychain' && step.mode === 'seemsMissing')
  if (players.length > 1 || schedule.steps.some(isUnseen)) {
    for (const which of players.keys()) await take(players, which, schedule, { do: 'quit' })
  }
  for (const { options } of [desktop.service, desktop.sso]) options.lifetime = 7200
  for (const ms of [0, MINUTE, 10 * MINUTE, HOUR, 10 * MINUTE, 5 * MINUTE]) {
    // Every 20 s, each pending request gets its response.
    for (let passed = 0; passed <= ms; passed += 20 * SECOND) {
      await desktop.pass(Math.min(20 * SECOND, ms))
      await answerAll(players)
    }
  }
}

/** Plays random schedules. Fails with the shortest schedule that breaks a rule, and its seed. */
export async function playSchedules(numRuns: number, isPair: boolean, seed?: number): Promise<void> {
  const rejections: unknown[] = []
  const note = (reason: unknown) => rejections.push(reason)
  process.on('unhandledRejection', note)
  try {
    await fc.assert(
      fc.asyncProperty(anySchedule(isPair), async (schedule) => {
        const violations = await play(schedule)
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

import fc from 'fast-check'
import { settle } from '../manual-time.ts'
import { ModelDesktop } from './model-desktop.ts'
import type { ModelService, ServiceRequest } from './model-service.ts'
import {
  answerAll,
  anyStep,
  HOUR,
  MINUTE,
  type Observer,
  quit,
  randomFrom,
  rarely,
  SECOND,
  type Step,
  take,
} from './steps.ts'
import { Watch } from './watch.ts'

/** A step of one of the instances, which share the time, the service and the keychain. */
interface PairStep {
  readonly which: 0 | 1
  readonly step: Step
}

interface PairSchedule {
  readonly grace: number
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
  lifetime: fc.constantFrom(5, 60, 3600),
  revokesOnChange: rarely(4),
  isProviderRefreshable: rarely(4).map((is) => !is),
  tells: fc.constantFrom('all', 'all', 'all', 'noIat', 'noExp', 'noSub', 'nothing'),
  clockOffset: fc.constantFrom(0, -HOUR, HOUR),
  isSignedIn: rarely(4).map((is) => !is),
  seed: fc.nat(0x7fffffff),
  steps: fc.array(fc.record({ which: fc.constantFrom(0, 1), step: anyStep }), { maxLength: 40, size: 'max' }),
})

const FAIR = { hasLyingProxies: false, hasStrangers: false, isInMemory: false }

/**
 * Two instances of the program use one keychain, each with its own data folder. Each must keep every rule, whatever the
 * other does. Returns the violations.
 */
export async function playTwoInstances(schedule: PairSchedule): Promise<readonly string[]> {
  const { grace, lifetime, revokesOnChange, tells, isProviderRefreshable } = schedule
  const first = new ModelDesktop()
  const second = new ModelDesktop(first)
  const { service, sso, store } = first
  Object.assign(service.options, { grace, lifetime, revokesOnChange, tells })
  Object.assign(sso.options, { grace, lifetime, tells, isRefreshable: isProviderRefreshable })
  first.random = randomFrom(schedule.seed)
  second.random = randomFrom(~schedule.seed)
  second.clockOffset = schedule.clockOffset
  const neverRefuses = grace === Number.POSITIVE_INFINITY && !revokesOnChange && isProviderRefreshable
  const both = [first, second] as const
  const watches = [new Watch(first, { ...FAIR, neverRefuses }), new Watch(second, { ...FAIR, neverRefuses })] as const
  const violations = () => watches.flatMap((watch) => watch.violations)
  const observer = (which: 0 | 1) => observerOf(both, watches, which)
  for (const which of [0, 1] as const) {
    await both[which].start()
    if (schedule.isSignedIn) {
      await take(both[which], observer(which), FAIR, { do: 'signIn', who: 'ana', grant: 'password', isWrong: false })
    }
    await settle()
    await answerAll(first, observer(which))
  }
  for (const { which, step } of schedule.steps) {
    if (store.mode !== 'ok') for (const watch of watches) watch.keychainFailed()
    for (const each of [0, 1] as const) if (both[each].marker.isFull) watches[each].diskFailed()
    await take(both[which], observer(which), FAIR, step)
    await settle()
    if (store.mode !== 'ok') for (const watch of watches) watch.keychainFailed()
    for (const watch of watches) watch.looksAround()
    if (violations().length > 0) return violations()
  }
  await heal(both, observer)
  for (const watch of watches) watch.looksBack()
  for (const which of [0, 1] as const) await quit(both[which], observer(which))
  return violations()
}

/** Returns the observer of one instance. It passes each response to the watch of the instance that sent the request. */
function observerOf(
  both: readonly [ModelDesktop, ModelDesktop],
  watches: readonly [Watch, Watch],
  which: 0 | 1,
): Observer {
  const watch = watches[which]
  const asking = ({ client }: ServiceRequest) => watches[both[1].isRunning(client.id) ? 1 : 0]
  return {
    violations: watch.violations,
    userActs: () => watch.userActs(),
    userWaits: (done) => watch.userWaits(done),
    signsIn: (ask) => watch.signsIn(ask),
    cancels: () => watch.cancels(),
    signsOut: () => watch.signsOut(),
    answers: (request, how) => asking(request).answers(request, how),
    loggedIn: (request, ...rest) => asking(request).loggedIn(request, ...rest),
    proved: (request, family) => asking(request).proved(request, family),
    keychainFailed: () => {
      for (const each of watches) each.keychainFailed()
    },
    diskFailed: () => watch.diskFailed(),
    killed: () => watch.killed(),
  }
}

/**
 * Ends the simulated failures, and lets enough time pass for all pending work. Both instances restart first, because a
 * start reads the entries that an earlier start couldn't read.
 */
async function heal(both: readonly [ModelDesktop, ModelDesktop], observer: (which: 0 | 1) => Observer): Promise<void> {
  const [{ service, sso, store }] = both
  store.mode = 'ok'
  for (const { marker } of both) marker.isFull = false
  for (const which of [0, 1] as const) await take(both[which], observer(which), FAIR, { do: 'quit' })
  for (const each of [service, sso]) each.options.lifetime = 7200
  for (const ms of [0, MINUTE, 10 * MINUTE, HOUR, 10 * MINUTE, 5 * MINUTE]) {
    for (let passed = 0; passed <= ms; passed += 20 * SECOND) {
      await both[0].pass(Math.min(20 * SECOND, ms))
      await answerAll(both[0], observer(0))
    }
  }
}

import fc from 'fast-check'
import { password } from '../secret.ts'
import { Desktop } from './desktop.ts'
import { settle } from './hand-time.ts'
import type { Answer, ModelService } from './model-service.ts'
import type { KeychainMode } from './model-store.ts'
import { Watch, type World } from './watch.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

type Step =
  | { readonly do: 'pass' | 'sleep' | 'step'; readonly ms: number }
  | { readonly do: 'answer'; readonly which: number; readonly how: Answer }
  | { readonly do: 'answerAll' }
  | {
      readonly do: 'signIn'
      readonly who: 'ana' | 'ben'
      readonly method: 'password' | 'sso'
      readonly isWrong: boolean
    }
  | { readonly do: 'signOut' | 'renew' | 'wake' | 'quit' }
  | { readonly do: 'changePassword'; readonly to: string }
  | { readonly do: 'kill'; readonly appliesBegun: boolean }
  | { readonly do: 'keychain'; readonly mode: KeychainMode }
  /** From now on the service answers with the tokens of a stranger, or no more. */
  | { readonly do: 'stranger'; readonly is: boolean }

interface Schedule {
  readonly grace: number
  readonly lifetime: number
  readonly revokesOnChange: boolean
  readonly isProviderRefreshable: boolean
  readonly hasLiars: boolean
  readonly hasStrangers: boolean
  readonly tells: ModelService['options']['tells']
  readonly isInMemory: boolean
  /** Most schedules begin where it gets interesting. */
  readonly isSignedIn: boolean
  readonly seed: number
  readonly steps: readonly Step[]
}

const someTime = fc.constantFrom(100, SECOND, 5 * SECOND, 20 * SECOND, MINUTE, 10 * MINUTE, HOUR)

const anyAnswer: fc.Arbitrary<Answer> = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Answer>('reply') },
  { weight: 3, arbitrary: fc.constantFrom<Answer>('loseReply', 'unreachable') },
  { weight: 1, arbitrary: fc.constantFrom(1, 30, 600, 7200).map((retryAfter): Answer => ({ retryAfter })) },
  { weight: 2, arbitrary: fc.constant<Answer>('refuse') },
)

/** True once in so many. */
const rarely = (oneIn: number): fc.Arbitrary<boolean> => fc.integer({ min: 1, max: oneIn }).map((n) => n === oneIn)

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: someTime }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sleep' as const), ms: someTime }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('step' as const), ms: fc.constantFrom(-HOUR, -MINUTE, MINUTE, HOUR) }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('answer' as const), which: fc.nat(3), how: anyAnswer }) },
  { weight: 4, arbitrary: fc.constant<Step>({ do: 'answerAll' }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('signIn' as const),
      who: fc.constantFrom('ana' as const, 'ben' as const),
      method: rarely(6).map((isSso) => (isSso ? 'sso' : 'password')),
      isWrong: rarely(8),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.constantFrom<Step>(
      { do: 'signOut' },
      { do: 'renew' },
      { do: 'renew' },
      { do: 'wake' },
      { do: 'quit' },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('changePassword' as const),
      to: fc.constantFrom('no', 'SECRET new 1', 'SECRET new 2'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stranger' as const), is: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('kill' as const), appliesBegun: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('keychain' as const),
      mode: fc.constantFrom<KeychainMode>('ok', 'ok', 'ok', 'fails', 'locked', 'seemsMissing', 'hangs'),
    }),
  },
)

const anySchedule: fc.Arbitrary<Schedule> = fc.record({
  grace: fc.constantFrom(0, 30 * SECOND, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY),
  lifetime: fc.constantFrom(5, 60, 3600),
  revokesOnChange: rarely(4),
  isProviderRefreshable: rarely(4).map((is) => !is),
  hasLiars: rarely(4),
  hasStrangers: rarely(6),
  tells: fc.constantFrom('all', 'all', 'all', 'noIat', 'noExp', 'noSub', 'nothing'),
  isInMemory: rarely(10),
  isSignedIn: rarely(4).map((is) => !is),
  seed: fc.nat(0x7fffffff),
  steps: fc.array(anyStep, { maxLength: 40, size: 'max' }),
})

/**
 * In which worlds no session may be lost: spent tokens are exchanged for ever (else a lost reply and a long
 * outage lose one), nobody but the service refuses, and a password change ends no session (else a kill before
 * the silent sign-in loses one; that survival has tests of its own).
 */
const worldOf = (schedule: Schedule): World => ({
  isGenerous: isGenerous(schedule),
  hasLiars: schedule.hasLiars,
  hasStrangers: schedule.hasStrangers,
  isInMemory: schedule.isInMemory,
})

const isGenerous = ({ grace, hasLiars, hasStrangers, revokesOnChange, isProviderRefreshable }: Schedule): boolean =>
  grace === Number.POSITIVE_INFINITY && !hasLiars && !hasStrangers && !revokesOnChange && isProviderRefreshable

/** Numbers in [0, 1) that a seed decides (a linear congruential generator). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const SIGNED_IN: readonly Step[] = [
  { do: 'signIn', who: 'ana', method: 'password', isWrong: false },
  { do: 'answerAll' },
]

/** Plays one schedule. Answers what was violated. */
async function play(schedule: Schedule): Promise<readonly string[]> {
  const desktop = new Desktop()
  const { service, sso, store } = desktop
  const { grace, lifetime, revokesOnChange, tells } = schedule
  Object.assign(service.options, { grace, lifetime, revokesOnChange, tells })
  Object.assign(sso.options, { grace, lifetime, tells, isRefreshable: schedule.isProviderRefreshable })
  store.persistence = schedule.isInMemory ? 'memory' : 'keychain'
  desktop.random = randomFrom(schedule.seed)
  const watch = new Watch(desktop, worldOf(schedule))
  await desktop.start()
  for (const each of schedule.isSignedIn ? [...SIGNED_IN, ...schedule.steps] : schedule.steps) {
    if (store.mode !== 'ok' || schedule.isInMemory) watch.keychainTroubled()
    await take(desktop, watch, schedule, each)
    await settle()
    watch.looksAround()
    if (watch.violations.length > 0) return watch.violations
  }
  await heal(
    desktop,
    watch,
    schedule.steps.some((each) => each.do === 'keychain' && each.mode === 'seemsMissing'),
  )
  watch.looksBack()
  await quit(desktop, watch)
  return watch.violations
}

async function take(desktop: Desktop, watch: Watch, schedule: Schedule, step: Step): Promise<void> {
  const { time, session, store } = desktop
  switch (step.do) {
    case 'pass':
      return desktop.pass(step.ms)
    case 'sleep':
      return desktop.sleep(step.ms)
    case 'step':
      time.step(step.ms)
      // A step back that is followed by sleep before anybody looks hides that sleep from any clock.
      desktop.clock.now()
      return
    case 'answer': {
      const pending = allPending(desktop)
      const found = pending[step.which % Math.max(1, pending.length)]
      if (found !== undefined) answerOne(watch, found, step.how === 'refuse' && !schedule.hasLiars ? 'reply' : step.how)
      return
    }
    case 'answerAll':
      return answerAll(desktop, watch)
    case 'signIn': {
      watch.userActs()
      const right = (step.method === 'sso' ? desktop.sso : desktop.service).passwords.get(step.who) ?? ''
      const typed = password(step.isWrong ? 'SECRET wrong' : right)
      watch.signsIn(() => session.signIn(step.method, { username: step.who, password: typed }))
      return
    }
    case 'signOut':
      watch.userActs()
      watch.signsOut()
      void session.signOut()
      return
    case 'renew':
      watch.userActs()
      void session.renew()
      return
    case 'changePassword':
      watch.userWaits(session.changePassword(password(step.to)))
      return
    case 'wake':
      return session.wake()
    case 'kill':
      desktop.kill(step)
      await settle()
      if (schedule.isInMemory) store.entries.clear()
      watch.killed()
      return desktop.start()
    case 'quit':
      await quit(desktop, watch)
      if (schedule.isInMemory) store.entries.clear()
      watch.killed()
      return desktop.start()
    case 'stranger':
      desktop.service.options.subject = step.is && schedule.hasStrangers ? 'sub of a stranger' : undefined
      return
    case 'keychain':
      if (schedule.isInMemory) return
      store.mode = step.mode
      if (step.mode !== 'ok') watch.keychainTroubled()
      return
  }
}

type Found = { readonly service: ModelService; readonly request: ModelService['pending'][number] }

const allPending = ({ service, sso }: Desktop): readonly Found[] =>
  [service, sso].flatMap((each) => each.pending.map((request) => ({ service: each, request })))

function answerOne(watch: Watch, { service, request }: Found, how: Answer): void {
  const before = service.families.length
  const wasAbandoned = request.isAbandoned()
  watch.answers(request, how !== 'loseReply', typeof how === 'object' ? how.retryAfter : undefined)
  request.answer(how)
  if (request.operation === 'login' && how === 'reply') watch.loggedIn(request, wasAbandoned, service, before)
}

async function answerAll(desktop: Desktop, watch: Watch): Promise<void> {
  for (let pending = allPending(desktop); pending.length > 0; pending = allPending(desktop)) {
    for (const found of pending) answerOne(watch, found, 'reply')
    await settle()
  }
}

/** Everything works from now on, for long enough. */
async function heal(desktop: Desktop, watch: Watch, wasUnseen: boolean): Promise<void> {
  const { service, sso, store } = desktop
  store.mode = 'ok'
  if (wasUnseen) {
    // Revocations that could not be seen at the start are found at the next one.
    await quit(desktop, watch)
    watch.killed()
    await desktop.start()
  }
  for (const each of [service, sso]) each.options.lifetime = 7200
  for (const ms of [0, MINUTE, 10 * MINUTE, HOUR, 10 * MINUTE, 5 * MINUTE]) {
    // In small steps: an answer is never a minute away.
    for (let passed = 0; passed <= ms; passed += 20 * SECOND) {
      await desktop.pass(Math.min(20 * SECOND, ms))
      await answerAll(desktop, watch)
    }
  }
}

/** Stops the program in the usual way, with nobody answering: it waits no longer than its requests do. */
async function quit(desktop: Desktop, watch: Watch): Promise<void> {
  let isStopped = false
  void desktop.session.stop().then(() => {
    isStopped = true
  })
  await settle()
  for (let i = 0; i < 40 && !isStopped; i++) await desktop.pass(5 * SECOND)
  if (!isStopped) watch.violations.push('it never stops')
  if (desktop.time.pending() > 0) watch.violations.push('a timer is left behind')
  desktop.kill()
}

/** Plays so many random schedules; fails with the shortest that breaks a rule, and the seed that leads to it. */
export async function playSchedules(numRuns: number, seed?: number): Promise<void> {
  const rejections: unknown[] = []
  const note = (reason: unknown) => rejections.push(reason)
  process.on('unhandledRejection', note)
  try {
    await fc.assert(
      fc.asyncProperty(anySchedule, async (schedule) => {
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

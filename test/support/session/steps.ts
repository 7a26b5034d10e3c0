import fc from 'fast-check'
import type { Outcome } from '../../../contract/failures.ts'
import type { GrantName } from '../../../contract/grants.ts'
import { password } from '../../../main/base/secret.ts'
import { baseStateOf } from '../../../main/session/state.ts'
import { settle } from '../manual-time.ts'
import type { ModelDesktop } from './model-desktop.ts'
import type { Answer, Family, ModelService, ServiceRequest } from './model-service.ts'
import type { KeychainMode } from './model-store.ts'

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE

/** Something that happens to an instance of the program or to its environment. */
export type Step =
  | { readonly do: 'pass' | 'sleep' | 'step'; readonly ms: number }
  | { readonly do: 'answer'; readonly which: number; readonly how: Answer }
  | { readonly do: 'answerAll' }
  | {
      readonly do: 'signIn'
      readonly who: 'ana' | 'ben'
      readonly grant: GrantName
      readonly isWrong: boolean
    }
  | { readonly do: 'signOut' | 'cancelSignIn' | 'refresh' | 'wake' | 'quit' }
  | { readonly do: 'changePassword'; readonly to: string; readonly isWrong: boolean }
  | { readonly do: 'kill'; readonly appliesBegun: boolean }
  | { readonly do: 'keychain'; readonly mode: KeychainMode }
  /** From now on, the settings can't be written, or can be again. */
  | { readonly do: 'disk'; readonly isFull: boolean }
  /** From now on, the service returns another user's tokens (`is: true`), or the right user's again (`is: false`). */
  | { readonly do: 'stranger'; readonly is: boolean }

export interface Observer {
  readonly violations: string[]
  userActs(): void
  userWaits(done: Promise<unknown>): void
  signsIn(ask: () => Promise<Outcome>): void
  /** Called before the user cancels a pending sign-in. */
  cancels(): void
  signsOut(): void
  /** Called before a request gets its response. */
  answers(request: ServiceRequest, how: Answer): void
  /** Called after a login, with the session that it began or continued. */
  loggedIn(request: ServiceRequest, wasAbandoned: boolean, family: Family): void
  /** Called after a login that proved the current password and began a session of its own. */
  proved(request: ServiceRequest, family: Family): void
  keychainFailed(): void
  /** Called before and after each step while the settings can't be written. */
  diskFailed(): void
  /** Called after a kill and before the next start. */
  killed(): void
}

/** The conditions that stay the same throughout a schedule. */
interface Conditions {
  readonly hasLyingProxies: boolean
  readonly hasStrangers: boolean
  readonly isInMemory: boolean
}

const someTime = fc.constantFrom(100, SECOND, 5 * SECOND, 20 * SECOND, MINUTE, 10 * MINUTE, HOUR)

const anyAnswer: fc.Arbitrary<Answer> = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Answer>('reply') },
  { weight: 3, arbitrary: fc.constantFrom<Answer>('loseReply', 'unreachable') },
  { weight: 1, arbitrary: fc.constantFrom(1, 30, 600, 7200).map((retryAfter): Answer => ({ retryAfter })) },
  { weight: 2, arbitrary: fc.constant<Answer>('refuse') },
  { weight: 2, arbitrary: fc.constant<Answer>('unclear') },
)

/** True if a gateway may have sent this refusal, so that the refused token may be valid. */
const isLie = (how: Answer): boolean => how === 'refuse' || how === 'unclear'

/** True in one of `oneIn` cases. */
export const rarely = (oneIn: number): fc.Arbitrary<boolean> =>
  fc.integer({ min: 1, max: oneIn }).map((n) => n === oneIn)

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
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
      grant: rarely(6).map((isSso) => (isSso ? 'passwordRealm' : 'password')),
      isWrong: rarely(8),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.constantFrom<Step>(
      { do: 'signOut' },
      { do: 'cancelSignIn' },
      { do: 'refresh' },
      { do: 'refresh' },
      { do: 'wake' },
      { do: 'quit' },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('changePassword' as const),
      to: fc.constantFrom('no', 'SECRET new 1', 'SECRET new 2'),
      isWrong: rarely(4),
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
  { weight: 2, arbitrary: fc.record({ do: fc.constant('disk' as const), isFull: fc.boolean() }) },
)

/** Numbers in [0, 1) that depend only on the seed (a linear congruential generator). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

export async function take(desktop: ModelDesktop, watch: Observer, schedule: Conditions, step: Step): Promise<void> {
  const { time, session, store } = desktop
  switch (step.do) {
    case 'pass':
      return desktop.pass(step.ms)
    case 'sleep':
      return desktop.sleep(step.ms)
    case 'step':
      time.step(step.ms)
      // The program must notice this change now. Otherwise, a later sleep could hide the change.
      desktop.clock.now()
      return
    case 'answer': {
      const pending = allPending(desktop)
      const found = pending[step.which % Math.max(1, pending.length)]
      if (found !== undefined)
        answerOne(watch, found, isLie(step.how) && !schedule.hasLyingProxies ? 'reply' : step.how)
      return
    }
    case 'answerAll':
      return answerAll(desktop, watch)
    case 'signIn': {
      watch.userActs()
      const right = (step.grant === 'passwordRealm' ? desktop.sso : desktop.service).passwords.get(step.who) ?? ''
      const typed = password(step.isWrong ? 'SECRET wrong' : right)
      watch.signsIn(() => session.signIn.begin(step.grant, { username: step.who, password: typed }))
      return
    }
    case 'signOut':
      watch.userActs()
      watch.signsOut()
      void session.signOut()
      return
    case 'cancelSignIn':
      watch.cancels()
      return session.signIn.cancel()
    case 'refresh':
      watch.userActs()
      void session.refresh()
      return
    case 'changePassword': {
      const state = baseStateOf(desktop.state)
      const username = 'account' in state ? state.account.username : 'ana'
      const right = desktop.service.passwords.get(username) ?? ''
      const before = new Set(desktop.service.pending)
      const currentPassword = password(step.isWrong ? 'SECRET wrong' : right)
      watch.userWaits(session.changePassword({ currentPassword, newPassword: password(step.to) }))
      for (const request of desktop.service.pending) if (!before.has(request)) proofs.add(request)
      return
    }
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
      if (step.mode !== 'ok') watch.keychainFailed()
      return
    case 'disk':
      desktop.marker.isFull = step.isFull
      if (step.isFull) watch.diskFailed()
      return
  }
}

/** Logins that prove the current password before a password change. */
const proofs = new WeakSet<ServiceRequest>()

type Found = { readonly service: ModelService; readonly request: ModelService['pending'][number] }

const allPending = ({ service, sso }: ModelDesktop): readonly Found[] =>
  [service, sso].flatMap((each) => each.pending.map((request) => ({ service: each, request })))

function answerOne(watch: Observer, { service, request }: Found, how: Answer): void {
  const before = service.logins.length
  const known = new Set(service.families)
  const wasAbandoned = request.isAbandoned()
  watch.answers(request, how)
  request.answer(how)
  const family = service.logins[before]
  if (family === undefined || how !== 'reply') return
  if (!proofs.has(request)) watch.loggedIn(request, wasAbandoned, family)
  // If each user has only one refresh token, the login may return the token of another session, which must not be
  // revoked.
  else if (!known.has(family) && !wasAbandoned) watch.proved(request, family)
}

export async function answerAll(desktop: ModelDesktop, watch: Observer): Promise<void> {
  for (let pending = allPending(desktop); pending.length > 0; pending = allPending(desktop)) {
    for (const found of pending) answerOne(watch, found, 'reply')
    await settle()
  }
}

/** Stops the program while the service doesn't respond. That must take no longer than the program's timeouts. */
export async function quit(desktop: ModelDesktop, watch: Observer): Promise<void> {
  let isStopped = false
  void desktop.session.stop().then(() => {
    isStopped = true
  })
  await settle()
  for (let i = 0; i < 40 && !isStopped; i++) await desktop.pass(5 * SECOND)
  if (!isStopped) watch.violations.push('it never stops')
  if (desktop.program.timers() > 0) watch.violations.push('a timer is left behind')
  desktop.kill()
}

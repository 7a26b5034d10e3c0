import fc from 'fast-check'
import type { GrantName } from '../../../contract/grants.ts'
import { password } from '../../../main/base/secret.ts'
import { baseStateOf } from '../../../main/session/state.ts'
import { settle } from '../manual-time.ts'
import { HOUR, MINUTE, type ModelDesktop, SECOND } from './model-desktop.ts'
import type { Answer, ModelService, ServiceRequest } from './model-service.ts'
import type { KeychainMode } from './model-store.ts'
import type { Circumstances, Watch } from './watch.ts'

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
  | { readonly do: 'disk'; readonly isFull: boolean }
  /** From now on, the service returns another user's tokens (`is: true`), or the right user's again (`is: false`). */
  | { readonly do: 'stranger'; readonly is: boolean }

/** An instance of the program, and what watches it. The instances share the time, the service and the keychain. */
export interface Player {
  readonly desktop: ModelDesktop
  readonly watch: Watch
}
type Players = readonly [Player, ...Player[]]

type Conditions = Omit<Circumstances, 'neverRefuses'>

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

export const rarely = (oneIn: number): fc.Arbitrary<boolean> =>
  fc.integer({ min: 1, max: oneIn }).map((n) => n === oneIn)

const steps = (weight: number, kind: Step['do'], values: Readonly<Record<string, fc.Arbitrary<unknown>>> = {}) => ({
  weight,
  arbitrary: fc.record({ do: fc.constant(kind), ...values }) as fc.Arbitrary<unknown> as fc.Arbitrary<Step>,
})

const anyGrant = rarely(6).map((isSso): GrantName => (isSso ? 'passwordRealm' : 'password'))
const anyMode = fc.constantFrom<KeychainMode>('ok', 'ok', 'ok', 'fails', 'locked', 'seemsMissing', 'hangs')

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  steps(6, 'pass', { ms: someTime }),
  steps(1, 'sleep', { ms: someTime }),
  steps(1, 'step', { ms: fc.constantFrom(-HOUR, -MINUTE, MINUTE, HOUR) }),
  steps(8, 'answer', { which: fc.nat(3), how: anyAnswer }),
  steps(4, 'answerAll'),
  steps(3, 'signIn', { who: fc.constantFrom('ana', 'ben'), grant: anyGrant, isWrong: rarely(8) }),
  steps(1, 'signOut'),
  steps(1, 'cancelSignIn'),
  steps(2, 'refresh'),
  steps(1, 'wake'),
  steps(1, 'quit'),
  steps(1, 'changePassword', { to: fc.constantFrom('no', 'SECRET new 1', 'SECRET new 2'), isWrong: rarely(4) }),
  steps(1, 'stranger', { is: fc.boolean() }),
  steps(2, 'kill', { appliesBegun: fc.boolean() }),
  steps(3, 'keychain', { mode: anyMode }),
  steps(2, 'disk', { isFull: fc.boolean() }),
)

export async function take(players: Players, which: number, conditions: Conditions, step: Step): Promise<void> {
  const { desktop, watch } = players[which] ?? players[0]
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
        answerOne(players, found, isLie(step.how) && !conditions.hasLyingProxies ? 'reply' : step.how)
      return
    }
    case 'answerAll':
      return answerAll(players)
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
      if (conditions.isInMemory) store.entries.clear()
      watch.killed()
      return desktop.start()
    case 'quit':
      await quit({ desktop, watch })
      if (conditions.isInMemory) store.entries.clear()
      watch.killed()
      return desktop.start()
    case 'stranger':
      desktop.service.options.subject = step.is && conditions.hasStrangers ? 'sub of a stranger' : undefined
      return
    case 'keychain':
      if (conditions.isInMemory) return
      store.mode = step.mode
      if (step.mode !== 'ok') for (const each of players) each.watch.keychainFailed()
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

function answerOne(players: Players, { service, request }: Found, how: Answer): void {
  const { watch } = players.find(({ desktop }) => desktop.isRunning(request.client.id)) ?? players[0]
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

export async function answerAll(players: Players): Promise<void> {
  const [{ desktop }] = players
  for (let pending = allPending(desktop); pending.length > 0; pending = allPending(desktop)) {
    for (const found of pending) answerOne(players, found, 'reply')
    await settle()
  }
}

/** Stops the program while the service doesn't respond. That must take no longer than the program's timeouts. */
export async function quit({ desktop, watch }: Player): Promise<void> {
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

import { expect, test } from 'vitest'
import { fail, OK, type Outcome } from '../../contract/failures.ts'
import { GRANTS } from '../../contract/grants.ts'
import { ManualTime, settle } from '../../test/support/manual-time.ts'
import { DeadlineClock } from '../base/clock.ts'
import { Listeners } from '../base/listeners.ts'
import type { SessionState } from '../session/state.ts'
import { signOut } from './sign-out.ts'

const account = { username: 'ana', displayName: 'Ana Duarte', grant: GRANTS.password } as const
const token = { receivedAt: 0, expiresAt: 60_000 }
const ACTIVE: SessionState = { kind: 'active', account, token, refresh: 'idle', kept: 'keychain' }
const out = (revocation: 'none' | 'pending' | 'done' | 'refused' | 'notPossible'): SessionState => ({
  kind: 'signedOut',
  revocation,
})

/** Prepares a session in the state `before`, which signing out changes to the state `after`. */
function asked(before: SessionState, after: SessionState, outcome: Promise<Outcome> = Promise.resolve(OK)) {
  const time = new ManualTime()
  const clock = new DeadlineClock(time)
  const changes = new Listeners()
  const session = {
    state: before,
    signOut() {
      session.state = after
      return outcome
    },
  }
  let open: typeof session | undefined = session
  const connections = {
    session: () => open,
    isRestoring: () => open === undefined,
    until: (isTrue: () => boolean) =>
      new Promise<void>((resolve) => {
        if (isTrue()) resolve()
        changes.subscribe(() => isTrue() && resolve())
      }),
  }
  return {
    time,
    clock,
    closed: () => (open = undefined),
    opened() {
      open = session
      changes.tell()
    },
    answer: () => signOut('default', { connections, clock }),
  }
}
const NEVER = new Promise<Outcome>(() => {})

test.each([
  ['the token was revoked', ACTIVE, out('done'), 'revoked'],
  ['there was no token to revoke', ACTIVE, out('none'), 'ended'],
  ['the service is unreachable', ACTIVE, out('pending'), 'revoking'],
  ['the service refuses to revoke the token', ACTIVE, out('refused'), 'refused'],
  ['the provider can’t revoke tokens', ACTIVE, out('notPossible'), 'notPossible'],
  ['the user was already signed out', out('done'), out('done'), 'notSignedIn'],
  ['the user was already signed out, but the token isn’t revoked yet', out('pending'), out('pending'), 'revoking'],
  ['the user has signed in again meanwhile', ACTIVE, ACTIVE, 'ended'],
] as const)('the tool learns what became of the session: %s', async (_, before, after, result) => {
  expect(await asked(before, after).answer()).toEqual({ connection: 'default', result })
})

test('the tool learns until when tools can still use their tokens', async () => {
  const { answer, clock } = asked(ACTIVE, { ...out('done'), handedOutUntil: 60_000 } as SessionState)
  expect(await answer()).toMatchObject({ handedOutUntil: clock.wall() - clock.now() + 60_000 })
})

test('a sign-out doesn’t lose a new recovery code', async () => {
  const kept = Promise.resolve(fail({ code: 'interactionRequired' }))
  expect(await asked(ACTIVE, ACTIVE, kept).answer()).toMatchObject({ result: 'kept' })
})

test('if the service doesn’t respond, the tool gets its answer after five seconds', async () => {
  const { answer, time } = asked(ACTIVE, out('pending'), NEVER)
  const answered = answer()
  await settle()
  time.pass(5_000)
  expect(await answered).toMatchObject({ result: 'revoking' })
})

test('the tool waits for the connection to open, but no longer than five seconds', async () => {
  const soon = asked(ACTIVE, out('done'))
  soon.closed()
  const answered = soon.answer()
  await settle()
  soon.opened()
  expect(await answered).toMatchObject({ result: 'revoked' })

  const never = asked(ACTIVE, out('done'))
  never.closed()
  const late = never.answer()
  await settle()
  never.time.pass(5_000)
  expect(await late).toMatchObject({ result: 'starting' })
})

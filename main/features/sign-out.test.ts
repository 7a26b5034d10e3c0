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
const out = (revocation: 'none' | 'pending' | 'done' | 'refused' | 'notPossible', handedOutUntil?: number) =>
  ({ kind: 'signedOut', revocation, ...(handedOutUntil && { handedOutUntil }) }) as SessionState

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
  let isOpen = true
  const connections = {
    session: () => (isOpen ? session : undefined),
    isRestoring: () => !isOpen,
    until: (isTrue: () => boolean) =>
      new Promise<void>((resolve) => {
        if (isTrue()) resolve()
        changes.subscribe(() => isTrue() && resolve())
      }),
  }
  const setOpen = (to: boolean) => {
    isOpen = to
    changes.tell()
  }
  return { time, clock, setOpen, answer: () => signOut('default', { connections, clock }) }
}

test.each([
  ['the token was revoked', ACTIVE, out('done'), 'revoked'],
  ['the user was already signed out', out('done'), out('done'), 'notSignedIn'],
  ['the user was already signed out, but the token isn’t revoked yet', out('pending'), out('pending'), 'revoking'],
  ['the user has signed in again meanwhile', ACTIVE, ACTIVE, 'ended'],
] as const)('the tool learns what became of the session: %s', async (_, before, after, result) => {
  expect(await asked(before, after).answer()).toEqual({ connection: 'default', result })
})

test('the tool learns until when tools can still use their tokens, and whether a new recovery code kept the session', async () => {
  const { answer, clock } = asked(ACTIVE, out('done', 60_000))
  expect(await answer()).toMatchObject({ handedOutUntil: clock.wall() - clock.now() + 60_000 })
  const kept = Promise.resolve(fail({ code: 'interactionRequired' }))
  expect(await asked(ACTIVE, ACTIVE, kept).answer()).toMatchObject({ result: 'kept' })
})

test('the tool waits five seconds at most for the connection to open, and five for the service', async () => {
  const silent = asked(ACTIVE, out('pending'), new Promise(() => {}))
  silent.setOpen(false)
  const answered = silent.answer()
  await settle()
  silent.setOpen(true)
  await settle()
  await silent.time.passSettling(5_000)
  expect(await answered).toMatchObject({ result: 'revoking' })

  const never = asked(ACTIVE, out('done'))
  never.setOpen(false)
  const late = never.answer()
  await never.time.passSettling(5_000)
  expect(await late).toMatchObject({ result: 'starting' })
})

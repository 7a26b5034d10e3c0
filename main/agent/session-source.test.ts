import { expect, test } from 'vitest'
import { describeTokenSource } from '../../test/agent/source-contract.ts'
import { Desktop } from '../session/testing/desktop.ts'
import { settle } from '../session/testing/manual-time.ts'
import { type Answer, DEADLINE } from '../session/testing/model-service.ts'
import { SessionSource } from './session-source.ts'

describeTokenSource('the session engine', async () => {
  const desktop = new Desktop()
  desktop.service.answering = ({ operation }) => (operation === 'refresh' ? undefined : 'reply')
  await desktop.start()
  const { session } = desktop
  const subscribe = (listener: () => void) => session.subscribe(() => listener())

  const answer = async (answer: Answer) => {
    // Waits for the refresh request, which is sent after the keychain has been read.
    await settle()
    desktop.service.pending.find((each) => each.operation === 'refresh' && !each.isAbandoned())?.answer(answer)
    await settle()
    await settle()
  }
  const tokensLive = (milliseconds: number) => {
    desktop.service.options.lifetime = milliseconds / 1_000
  }
  return {
    source: new SessionSource({ session: () => session, isRestoring: () => false, subscribe }, 'default'),
    clock: desktop.clock,
    account: 'ana',
    longestRefresh: DEADLINE.refresh,
    async signIn(lifetime) {
      tokensLive(lifetime)
      await desktop.signIn()
      await settle()
    },
    async signOut() {
      await session.signOut()
    },
    refreshes: () => desktop.service.log.filter((line) => line.startsWith('refresh')).length,
    async grant(lifetime) {
      tokensLive(lifetime)
      await answer('reply')
    },
    fail: (retryAfter) => answer(retryAfter === undefined ? 'unreachable' : { retryAfter }),
    async refuse() {
      await answer('refuse')
    },
    pass: (milliseconds) => desktop.pass(milliseconds),
    async stop() {
      desktop.kill()
    },
  }
})

test.each([
  ['a connection that is about to open one is restoring', true, 'restoring'],
  ['a connection that will open none is signed out', false, 'signedOut'],
] as const)('without a session, %s', (_, isRestoring, kind) => {
  const sessions = { session: () => undefined, isRestoring: () => isRestoring, subscribe: () => () => {} }
  expect(new SessionSource(sessions, 'default').tokenState).toEqual({ kind })
})

import { expect, test } from 'vitest'
import { GRANTS } from '../../contract/grants.ts'
import { describeTokenSource } from '../../test/agent/source-contract.ts'
import { settle } from '../../test/support/manual-time.ts'
import { ModelDesktop } from '../../test/support/session/model-desktop.ts'
import type { Answer } from '../../test/support/session/model-service.ts'
import type { RefreshState, TokenState } from '../agent/token-source.ts'
import { accessToken } from '../base/secret.ts'
import type { SessionState } from '../session/state.ts'
import { SessionSource, tokenStateOf } from './session-source.ts'

describeTokenSource('the session engine', async () => {
  const desktop = new ModelDesktop()
  desktop.service.answering = ({ operation }) => (operation === 'refresh' ? undefined : 'reply')
  await desktop.start()
  const { session } = desktop
  const subscribe = (listener: () => void) => session.subscribe(() => listener())

  const answer = async (answer: Answer) => {
    // The session requests a refresh only after it has been read from the keychain.
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
    fail: () => answer('unreachable'),
    async refuse() {
      await answer('refuse')
    },
    pass: (milliseconds) => desktop.pass(milliseconds),
    async stop() {
      desktop.kill()
    },
  }
})

test('while no session is open, tools learn whether one is about to open', () => {
  for (const isRestoring of [true, false]) {
    const sessions = { session: () => undefined, isRestoring: () => isRestoring, subscribe: () => () => {} }
    const kind = isRestoring ? 'restoring' : 'signedOut'
    expect(new SessionSource(sessions, 'default').tokenState).toEqual({ kind })
  }
})

const account = { username: 'ana', displayName: 'Ana', grant: GRANTS.password } as const
const failure = { code: 'rateLimited' } as const
const life = { receivedAt: 10, expiresAt: 90, refreshesAt: 60 }
const engine = { accessToken: accessToken('current'), notBefore: 70 }

const token = { accessToken: engine.accessToken, receivedAt: 10, expiresAt: 90 }
const active: SessionState = { kind: 'active', account, token: life, refresh: 'idle', kept: 'keychain' }
const unreachable: SessionState = { ...active, kind: 'unreachable', failure, retryAt: 65 }
const ending: SessionState = { ...active, kind: 'ending', failure }
const signedOut: SessionState = { kind: 'signedOut', revocation: 'none' }
const expired: SessionState = { kind: 'expired', account, refresh: 'idle', failure }
const { refreshesAt: _, ...unrefreshed } = life
const { token: __, ...withoutToken } = unreachable

const signedIn = (refresh: RefreshState, held: object = { token }) =>
  ({ kind: 'signedIn', account: 'ana', ...held, refresh }) as TokenState
const idle = { kind: 'idle', notBefore: 70 } as const
const limited = { ...idle, failure: 'rateLimited' } as const
const running = { kind: 'running' } as const
const impossible = { kind: 'impossible' } as const
const signingIn = (from: typeof ending | typeof expired | typeof signedOut, kind?: 'browser' | 'newRecoveryCode') =>
  ({
    kind: 'signingIn',
    from,
    ...(kind && { challenge: { kind, id: '1', issuer: 'identityProvider' } }),
  }) as SessionState

test.each<[string, SessionState | undefined, TokenState]>([
  ['no connection', undefined, { kind: 'signedOut' }],
  ['restoring', { kind: 'restoring' }, { kind: 'restoring' }],
  ['a locked keychain', { kind: 'sessionUnread', why: 'locked' }, { kind: 'locked' }],
  ['a keychain without the session', { kind: 'sessionUnread', why: 'missing' }, { kind: 'signedOut' }],
  ['active', active, signedIn(idle)],
  ['refreshing', { ...active, refresh: 'running' }, signedIn(running)],
  ['active without a refresh token', { ...active, token: unrefreshed }, signedIn(impossible)],
  ['unreachable, without a valid token', withoutToken, signedIn(limited, {})],
  [
    'unreachable identity provider',
    { ...unreachable, account: { ...account, grant: GRANTS.browser } },
    signedIn({ ...limited, issuer: 'identityProvider' }),
  ],
  ['ending', ending, signedIn(impossible)],
  ['expired', expired, { kind: 'signedOut' }],
  ['expired, during a retry', { ...expired, refresh: 'running' }, signedIn(running, {})],
  ['a sign-in in the browser', signingIn(signedOut, 'browser'), { kind: 'signedOut', waitingIn: 'browser' }],
  ['a second factor', signingIn(expired, 'newRecoveryCode'), { kind: 'signedOut', waitingIn: 'window' }],
  ['a sign-in while the last token is valid', signingIn(ending, 'browser'), signedIn(impossible)],
])('tools learn which token they can get: %s', (_, state, tokenState) => {
  expect(tokenStateOf(state, engine)).toEqual(tokenState)
})

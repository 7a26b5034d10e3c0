/** Only the provider's reply contains a new recovery code. Nothing that the user does may lose it. */
import { beforeEach, describe, expect, test } from 'vitest'
import { OK } from '../../contract/failures.ts'
import { ManualTime, settle } from '../../test/support/manual-time.ts'
import { APP, PAIR, THIRD } from '../../test/support/session/grant-contract.ts'
import { ModelMarker, ModelStore } from '../../test/support/session/model-store.ts'
import { DeadlineClock } from '../base/clock.ts'
import { Secret } from '../base/secret.ts'
import { ConnectionManager } from './connection-manager.ts'
import {
  type Challenge,
  type Grant,
  type GrantStep,
  grantsByName,
  RECOVERY_CODE_UNDER_WAY,
  SUPERSEDED,
} from './grants/grant.ts'
import { SessionEngine } from './session-engine.ts'

const A = 'https://a.example'
const TOKENS: GrantStep = { kind: 'tokens', tokens: PAIR }
const shown: Challenge = {
  description: { kind: 'newRecoveryCode' },
  revealed: new Secret('new recovery code', 'NEW'),
  answer: async () => TOKENS,
  cancel: () => {},
}
const asks: Challenge = {
  description: { kind: 'recoveryCode', authenticator: { ...APP, kind: 'recoveryCode' } },
  mayReveal: true,
  answer: () =>
    new Promise((resolve) => {
      reply = resolve
    }),
  cancel: () => {},
}

let addresses: Map<string, string>
let connections: ConnectionManager
let reply: (step: GrantStep) => void

beforeEach(async () => {
  addresses = new Map([
    ['default', A],
    ['own', 'https://own.example'],
  ])
  const clock = new DeadlineClock(new ManualTime())
  const store = new ModelStore().open(clock)
  const marker = new ModelMarker()
  const grantAt = (issuer: string): Grant => ({
    description: THIRD,
    issuer,
    begin: async () => ({ kind: 'challenge', challenge: asks }),
  })
  connections = new ConnectionManager({
    settings: {
      get names() {
        return [...addresses.keys()]
      },
      mayAdd: true,
      isOwn: (name) => name === 'own',
      add: async () => OK,
      async remove(name) {
        addresses.delete(name)
        return OK
      },
    },
    removed: { installation: 'here', markers: () => ({}), openRemoved: () => expect.unreachable() },
    configured(name) {
      const baseAddress = addresses.get(name)
      return baseAddress === undefined ? undefined : { baseAddress, host: '', source: 'user' }
    },
    prepare: async () => {},
    open(_, { baseAddress }) {
      const grants = grantsByName([grantAt(baseAddress)])
      const ports = { grants, store, marker, clock, random: () => 0.5 }
      return new SessionEngine({ address: baseAddress, installation: 'here', ...ports })
    },
    clock,
  })
  await connections.start()
  await settle()
})

const session = (name = 'default') => connections.session(name)
const challenge = (name = 'default') => {
  const state = session(name)?.state
  return state?.kind === 'signingIn' ? state.challenge : undefined
}
const answer = (name = 'default') => {
  const open = challenge(name)
  if (open === undefined) throw new Error('no challenge')
  return session(name)?.signIn.answer(open.id, open.kind, {})
}
/** Sends a recovery code. When this function returns, the provider is still checking the code. */
const sendCode = async (name = 'default') => {
  await session(name)?.signIn.begin(THIRD.name, { username: 'ana' })
  void answer(name)
  await settle()
}
const replyWith = async (step: GrantStep) => {
  reply(step)
  await settle()
}
const showsCode = (name = 'default') => session(name)?.signIn.recoveryCode(challenge(name)?.id ?? '') === 'NEW'

describe('while a recovery code is checked, and until the user has saved the new one', () => {
  test('signing out is refused until the sign-in has ended', async () => {
    await sendCode()
    await expect(session()?.signOut()).resolves.toEqual(RECOVERY_CODE_UNDER_WAY)
    await replyWith({ kind: 'challenge', challenge: shown })
    await expect(session()?.signOut()).resolves.toEqual(RECOVERY_CODE_UNDER_WAY)
    expect(showsCode()).toBe(true)
    await answer()
    await expect(session()?.signOut()).resolves.toEqual(OK)
    expect(session()?.state.kind).toBe('signedOut')
  })

  test('another sign-in at the connection is refused', async () => {
    await sendCode()
    await replyWith({ kind: 'challenge', challenge: shown })
    await expect(session()?.signIn.begin(THIRD.name, { username: 'ben' })).resolves.toEqual(SUPERSEDED)
    expect(showsCode()).toBe(true)
  })

  test('removing the connection is refused until the sign-in has ended', async () => {
    await sendCode('own')
    await expect(connections.remove('own')).resolves.toEqual(RECOVERY_CODE_UNDER_WAY)
    await replyWith({ kind: 'challenge', challenge: shown })
    await expect(connections.remove('own')).resolves.toEqual(RECOVERY_CODE_UNDER_WAY)
    expect(showsCode('own')).toBe(true)
    session('own')?.signIn.cancel()
    await expect(connections.remove('own')).resolves.toEqual(OK)
    expect(connections.names).toEqual(['default'])
  })
})

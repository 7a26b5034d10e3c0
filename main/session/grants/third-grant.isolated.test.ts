/**
 * The user signs in with two grants that exist only in tests, through the window's own calls. Like any new grant, these
 * two are described in the contract and created in the registry. All other code is the product's.
 */
import * as v from 'valibot'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { type CallInput, calls } from '../../../contract/calls.ts'
import { OK, type Outcome } from '../../../contract/failures.ts'
import { Sessions } from '../../features/sessions.ts'
import { type Connection, connectionView, isSameConnection } from '../../settings/connection.ts'
import { clientSecret } from '../../settings/values.ts'
import { DeadlineClock } from '../clock.ts'
import { ConnectionManager } from '../connection-manager.ts'
import { ConnectionSession } from '../connection-session.ts'
import { accessToken, type RefreshToken, refreshToken } from '../secret.ts'
import { SessionEngine } from '../session-engine.ts'
import { ManualTime, settle } from '../testing/manual-time.ts'
import { ModelMarker, ModelStore } from '../testing/model-store.ts'
import type { TokenPair } from '../token-pair.ts'
import type { Grants } from './grant.ts'
import { createGrants } from './registry.ts'
import { clientOf } from './testing/grant-contract.ts'
import { APP, CODE, NAMELESS, PUSH, THIRD } from './testing/third-grant.ts'

const CONNECTION: Connection = {
  baseAddress: 'https://data.example.com',
  host: 'data.example.com',
  source: 'user',
  identityProvider: {
    flow: 'password-realm',
    authUrl: 'https://login.example.com',
    realm: 'staff',
    providerDomain: 'login.example.com',
    scope: 'openid',
    audience: 'https://data.example.com',
    clientId: 'latchkey',
    clientSecret: clientSecret('SECRET-client'),
  },
}

const { identityProvider: _, ...withoutProvider } = CONNECTION

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const pair = (number: number, claims = {}): TokenPair => ({
  accessToken: accessToken(
    `${part({})}.${part({ sub: '1', name: 'Ana Duarte', exp: 3_600, iat: 0, ...claims })}.${number}`,
  ),
  refreshToken: refreshToken(`SECRET-${number}`),
})

vi.mock(import('../../../contract/grants.ts'), async (importOriginal) => {
  const product = await importOriginal()
  const { NAMELESS, THIRD } = await import('./testing/third-grant.ts')
  return { ...product, GRANTS: { ...product.GRANTS, third: THIRD, nameless: NAMELESS } }
})
vi.mock(import('./registry.ts'), async (importOriginal) => {
  const product = await importOriginal()
  const { namelessGrant, ThirdGrant } = await import('./testing/third-grant.ts')
  const { grantsByName } = await import('./grant.ts')
  return {
    createGrants: (issuers) => {
      const { identityProvider } = issuers
      const added =
        identityProvider === undefined ? [] : [new ThirdGrant(identityProvider), namelessGrant(identityProvider)]
      return grantsByName([...product.createGrants(issuers).values(), ...added])
    },
  }
})

let store: ModelStore
let marker: ModelMarker
let provider: ReturnType<typeof clientOf>
let connection: Connection
/** The grants of the session that was opened last. */
let grants: Grants
let manager: ConnectionManager<Connection>
let sessions: Sessions

async function startProgram(): Promise<void> {
  const clock = new DeadlineClock(new ManualTime())
  manager = new ConnectionManager<Connection>({
    settings: {
      names: ['default'],
      mayAdd: false,
      isOwn: () => false,
      add: async () => OK,
      remove: async () => OK,
    },
    former: { installation: 'of-tests', markers: () => ({}), openFormer: () => expect.unreachable() },
    make: (_, around) =>
      new ConnectionSession({
        ...around,
        settings: {
          connection: () => connection,
          view: connectionView,
          isSame: isSameConnection,
        },
        prepare: async () => {},
        open: ({ baseAddress, identityProvider }) => {
          grants = createGrants({ service: clientOf(), identityProvider: identityProvider && provider })
          return new SessionEngine({
            address: baseAddress,
            installation: 'of-tests',
            grants,
            store: store.open(clock),
            marker,
            clock,
            random: () => 0.5,
          })
        },
        clock,
      }),
  })
  sessions = new Sessions({
    connections: manager,
    keychain: { allowPrompts: () => {}, prepared: async () => {} },
    settings: { of: () => expect.unreachable() },
    probe: () => expect.unreachable(),
    onPolicyChange: () => () => {},
    changed: () => {},
  })
  await sessions.start()
  await settle()
}

beforeEach(async () => {
  store = new ModelStore()
  marker = new ModelMarker()
  provider = { ...clientOf(), issuer: 'https://login.example.com' }
  provider.login.mockResolvedValue({ ok: true, value: pair(1) })
  connection = CONNECTION
  await startProgram()
})

const session = () => manager.view.session
const challenge = () => {
  const shown = session()
  return shown.kind === 'signingIn' ? shown.challenge : undefined
}

/** Signs in as the window's call does: the input is parsed first. */
const signIn = (input: object): Promise<Outcome> =>
  sessions.handlers.signIn(v.parse(calls.signIn, { grant: THIRD.name, ...input }) as CallInput<'signIn'>)
const answer = (input: object): Promise<Outcome> => {
  const open = challenge()
  const sent = { challenge: open?.id, kind: open?.kind, ...input }
  return sessions.handlers.answerChallenge(v.parse(calls.answerChallenge, sent) as CallInput<'answerChallenge'>)
}

describe('a third grant', () => {
  test('is offered in the window after the others, if its issuer is set up', () => {
    const offered = () => connectionView(connection).grants.map(({ name }) => name)
    expect(offered()).toEqual([...grants.keys()])
    expect(offered()).toEqual(['password', 'passwordRealm', 'third', 'nameless'])
    connection = withoutProvider
    expect(offered()).toEqual([...createGrants({ service: clientOf() }).keys()])
    expect(offered()).toEqual(['password'])
  })

  test('signs in with a code, after a choice and a wrong code', async () => {
    await expect(signIn({ username: 'ana' })).resolves.toEqual(OK)
    expect(challenge()).toMatchObject({ kind: 'choose', options: [APP, PUSH], issuer: 'identityProvider' })
    expect(sessions.isBusy).toBe(true)
    await expect(answer({ option: APP.id })).resolves.toEqual(OK)
    expect(challenge()).toMatchObject({ kind: 'code', authenticator: APP })
    await expect(answer({ code: '000000' })).resolves.toMatchObject({ failure: { code: 'rejected' } })
    expect(challenge()).toMatchObject({ kind: 'code' })
    await expect(answer({ code: CODE })).resolves.toEqual(OK)
    expect(session()).toMatchObject({
      kind: 'active',
      account: { username: 'ana', displayName: 'Ana Duarte', grant: THIRD },
      kept: 'keychain',
    })
    expect(sessions.isBusy).toBe(false)
  })

  test('its session is restored after a restart, and refreshed at the grant’s own issuer', async () => {
    await signIn({ username: 'ana' })
    await answer({ option: APP.id })
    await answer({ code: CODE })
    await manager.stop()
    provider.refresh.mockImplementation(async () => ({ ok: true, value: pair(2) }))
    await startProgram()
    await settle()
    expect(session()).toMatchObject({ kind: 'active', account: { username: 'ana', grant: { name: 'third' } } })
    const [sent] = provider.refresh.mock.calls[0] as unknown as [RefreshToken]
    expect(sent.reveal()).toBe('SECRET-1')
  })

  test('can be cancelled: the earlier state returns', async () => {
    const before = session()
    await signIn({ username: 'ana' })
    await expect(sessions.handlers.cancelSignIn(undefined)).resolves.toEqual(OK)
    expect(session()).toEqual(before)
    expect(sessions.isBusy).toBe(false)
  })

  test('takes the account from the tokens if no username was typed', async () => {
    provider.login.mockResolvedValue({ ok: true, value: pair(9, { preferred_username: 'ana.d' }) })
    await expect(signIn({ grant: NAMELESS.name })).resolves.toEqual(OK)
    expect(session()).toMatchObject({ kind: 'active', account: { username: 'ana.d', displayName: 'Ana Duarte' } })
  })

  test.each([
    ['has moved', 'sessionEnded'],
    ['isn’t set up any more', 'notConfigured'],
  ])('SECURITY: if its issuer %s, its entry is kept, and its token is not sent', async (what, code) => {
    await signIn({ username: 'ana' })
    await answer({ option: APP.id })
    await answer({ code: CODE })
    await manager.stop()
    const stored = [...store.entries]
    if (what === 'has moved') provider = { ...provider, issuer: 'https://other.example.com' }
    else connection = withoutProvider
    await startProgram()
    expect(session()).toMatchObject({ kind: 'signedOut', failure: { code } })
    expect(provider.refresh).not.toHaveBeenCalled()
    expect([...store.entries]).toEqual(stored)
  })
})

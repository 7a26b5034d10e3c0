/** How long a session lasts, as the answers of a running provider tell. The test's clock passes hours in an instant. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { startIdentityProvider } from '../../demo/identity-provider.ts'
import { ANA } from '../../demo/users.ts'
import { DeadlineClock } from '../../main/base/clock.ts'
import { password, Secret } from '../../main/base/secret.ts'
import { createAuthService } from '../../main/service/auth-service.ts'
import { createIdentityProvider } from '../../main/service/identity-provider.ts'
import { createGrants } from '../../main/session/grants/grants.ts'
import { SessionEngine } from '../../main/session/session-engine.ts'
import { UserSettings } from '../../main/settings/user-settings.ts'
import { testClient } from '../support/local-servers.ts'
import { ManualTime } from '../support/manual-time.ts'
import { ModelMarker, ModelStore } from '../support/session/model-store.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const LIFETIME_S = 8 * 3_600
/** A step of the test's clock. The token is refreshed after three steps. */
const STEP_MS = 7 * MINUTE

/**
 * Starts ana's desktop, and a provider whose sessions last eight hours. `saysSessionEnd` returns what the provider says
 * about a session's end.
 */
async function desktop(saysSessionEnd: (left: number) => object) {
  const time = new ManualTime()
  const provider = await startIdentityProvider({
    now: () => time.wall(),
    refreshTokens: 'always',
    tokenLifetime: 1_800,
    sessionLifetime: LIFETIME_S,
    saysSessionEnd,
  })
  onTestFinished(() => provider.stop())
  const { settings } = provider
  const http = testClient()
  const grants = createGrants({
    service: createAuthService({ baseAddress: provider.address, http }),
    identityProvider: createIdentityProvider({
      ...settings,
      authAddress: provider.address,
      providerDomain: settings.domain,
      scope: 'openid',
      clientSecret: new Secret('client secret', settings.clientSecret),
      http,
    }),
  })
  const content = new Map<string, unknown>()
  const lengths = new UserSettings({
    get: (key) => content.get(key),
    set: (key, value) => void content.set(key, value),
  })
  const store = new ModelStore()
  const marker = new ModelMarker()
  const start = () => {
    const clock = new DeadlineClock(time.process(0))
    const session = new SessionEngine({
      address: provider.address,
      installation: 'here',
      grants,
      store: store.open(clock),
      marker,
      lengths,
      clock,
      random: () => 0.5,
    })
    void session.start()
    onTestFinished(() => session.stop())
    return session
  }
  let session = start()
  const settled = () =>
    vi.waitFor(() => {
      const { state } = session
      expect('refresh' in state ? state.refresh : state.kind).toBe('idle')
    }, 5_000)
  return {
    time,
    provider,
    get state() {
      return session.state
    },
    get end() {
      return 'end' in session.state ? session.state.end : undefined
    },
    async signIn() {
      await session.signIn.begin('passwordRealm', { username: ANA.username, password: password(ANA.password) })
      await settled()
    },
    async pass(ms: number) {
      for (let left = ms; left > 0; left -= STEP_MS) {
        time.pass(Math.min(left, STEP_MS))
        await settled()
      }
    },
    async restart() {
      await session.stop()
      session = start()
      await settled()
    },
  }
}

test.each<[string, (left: number) => object]>([
  ['refresh_expires_in, as Keycloak', (left) => ({ refresh_expires_in: left, 'not-before-policy': 0 })],
  ['refresh_token_expires_in, as GitHub', (left) => ({ refresh_token_expires_in: left })],
  ['a text', (left) => ({ refresh_expires_in: String(left) })],
])('the end that the provider names is known after one refresh, and after a restart: %s', async (_, says) => {
  const desk = await desktop(says)
  const at = desk.time.wall() + LIFETIME_S * 1_000
  await desk.signIn()
  expect(desk.end).toEqual({ kind: 'notBefore', at })
  await desk.pass(HOUR)
  const told = { kind: 'expected', saidBy: 'provider' }
  expect(desk.end).toMatchObject(told)
  await desk.restart()
  expect(desk.end).toMatchObject(told)
  // The request took a moment, so the end may be a second off.
  expect(Math.abs((desk.end?.kind === 'expected' ? desk.end.at : 0) - at)).toBeLessThan(2_000)
})

test.each<[string, object, object | undefined]>([
  ['nothing', {}, undefined],
  ['garbage', { refresh_expires_in: 'soon', refresh_token_expires_in: {} }, undefined],
  ['a negative number', { refresh_expires_in: -1 }, undefined],
  ['null', { refresh_expires_in: null }, undefined],
  ['no limit', { refresh_expires_in: 0 }, { kind: 'never' }],
  ['an idle limit', { refresh_expires_in: 5_400 }, { kind: 'notBefore', at: expect.any(Number) }],
])('only what the provider says is promised: %s', async (_, fields, end) => {
  const desk = await desktop(() => fields)
  await desk.signIn()
  await desk.pass(3 * HOUR)
  expect(desk.end).toEqual(end)
})

test('after three sessions of the same length, the fourth is expected to last as long', async () => {
  const desk = await desktop(() => ({}))
  for (let count = 0; count < 3; count++) {
    await desk.signIn()
    expect(desk.end).toBeUndefined()
    await desk.pass(LIFETIME_S * 1_000 + 22 * MINUTE)
    expect(['ending', 'expired']).toContain(desk.state.kind)
  }
  await desk.signIn()
  expect(desk.end).toMatchObject({ kind: 'expected', saidBy: 'earlierSessions' })
  const length = desk.end?.kind === 'expected' ? desk.end.at - desk.time.wall() : 0
  expect(length / HOUR).toBeGreaterThan(7)
  expect(length / HOUR).toBeLessThanOrEqual(8)
})

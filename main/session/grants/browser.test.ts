import { describe, expect, test, vi } from 'vitest'
import type { Outcome } from '../../../contract/failures.ts'
import { settle } from '../../../test/support/manual-time.ts'
import { browserPorts, CALLBACK } from '../../../test/support/session/browser-ports.ts'
import { describeGrant, PAIR } from '../../../test/support/session/grant-contract.ts'
import type { AuthorizationRequest, TokenPair } from '../ports.ts'
import { browserGrant } from './browser.ts'
import { type Challenge, type GrantStep, SUPERSEDED } from './grant.ts'

describeGrant('browser', {
  make: (login) => {
    const { server, ports, comeBack } = browserPorts(login)
    comeBack()
    return browserGrant(server, ports)
  },
  input: {},
})

function challengeOf(step: GrantStep): Challenge {
  if (step.kind !== 'challenge') throw new Error(JSON.stringify(step))
  return step.challenge
}

async function begun() {
  const all = browserPorts()
  const challenge = challengeOf(await browserGrant(all.server, all.ports).begin({}))
  return { ...all, challenge }
}

test('a sign-in opens the provider’s page, again if the user asks for it, and its callback brings the tokens', async () => {
  const { server, ports, authorization, challenge, comeBack, time } = await begun()
  expect(server.authorize.mock.calls).toEqual([['http://127.0.0.1:4711/callback', false]])
  expect(await challenge.reopen?.()).toMatchObject({ ok: true })
  expect(ports.open.mock.calls).toEqual([[authorization.address], [authorization.address]])
  const answered = challenge.answer({})
  comeBack()
  expect(await answered).toEqual({ kind: 'tokens', tokens: PAIR })
  expect(authorization.redeem).toHaveBeenCalledExactlyOnceWith(CALLBACK)
  expect(ports.onReturn).toHaveBeenCalledOnce()
  expect(time.pending()).toBe(0)
})

test('SECURITY: a sign-in accepts only its own callback, and only after discovery', async () => {
  const { server, ports } = browserPorts()
  let isOurs = (_: URLSearchParams): boolean => true
  const { listen } = ports
  const watched = async (judge: typeof isOurs) => {
    isOurs = judge
    expect(judge(CALLBACK)).toBe(false)
    return listen(judge)
  }
  await browserGrant(server, { ...ports, listen: watched }).begin({})
  expect(isOurs(CALLBACK)).toBe(true)
  expect(isOurs(new URLSearchParams('code=c&state=other'))).toBe(false)
})

test('a sign-in that is cancelled before its page has opened frees its port at once, and opens no page', async () => {
  for (const during of ['listen', 'authorize', 'discovered'] as const) {
    const { server, ports, authorization, close, time } = browserPorts()
    let discovered = (_: Outcome<AuthorizationRequest>): void => {}
    server.authorize.mockImplementation(() => new Promise((resolve) => (discovered = resolve)))
    const abort = new AbortController()
    const outcome = browserGrant(server, ports).begin({}, abort.signal)
    if (during !== 'listen') await settle()
    if (during === 'discovered') discovered({ ok: true, value: authorization })
    abort.abort()
    if (during !== 'listen') expect(close).toHaveBeenCalled()
    expect(await outcome).toEqual({ kind: 'failure', failure: SUPERSEDED.failure })
    discovered({ ok: true, value: authorization })
    await settle()
    expect(close).toHaveBeenCalled()
    expect(server.authorize).toHaveBeenCalledTimes(during === 'listen' ? 0 : 1)
    expect(ports.open).not.toHaveBeenCalled()
    expect(time.pending()).toBe(0)
  }
})

test('the listener is closed after five minutes, or when the sign-in is cancelled', async () => {
  for (const isCancelled of [false, true]) {
    const { close, challenge, time, authorization } = await begun()
    const answered = challenge.answer({})
    time.pass(5 * 60_000 - 1)
    expect(close).not.toHaveBeenCalled()
    if (isCancelled) challenge.cancel()
    else time.pass(1)
    expect(close).toHaveBeenCalled()
    const failure = isCancelled ? SUPERSEDED.failure : { code: 'sessionEnded', problem: 'browserTimeout' }
    expect(await answered).toEqual({ kind: 'failure', failure })
    expect(authorization.redeem).not.toHaveBeenCalled()
    expect(time.pending()).toBe(0)
  }
})

test.each(['discovery', 'the browser'])('the listener is closed if %s fails', async (what) => {
  const { server, ports, close } = browserPorts()
  const failure = { code: 'unreachable' } as const
  if (what === 'discovery') server.authorize.mockResolvedValue({ ok: false, failure })
  else ports.open.mockResolvedValue({ ok: false, failure })
  expect(await browserGrant(server, ports).begin({})).toEqual({ kind: 'failure', failure })
  expect(close).toHaveBeenCalledOnce()
})

describe('a provider that gives no refresh token', () => {
  const { refreshToken: _, ...WITHOUT } = PAIR
  const without: Outcome<TokenPair> = { ok: true, value: WITHOUT }

  function withConsent(known?: boolean) {
    const all = browserPorts(without)
    const consent = { get: vi.fn(() => known), set: vi.fn() }
    return { ...all, consent, grant: browserGrant(all.server, { ...all.ports, consent }) }
  }
  async function answered(all: ReturnType<typeof withConsent>, challenge: Challenge): Promise<GrantStep> {
    all.comeBack()
    return challenge.answer({})
  }

  test.each([
    ['it did', PAIR, true],
    ['it didn’t', WITHOUT, false],
  ])(
    'is told once to ask for the user’s consent, and Latchkey remembers whether that helped: %s',
    async (_, tokens, helps) => {
      const all = withConsent()
      const second = challengeOf(await answered(all, challengeOf(await all.grant.begin({}))))
      expect(second.description).toEqual({ kind: 'browser', consent: true })
      expect(all.server.authorize.mock.calls.map(([, asksConsent]) => asksConsent)).toEqual([false, true])
      vi.mocked(all.authorization.redeem).mockResolvedValue({ ok: true, value: tokens })
      expect(await answered(all, second)).toEqual({ kind: 'tokens', tokens })
      expect(all.consent.set.mock.calls).toEqual([[helps]])
    },
  )

  test('still signs in a user who declines the consent', async () => {
    const all = withConsent()
    const second = challengeOf(await answered(all, challengeOf(await all.grant.begin({}))))
    const failure = { code: 'interactionRequired', problem: 'consentDenied' } as const
    vi.mocked(all.authorization.redeem).mockResolvedValue({ ok: false, failure })
    expect(await answered(all, second)).toMatchObject({ kind: 'tokens', tokens: WITHOUT })
    expect(all.consent.set).not.toHaveBeenCalled()
  })

  test.each([true, false])(
    'is asked as an earlier consent has shown, whether that brought a refresh token or not: %s',
    async (known) => {
      const all = withConsent(known)
      const step = await answered(all, challengeOf(await all.grant.begin({})))
      expect(step).toEqual({ kind: 'tokens', tokens: WITHOUT })
      expect(all.server.authorize.mock.calls).toEqual([[expect.any(String), known]])
    },
  )
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { OK, type Outcome } from '../../contract/failures.ts'
import { type IdentityProvider, startIdentityProvider } from '../../demo/identity-provider.ts'
import { tcpServer, testClient } from '../../test/support/local-servers.ts'
import { DeadlineClock, systemTime } from '../base/clock.ts'
import { remembered } from '../base/key-value-store.ts'
import { refreshToken } from '../base/secret.ts'
import type { GrantStep } from '../session/grants/grant.ts'
import { CallbackPorts } from '../settings/callback-ports.ts'
import { UserSettings } from '../settings/user-settings.ts'
import { grantsOf, removedGrantOf } from './grants.ts'

const NO_TEXT = { title: '', body: '' }
const NO_PAGE = { language: 'en', texts: { signedIn: NO_TEXT, declined: NO_TEXT, failed: NO_TEXT } }

let provider: IdentityProvider
/** The redirect port of every connection. */
let port: number

beforeEach(async () => {
  provider = await startIdentityProvider()
  const free = await tcpServer(() => {})
  port = free.port
  free.stop()
})
afterEach(() => provider.stop())

const BROWSER = { open: async () => OK, onReturn: () => {}, page: NO_PAGE }

function coreOf() {
  const stored = new Map<string, unknown>()
  const store = {
    get: (key: string) => stored.get(key),
    set: (key: string, value: unknown) => void stored.set(key, value),
  }
  return {
    http: testClient(),
    user: new UserSettings(store),
    clock: new DeadlineClock(systemTime),
    callbackPorts: new CallbackPorts(remembered(store, 'callbackPorts')),
  }
}

test('if the client secret can’t be read, the call fails, and the next call reads the secret again', async () => {
  const unavailable = { ok: false, failure: { code: 'keychainUnavailable' } } as const
  const findSecret = vi.fn(async (): Promise<Outcome<undefined>> => OK).mockResolvedValueOnce(unavailable)
  const origin = { grant: 'browser', issuer: provider.address, client: provider.settings.clientId }
  const ports = { core: coreOf(), browser: BROWSER, crashPoints: undefined }
  const grant = removedGrantOf(origin, 'https://a.example', findSecret, ports)
  await expect(grant?.refresh?.(refreshToken('unknown'))).resolves.toEqual(unavailable)
  await expect(grant?.refresh?.(refreshToken('unknown'))).resolves.toMatchObject({ failure: { code: 'sessionEnded' } })
  expect(findSecret).toHaveBeenCalledTimes(2)
})

test('if the redirect port is taken, the failure says whether another sign-in or another program uses it', async () => {
  const core = coreOf()
  const begin = async (baseAddress: string): Promise<GrantStep | undefined> => {
    const { clientId } = provider.settings
    const settings = { authUrl: provider.address, clientId, scope: 'openid', redirectPort: port } as const
    const connection = { baseAddress, identityProvider: { flow: 'browser', ...settings } } as const
    return grantsOf(connection, { core, browser: BROWSER, crashPoints: undefined }).get('browser')?.begin({})
  }
  const problemOf = (step: GrantStep | undefined) => (step?.kind === 'failure' ? step.failure.problem : step?.kind)

  const first = await begin('https://a.example')
  expect(problemOf(first)).toBe('challenge')
  expect(problemOf(await begin('https://b.example'))).toBe('otherSignIn')
  if (first?.kind === 'challenge') first.challenge.cancel()
  const second = await begin('https://b.example')
  expect(problemOf(second)).toBe('challenge')
  if (second?.kind === 'challenge') second.challenge.cancel()

  const stranger = await tcpServer(() => {}, port)
  expect(problemOf(await begin('https://a.example'))).toBe('portTaken')
  stranger.stop()
})

import { expect, onTestFinished, test } from 'vitest'
import { OK } from '../../contract/failures.ts'
import { startIdentityProvider } from '../../demo/identity-provider.ts'
import { tcpServer, testClient } from '../../test/support/local-servers.ts'
import { DeadlineClock, systemTime } from '../base/clock.ts'
import { remembered } from '../base/key-value-store.ts'
import type { GrantStep } from '../session/grants/grant.ts'
import { CallbackPorts } from '../settings/callback-ports.ts'
import { UserSettings } from '../settings/user-settings.ts'
import { grantsOf } from './grants.ts'

const NO_TEXT = { title: '', body: '' }
const NO_PAGE = { language: 'en', texts: { signedIn: NO_TEXT, declined: NO_TEXT, failed: NO_TEXT } }

test('if the redirect port is taken, the failure says whether another sign-in or another program uses it', async () => {
  const provider = await startIdentityProvider()
  onTestFinished(() => provider.stop())
  const free = await tcpServer(() => {})
  free.stop()
  const { port: redirectPort } = free
  const stored = new Map<string, unknown>()
  const store = {
    get: (key: string) => stored.get(key),
    set: (key: string, value: unknown) => void stored.set(key, value),
  }
  const core = {
    http: testClient(),
    user: new UserSettings(store),
    clock: new DeadlineClock(systemTime),
    callbackPorts: new CallbackPorts(remembered(store, 'callbackPorts')),
  }
  const browser = { open: async () => OK, onReturn: () => {}, page: NO_PAGE }
  const begin = async (baseAddress: string): Promise<GrantStep | undefined> => {
    const settings = { authUrl: provider.address, clientId: provider.settings.clientId, scope: 'openid', redirectPort }
    const connection = { baseAddress, identityProvider: { flow: 'browser', ...settings } } as const
    return grantsOf(connection, { core, browser, crashPoints: undefined }).get('browser')?.begin({})
  }
  const problemOf = (step: GrantStep | undefined) => (step?.kind === 'failure' ? step.failure.problem : step?.kind)

  const first = await begin('https://a.example')
  expect(problemOf(first)).toBe('challenge')
  expect(problemOf(await begin('https://b.example'))).toBe('otherSignIn')
  if (first?.kind === 'challenge') first.challenge.cancel()
  const second = await begin('https://b.example')
  expect(problemOf(second)).toBe('challenge')
  if (second?.kind === 'challenge') second.challenge.cancel()

  const stranger = await tcpServer(() => {}, redirectPort)
  expect(problemOf(await begin('https://a.example'))).toBe('portTaken')
  stranger.stop()
})

/** Sessions whose provider or client changes in the settings, or whose client secret can't be read at first. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { OK, OTHER_CLIENT } from '../../contract/failures.ts'
import { type IdentityProvider, startIdentityProvider } from '../../demo/identity-provider.ts'
import { ANA } from '../../demo/users.ts'
import { settle } from '../../test/support/manual-time.ts'
import { DeadlineClock, systemTime } from '../base/clock.ts'
import { clientSecret } from '../base/secret.ts'
import { MemoryStore } from '../keychain/fallback-store.ts'
import { logRemoved } from '../log/events.ts'
import type { Log, LogFields } from '../log/log.ts'
import { entryName, readEntry } from '../session/entry.ts'
import type { SecretStore } from '../session/ports.ts'
import { writeClientSecret } from '../settings/connection-settings.ts'
import { createConnections } from './connections.ts'
import { createCore } from './core.ts'
import type { Browser } from './grants.ts'

const ADDRESS = 'https://data.example'

const NO_TEXT = { title: '', body: '' }
const NO_PAGE = { language: 'en', texts: { signedIn: NO_TEXT, declined: NO_TEXT, failed: NO_TEXT } }

const INSTALLATION = 'here'

interface Installation {
  /** The settings by key, as in the settings file. */
  readonly settings: Map<string, unknown>
  readonly keychain: SecretStore
  readonly openBrowser?: Browser['open']
  readonly onRemoved?: Parameters<typeof createConnections>[3]
}

/** The core and the connections, with the test's settings and keychain. */
function openConnections({ settings, keychain, openBrowser = async () => OK, onRemoved }: Installation) {
  const opened = {
    probe: async () => ({ kind: 'works' }) as const,
    state: { kind: 'unavailable', cause: 'silent' } as const,
    busy: () => false,
  }
  const core = createCore({
    platform: 'linux',
    env: {},
    version: '1.2.3',
    clock: new DeadlineClock(systemTime),
    paths: { policyFile: '/nowhere/policy.json', installation: INSTALLATION },
    policyPlaces: [],
    environment: { layer: {}, app: {}, problems: [] },
    store: { get: (key) => settings.get(key), set: (key, value) => void settings.set(key, value) },
    storeProblems: [],
    systemKeychain: {
      open: async () => ({ ...opened, store: keychain, allowPrompts: () => {} }),
      watch: () => () => {},
      stop: () => {},
      isInProcess: false,
    },
    resolveProxy: async () => 'DIRECT',
    confirmDestination: async () => false,
  })
  const browser = { open: openBrowser, onReturn: () => {}, page: NO_PAGE }
  return createConnections(core, browser, undefined, onRemoved).connections
}

let provider: IdentityProvider
let settings: Map<string, unknown>
let entries: MemoryStore
let keychain: SecretStore
/** How many more reads of a client secret fail. */
let failures: number
/** The log lines about addresses that no connection uses any more. */
let logged: string[]
let connections: ReturnType<typeof openConnections>

function logOf(lines: string[]): Log {
  const line = (event: string, { host, revocation }: LogFields = {}) =>
    void lines.push(`${event} ${host} ${revocation}`)
  return { info: line, warn: line, error: line }
}

const inBrowser = () => ({
  baseAddress: ADDRESS,
  flow: 'browser',
  authUrl: provider.address,
  clientId: provider.settings.clientId,
  scope: 'openid offline_access',
})
const state = () => connections.session()?.state
const entryAt = async (address = ADDRESS) => {
  const found = await entries.read(entryName(address, INSTALLATION))
  const read = found.kind === 'found' ? readEntry(found.value) : undefined
  return read?.kind === 'entry' ? read.entry : undefined
}
async function configure(connection: object): Promise<void> {
  settings.set('connection', connection)
  await connections.start()
}

async function openBrowser(address: URL) {
  const { username, password } = ANA
  const body = new URLSearchParams({ username, password })
  const { headers } = await fetch(address, { method: 'POST', body, redirect: 'manual' })
  void fetch(headers.get('location') ?? '')
  return OK
}

/** Resolves to the refresh token. */
async function signIn(address = ADDRESS): Promise<string> {
  await connections.session()?.signIn.begin('browser', {})
  const now = state()
  const challenge = now?.kind === 'signingIn' ? now.challenge : undefined
  await connections.session()?.signIn.answer(challenge?.id ?? '', 'browser', {})
  expect(state()?.kind).toBe('active')
  return (await entryAt(address))?.session?.refreshToken.reveal() ?? ''
}

async function signOutLater(): Promise<void> {
  await provider.pause()
  await connections.session()?.signOut()
  expect(state()).toMatchObject({ kind: 'signedOut', revocation: 'pending' })
  await provider.resume()
}

beforeEach(async () => {
  provider = await startIdentityProvider()
  settings = new Map<string, unknown>([['connection', inBrowser()]])
  entries = new MemoryStore()
  logged = []
  failures = 0
  keychain = {
    persistence: 'keychain',
    async read(name) {
      const isFailing = name.endsWith(' client secret') && failures-- > 0
      return isFailing ? { kind: 'unavailable', cause: 'timeout' } : entries.read(name)
    },
    write: (name, value) => entries.write(name, value),
    delete: (name) => entries.delete(name),
  }
  connections = openConnections({ settings, keychain, openBrowser, onRemoved: logRemoved(logOf(logged)) })
  await connections.start()
  await expect.poll(() => state()?.kind).toBe('signedOut')
})
afterEach(async () => {
  await connections.stop()
  await provider.stop()
})

test.each([
  ['the flow has changed', () => ({ ...inBrowser(), flow: 'password-realm' })],
  ['the provider has changed', () => ({ ...inBrowser(), authUrl: 'https://login.example' })],
  ['the client ID has changed', () => ({ ...inBrowser(), clientId: 'another' })],
  ['the provider was removed from the settings', () => ({ baseAddress: ADDRESS })],
])('a pending revocation is sent after %s', async (_, changed) => {
  const token = await signIn()
  await signOutLater()
  await configure(changed())
  await expect.poll(() => state()).toMatchObject({ kind: 'signedOut', revocation: 'done' })
  expect(provider.isRefreshTokenValid(token)).toBe(false)
  await expect.poll(() => entries.held.size).toBe(0)
})

test('a pending revocation is sent after the service’s address has changed', async () => {
  const token = await signIn()
  await signOutLater()
  await configure({ ...inBrowser(), baseAddress: 'https://other.example' })
  await expect.poll(() => provider.isRefreshTokenValid(token)).toBe(false)
  await expect.poll(() => entries.held.size).toBe(0)
  expect(logged).toEqual(['session.revocation data.example pending', 'session.revocation data.example done'])
})

test('after the client ID changed, the session isn’t refreshed, and signing out revokes it', async () => {
  const token = await signIn()
  const sent = provider.requests.length
  await configure({ ...inBrowser(), clientId: 'another' })
  const failure = { code: 'sessionEnded', details: { cause: OTHER_CLIENT } }
  await expect.poll(() => state()).toMatchObject({ kind: 'signedOut', failure })
  expect(provider.requests).toHaveLength(sent)
  expect(provider.isRefreshTokenValid(token)).toBe(true)
  await connections.session()?.signOut()
  await expect.poll(() => state()).toMatchObject({ kind: 'signedOut', revocation: 'done' })
  expect(provider.isRefreshTokenValid(token)).toBe(false)
})

test('if the provider no longer accepts the client, the session’s state says that it can’t be revoked', async () => {
  await signIn()
  await signOutLater()
  provider.inject('token', { kind: 'status', status: 401, content: JSON.stringify({ error: 'invalid_client' }) })
  provider.inject('revoke', { kind: 'status', status: 401, content: JSON.stringify({ error: 'invalid_client' }) })
  await configure({ ...inBrowser(), flow: 'password-realm' })
  await expect.poll(() => state()).toMatchObject({ kind: 'signedOut', revocation: 'notPossible' })
  await expect.poll(() => entries.held.size).toBe(0)
})

test('a pending revocation isn’t sent until the keychain can return the client secret', async () => {
  const token = await signIn()
  await signOutLater()
  await connections.stop()
  const baseAddress = 'https://other.example'
  const secret = clientSecret(provider.settings.clientSecret)
  await writeClientSecret(entries, baseAddress, { secret, issuer: provider.address })
  settings.set('connection', { ...inBrowser(), baseAddress })
  failures = 3
  connections = openConnections({ settings, keychain })
  await connections.start()
  await expect.poll(() => provider.isRefreshTokenValid(token), { timeout: 10_000 }).toBe(false)
  expect(failures).toBeLessThan(0)
})

test('a session is neither restored nor dropped until its client secret has been read', async () => {
  await signIn()
  await connections.stop()
  const secret = clientSecret(provider.settings.clientSecret)
  await writeClientSecret(entries, ADDRESS, { secret, issuer: provider.address })
  let answer = () => {}
  const answered = new Promise<void>((resolve) => (answer = resolve))
  const read = async (name: string) => {
    if (name.endsWith(' client secret')) await answered
    return entries.read(name)
  }
  const sent = provider.requests.length
  connections = openConnections({ settings, keychain: { ...keychain, read } })
  const kinds: (string | undefined)[] = []
  connections.subscribe(() => kinds.push(state()?.kind))
  await connections.start()
  await settle()
  expect(state()?.kind).toBe('restoring')
  answer()
  await expect.poll(() => state()?.kind).toBe('active')
  const refreshes = provider.requests.slice(sent).filter(({ operation }) => operation === 'token')
  expect(refreshes).toMatchObject([{ credentials: ['basic'] }])
  expect(kinds).not.toContain('signedOut')
})

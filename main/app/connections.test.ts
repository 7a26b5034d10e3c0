import { afterEach, beforeEach, expect, test } from 'vitest'
import { OK, OTHER_CLIENT } from '../../contract/failures.ts'
import { type IdentityProvider, startIdentityProvider } from '../../demo/identity-provider.ts'
import { ANA } from '../../demo/users.ts'
import { freePort } from '../../test/support/local-servers.ts'
import { settle } from '../../test/support/manual-time.ts'
import { DeadlineClock, systemTime } from '../base/clock.ts'
import { clientSecret } from '../base/secret.ts'
import { MemoryStore } from '../keychain/fallback-store.ts'
import { entryName, readEntry } from '../session/entry.ts'
import type { SecretStore } from '../session/ports.ts'
import { writeClientSecret } from '../settings/connection-settings.ts'
import { createConnections } from './connections.ts'
import { type CorePorts, createCore } from './core.ts'

const ADDRESS = 'https://data.example'

const NO_TEXT = { title: '', body: '' }
const NO_PAGE = { language: 'en', texts: { signedIn: NO_TEXT, declined: NO_TEXT, failed: NO_TEXT } }

const INSTALLATION = 'here'

function openConnections(read: SecretStore['read'] = (name) => entries.read(name), open = openBrowser) {
  const store: SecretStore = {
    persistence: 'keychain',
    read,
    write: (name, value) => entries.write(name, value),
    delete: (name) => entries.delete(name),
  }
  const core = createCore({
    platform: 'linux',
    env: {},
    version: '1.2.3',
    clock: new DeadlineClock(systemTime),
    paths: { policyFile: '/nowhere/policy.json', installation: INSTALLATION },
    policyPlaces: [],
    environment: { layer: {}, app: {}, problems: [] },
    store: { get: (key: string) => settings.get(key), set: (key: string, to: unknown) => void settings.set(key, to) },
    systemKeychain: { open: async () => ({ store, state: { kind: 'unavailable', cause: 'silent' } }) },
    resolveProxy: async () => 'DIRECT',
  } as unknown as CorePorts)
  const browser = { open, onReturn: () => {}, page: NO_PAGE }
  return createConnections(core, browser, undefined, () => {}).connections
}

let provider: IdentityProvider
let settings: Map<string, unknown>
let entries: MemoryStore
let connections: ReturnType<typeof openConnections>

const inBrowser = () => ({
  baseAddress: ADDRESS,
  flow: 'browser',
  authUrl: provider.address,
  clientId: provider.settings.clientId,
  scope: 'openid offline_access',
})
const state = () => connections.session()?.state
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

async function signIn(): Promise<string> {
  await connections.session()?.signIn.begin('browser', {})
  const now = state()
  const challenge = now?.kind === 'signingIn' ? now.challenge : undefined
  await connections.session()?.signIn.answer(challenge?.id ?? '', 'browser', {})
  expect(state()?.kind).toBe('active')
  const found = await entries.read(entryName(ADDRESS, INSTALLATION))
  const read = found.kind === 'found' ? readEntry(found.value) : undefined
  return (read?.kind === 'entry' && read.entry.session?.refreshToken.reveal()) || ''
}

async function signOutLater(): Promise<void> {
  await provider.pause()
  await connections.session()?.signOut()
  expect(state()).toMatchObject({ kind: 'signedOut', revocation: 'pending' })
  await provider.resume()
}
async function closeWithSecret(baseAddress: string): Promise<void> {
  await connections.stop()
  const secret = clientSecret(provider.settings.clientSecret)
  await writeClientSecret(entries, baseAddress, { secret, issuer: provider.address })
}

beforeEach(async () => {
  provider = await startIdentityProvider()
  settings = new Map<string, unknown>([['connection', inBrowser()]])
  entries = new MemoryStore()
  connections = openConnections()
  await connections.start()
  await expect.poll(() => state()?.kind).toBe('signedOut')
})
afterEach(async () => {
  await connections.stop()
  await provider.stop()
})

test.each([
  ['the flow has changed', () => ({ ...inBrowser(), flow: 'password-realm' })],
  ['the provider was removed from the settings', () => ({ baseAddress: ADDRESS })],
  ['the service’s address has changed', () => ({ ...inBrowser(), baseAddress: 'https://other.example' })],
])('a pending revocation is sent after %s', async (_, changed) => {
  const token = await signIn()
  await signOutLater()
  await configure(changed())
  await expect.poll(() => provider.isRefreshTokenValid(token)).toBe(false)
  await expect.poll(() => entries.held.size).toBe(0)
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

test('while another sign-in waits for its callback at the same port, a sign-in fails with `otherSignIn`', async () => {
  await connections.stop()
  const own = { ...inBrowser(), redirectPort: await freePort() }
  settings.set('connections', { other: { ...own, baseAddress: 'https://other.example' } })
  connections = openConnections(undefined, async () => OK)
  await configure(own)
  await expect.poll(() => state()?.kind).toBe('signedOut')
  await connections.session()?.signIn.begin('browser', {})
  const outcome = await connections.session('other')?.signIn.begin('browser', {})
  expect(outcome).toMatchObject({ failure: { problem: 'otherSignIn' } })
})

test('a pending revocation isn’t sent until the keychain can return the client secret', async () => {
  const token = await signIn()
  await signOutLater()
  const baseAddress = 'https://other.example'
  await closeWithSecret(baseAddress)
  settings.set('connection', { ...inBrowser(), baseAddress })
  let failures = 3
  connections = openConnections(async (name) => {
    const isFailing = name.endsWith(' client secret') && failures-- > 0
    return isFailing ? { kind: 'unavailable', cause: 'timeout' } : entries.read(name)
  })
  await connections.start()
  await expect.poll(() => provider.isRefreshTokenValid(token)).toBe(false)
  expect(failures).toBeLessThan(0)
})

test('a session is neither restored nor dropped until its client secret has been read', async () => {
  await signIn()
  await closeWithSecret(ADDRESS)
  let answer = () => {}
  const answered = new Promise<void>((resolve) => (answer = resolve))
  const sent = provider.requests.length
  connections = openConnections(async (name) => {
    if (name.endsWith(' client secret')) await answered
    return entries.read(name)
  })
  const kinds: (string | undefined)[] = []
  connections.subscribe(() => kinds.push(state()?.kind))
  await connections.start()
  await settle()
  expect(state()?.kind).toBe('restoring')
  answer()
  await expect.poll(() => state()?.kind).toBe('active')
  const refreshes = provider.requests.slice(sent).filter(({ operation }) => operation === 'token')
  expect(refreshes).toMatchObject([{ scheme: 'basic' }])
  expect(kinds).not.toContain('signedOut')
})

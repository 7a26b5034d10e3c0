import { afterEach, beforeEach, expect, test } from 'vitest'
import { type IdentityProvider, startIdentityProvider } from '../../demo/identity-provider.ts'
import { ANA } from '../../demo/users.ts'
import { settle } from '../../test/support/manual-time.ts'
import { INSTALLATION, openConnections } from '../../test/support/session/open-connections.ts'
import { clientSecret } from '../base/secret.ts'
import { MemoryStore } from '../keychain/fallback-store.ts'
import { entryName, storedSession, writeEntry } from '../session/entry.ts'
import type { SecretStore } from '../session/ports.ts'
import { writeClientSecret } from '../settings/client-secret.ts'

const ADDRESS = 'https://data.example'
const ENTRY = entryName(ADDRESS, INSTALLATION)
const SECRET = 'ginger-otter-4711'

let provider: IdentityProvider
let entries: MemoryStore
/** Holds back the client secret until the test opens it. */
let gate: { readonly opened: Promise<void>; open: () => void }

/** How many more reads of the client secret fail. */
let failures: number

/** How often the session's entry was read. */
let reads: number

beforeEach(async () => {
  reads = 0
  failures = 0
  provider = await startIdentityProvider({ clientSecret: SECRET })
  entries = new MemoryStore()
  let open = () => {}
  gate = { opened: new Promise<void>((resolve) => (open = resolve)), open: () => open() }
})
afterEach(() => provider.stop())

/** Opens a single sign-on connection whose client secret and session are in the keychain. */
async function start() {
  const { domain, ...settings } = provider.settings
  const authUrl = provider.address
  const grantType = `http://${domain}/oauth/grant-type/password-realm`
  const { audience, realm, clientId } = settings
  const answer = await fetch(`${authUrl}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      username: ANA.username,
      password: ANA.password,
      grant_type: grantType,
      realm,
      scope: 'offline_access',
      audience,
      client_id: clientId,
      client_secret: SECRET,
    }),
  })
  const { refresh_token: refreshToken } = (await answer.json()) as { refresh_token: string }
  const session = storedSession({ grant: 'passwordRealm', issuer: authUrl, username: ANA.username, refreshToken })
  await entries.write(ENTRY, writeEntry({ session, revocations: [] }))
  await writeClientSecret(entries, ADDRESS, { secret: clientSecret(SECRET), issuer: authUrl })

  const connection = {
    baseAddress: ADDRESS,
    authUrl,
    providerDomain: domain,
    scope: 'offline_access',
    audience,
    realm,
    clientId,
  }
  const stored = new Map<string, unknown>([
    ['connection', connection],
    ['markers', { [ENTRY]: 'stored' }],
  ])
  const store: SecretStore = {
    persistence: 'keychain',
    write: (name, value) => entries.write(name, value),
    delete: (name) => entries.delete(name),
    async read(name) {
      if (name === ENTRY) reads += 1
      else await gate.opened
      if (name !== ENTRY && failures-- > 0) return { kind: 'unavailable', cause: 'the keychain did not answer in time' }
      return entries.read(name)
    },
  }
  const connections = openConnections({ settings: stored, keychain: store })
  const kinds: string[] = []
  connections.subscribe(() => kinds.push(connections.view.session.kind))
  await connections.start()
  return { connections, kinds }
}

const refreshes = () => provider.requests.length - 1

test('a session waits for its client secret, and isn’t dropped meanwhile', async () => {
  const { connections, kinds } = await start()
  await expect.poll(() => reads).toBe(1)
  await settle()
  expect(connections.session()?.state.kind).toBe('restoring')
  expect(refreshes()).toBe(0)

  gate.open()
  await expect.poll(() => connections.session()?.state.kind).toBe('active')
  expect(refreshes()).toBe(1)
  expect(kinds).not.toContain('signedOut')
  await connections.stop()
})

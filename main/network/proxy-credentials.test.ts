import { expect, it } from 'vitest'
import { entryText, Secret } from '../base/secret.ts'
import { MemoryStore } from '../keychain/fallback-store.ts'
import { KeychainProxyCredentials, proxyEntryName } from './proxy-credentials.ts'

const PROXY = 'https://proxy.test:3128'
const login = { username: 'ana', password: new Secret('proxy password', 'proxy-password') }

it('SECURITY: credentials survive a restart, but only for their own proxy: no other port, and not the same address without TLS', async () => {
  const store = new MemoryStore()
  expect(await new KeychainProxyCredentials(store).set(PROXY, login)).toMatchObject({ ok: true })
  const later = new KeychainProxyCredentials(store)
  const known = await later.get(PROXY)
  expect([known?.username, known?.password.reveal()]).toEqual(['ana', 'proxy-password'])
  expect(await later.get('https://proxy.test:8080')).toBeUndefined()
  expect(await later.get('http://proxy.test:3128')).toBeUndefined()
})

it('credentials that are set during a read from the keychain replace the stored ones', async () => {
  const store = new MemoryStore()
  await new KeychainProxyCredentials(store).set(PROXY, login)
  const credentials = new KeychainProxyCredentials(store)
  const read = credentials.get(PROXY)
  await credentials.set(PROXY, { ...login, username: 'zoe' })
  expect(await read).toMatchObject({ username: 'zoe' })
  expect(await credentials.get(PROXY)).toMatchObject({ username: 'zoe' })
})

it('if the keychain fails, credentials stay in memory, and `set` returns the failure', async () => {
  const failure = { ok: false, failure: { code: 'keychainUnavailable' } } as const
  const broken = {
    read: async () => ({ kind: 'unavailable', cause: 'no' }) as const,
    write: async () => failure,
    delete: async () => failure,
  }
  const credentials = new KeychainProxyCredentials(broken)
  expect(await credentials.get(PROXY)).toBeUndefined()
  expect(await credentials.set(PROXY, login)).toEqual(failure)
  expect(await credentials.get(PROXY)).toEqual(login)
})

it('an entry with another format is ignored', async () => {
  const store = new MemoryStore()
  await store.write(proxyEntryName(PROXY), entryText('{"version":2,"username":"ana","password":"x"}'))
  expect(await new KeychainProxyCredentials(store).get(PROXY)).toBeUndefined()
})

import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { fail, OK, type Outcome } from '../../contract/failures.ts'
import { MemoryStore } from '../keychain/memory-store.ts'
import type { ReadResult } from '../session/ports.ts'
import { entryText } from '../session/secret.ts'
import { lockedUntil, readClientSecret, writeClientSecret } from './client-secret.ts'
import { clientSecret } from './values.ts'

const store = (results: Record<string, ReadResult>) => ({
  read: async (name: string): Promise<ReadResult> => results[name] ?? { kind: 'missing' },
})

it('the client secret of a connection is found, and printed as [secret]', async () => {
  const found = await readClientSecret(
    store({ 'https://data.example.com client secret': { kind: 'found', value: entryText('hush') } }),
    'https://data.example.com',
  )
  const secret = found.ok ? found.value?.secret : undefined
  expect(secret?.reveal()).toBe('hush')
  expect(inspect(secret)).toBe('[secret]')
})

it.each<[ReadResult, Outcome]>([
  [{ kind: 'missing' }, OK],
  [{ kind: 'locked' }, fail({ code: 'keychainUnavailable' })],
  [{ kind: 'unavailable', cause: 'no bus' }, fail({ code: 'keychainUnavailable' })],
])('a missing client secret is distinguished from one that can’t be read: %o', async (result, outcome) => {
  const made = store({ 'https://data.example.com client secret': result })
  await expect(readClientSecret(made, 'https://data.example.com')).resolves.toEqual(outcome)
})

it('storing or deleting a client secret doesn’t change the connection’s other keychain entries', async () => {
  const keychain = new MemoryStore()
  const address = 'https://data.example.com'
  await keychain.write(address, entryText('the session'))
  await writeClientSecret(keychain, address, { secret: clientSecret('hush'), issuer: 'https://login.example.com' })
  const read = await readClientSecret(keychain, address)
  expect(read).toEqual({ ok: true, value: { secret: clientSecret('hush'), issuer: 'https://login.example.com' } })
  expect(read.ok && read.value?.secret.reveal()).toBe('hush')
  await writeClientSecret(keychain, address, undefined)
  await expect(readClientSecret(keychain, address)).resolves.toEqual(OK)
  expect([...keychain.held.keys()]).toEqual([address])
})

it('until isReady returns true, existing keychain entries count as locked, and missing ones as missing', async () => {
  const keychain = new MemoryStore()
  let isReady = false
  const store = lockedUntil(keychain, async () => isReady)
  await store.write('a', entryText('the session'))
  await expect(store.read('a')).resolves.toEqual({ kind: 'locked' })
  await expect(store.read('b')).resolves.toEqual({ kind: 'missing' })
  isReady = true
  await expect(store.read('a')).resolves.toMatchObject({ kind: 'found' })
  await store.delete('a')
  expect(keychain.held.size).toBe(0)
  expect(store.persistence).toBe('memory')
})

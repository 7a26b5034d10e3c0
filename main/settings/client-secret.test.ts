import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { MemoryStore } from '../keychain/memory-store.ts'
import type { ReadResult } from '../session/ports.ts'
import { entryText } from '../session/secret.ts'
import { lockedUntil, readClientSecret, writeClientSecret } from './client-secret.ts'
import { clientSecret } from './values.ts'

const store = (results: Record<string, ReadResult>) => ({
  read: async (name: string): Promise<ReadResult> => results[name] ?? { kind: 'missing' },
})

it('finds the client secret of its connection, and prints it as [secret]', async () => {
  const found = await readClientSecret(
    store({ 'https://data.example.com client secret': { kind: 'found', value: entryText('hush') } }),
    'https://data.example.com',
  )
  expect(found?.secret.reveal()).toBe('hush')
  expect(inspect(found?.secret)).toBe('[secret]')
})

it.each<ReadResult>([{ kind: 'missing' }, { kind: 'locked' }, { kind: 'unavailable', cause: 'no bus' }])(
  'finds no client secret if the keychain answers $kind',
  async (result) => {
    const made = store({ 'https://data.example.com client secret': result })
    await expect(readClientSecret(made, 'https://data.example.com')).resolves.toBeUndefined()
  },
)

it('stores and deletes the client secret of a connection, without touching its other entries', async () => {
  const keychain = new MemoryStore()
  const address = 'https://data.example.com'
  await keychain.write(address, entryText('the session'))
  await writeClientSecret(keychain, address, { secret: clientSecret('hush'), issuer: 'https://login.example.com' })
  const read = await readClientSecret(keychain, address)
  expect([read?.secret.reveal(), read?.issuer]).toEqual(['hush', 'https://login.example.com'])
  await writeClientSecret(keychain, address, undefined)
  await expect(readClientSecret(keychain, address)).resolves.toBeUndefined()
  expect([...keychain.held.keys()]).toEqual([address])
})

it('the keychain reads as locked for a session that must wait, but only for existing entries', async () => {
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

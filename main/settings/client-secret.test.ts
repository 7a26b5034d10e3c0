import { expect, it } from 'vitest'
import { fail, OK, type Outcome } from '../../contract/failures.ts'
import { entryText } from '../base/secret.ts'
import { MemoryStore } from '../keychain/fallback-store.ts'
import type { ReadResult } from '../session/ports.ts'
import { lockedUntil, readClientSecret } from './client-secret.ts'

const store = (results: Record<string, ReadResult>) => ({
  read: async (name: string): Promise<ReadResult> => results[name] ?? { kind: 'missing' },
})

it.each<[ReadResult, Outcome]>([
  [{ kind: 'missing' }, OK],
  [{ kind: 'locked' }, fail({ code: 'keychainUnavailable' })],
  [{ kind: 'unavailable', cause: 'no bus' }, fail({ code: 'keychainUnavailable' })],
])('a client secret that can’t be read doesn’t count as missing: %o', async (result, outcome) => {
  const made = store({ 'https://data.example.com client secret': result })
  await expect(readClientSecret(made, 'https://data.example.com')).resolves.toEqual(outcome)
})

it('until the connection is ready, an existing entry counts as locked', async () => {
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

import { expect, it } from 'vitest'
import { fail, OK, type Outcome } from '../../contract/failures.ts'
import type { ReadResult } from '../session/ports.ts'
import { readClientSecret } from './client-secret.ts'

const store = (results: Record<string, ReadResult>) => ({
  read: async (name: string): Promise<ReadResult> => results[name] ?? { kind: 'missing' },
})

it.each<[ReadResult, Outcome]>([
  [{ kind: 'missing' }, OK],
  [{ kind: 'locked' }, fail({ code: 'keychainUnavailable' })],
  [{ kind: 'unavailable', cause: 'no bus' }, fail({ code: 'keychainUnavailable' })],
])('reading a missing client secret succeeds, but an unreadable keychain is a failure: %o', async (result, outcome) => {
  const made = store({ 'https://data.example.com client secret': result })
  await expect(readClientSecret(made, 'https://data.example.com')).resolves.toEqual(outcome)
})

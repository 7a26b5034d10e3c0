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
])(
  'reading a client secret fails if the keychain can’t be read, but not if it has no secret: %o',
  async (result, outcome) => {
    const made = store({ 'https://data.example.com client secret': result })
    await expect(readClientSecret(made, 'https://data.example.com')).resolves.toEqual(outcome)
  },
)

import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import type { ReadResult } from '../session/ports.ts'
import { entryText } from '../session/secret.ts'
import { readClientSecret } from './client-secret.ts'

const store = (results: Record<string, ReadResult>) => ({
  read: async (name: string): Promise<ReadResult> => results[name] ?? { kind: 'missing' },
})

it('finds the client secret of its connection, and prints it as [secret]', async () => {
  const found = await readClientSecret(
    store({ 'https://data.example.com client secret': { kind: 'found', value: entryText('hush') } }),
    'https://data.example.com',
  )
  expect(found?.reveal()).toBe('hush')
  expect(inspect(found)).toBe('[secret]')
})

it.each<ReadResult>([{ kind: 'missing' }, { kind: 'locked' }, { kind: 'unavailable', cause: 'no bus' }])(
  'there is none where the keychain gives none: $kind',
  async (result) => {
    const made = store({ 'https://data.example.com client secret': result })
    await expect(readClientSecret(made, 'https://data.example.com')).resolves.toBeUndefined()
  },
)

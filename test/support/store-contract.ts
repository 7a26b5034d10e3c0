import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import { beforeEach, describe, expect, test } from 'vitest'
import { entryText } from '../../main/base/secret.ts'
import type { SecretStore } from '../../main/session/ports.ts'

const KEPT_UNCHANGED: readonly (readonly [string, string])[] = [
  ['one character', 'x'],
  ['8 KiB', 'a1-_'.repeat(2_048)],
  ['characters of four bytes', '🔑é漢'.repeat(700)],
  ['JSON', '{"version":1,"refreshToken":"a\\"b"}'],
  ['white space at its ends and line breaks within', '  a\r\nb\tc\n'],
]

const REFUSED: readonly (readonly [string, string])[] = [
  ['the empty string', ''],
  ['a NUL', 'before\0after'],
  ['half a surrogate pair', 'a\ud83d'],
]

/**
 * What every SecretStore must do. `make` may return the same store each time, because each test has its own entries.
 */
export function describeSecretStore(kind: string, make: () => Promise<SecretStore>): void {
  describe(`a SecretStore over ${kind}`, () => {
    let store: SecretStore
    let name: string

    beforeEach(async () => {
      store = await make()
      name = `https://${randomUUID()}.test/`
    })

    const stands = async (entry: string): Promise<string | undefined> => {
      const result = await store.read(entry)
      if (result.kind !== 'found' && result.kind !== 'missing') throw new Error(`reads as ${inspect(result)}`)
      return result.kind === 'found' ? result.value.reveal() : undefined
    }
    const write = (value: string, entry = name) => store.write(entry, entryText(value))
    const unavailable = { ok: false, failure: { code: 'keychainUnavailable' } }

    test('an entry that was never written is missing', async () => {
      expect(await store.read(name)).toEqual({ kind: 'missing' })
    })

    test.each(KEPT_UNCHANGED)('a value of %s is returned unchanged', async (_, value) => {
      expect(await write(value)).toEqual({ ok: true, value: undefined })
      expect(await stands(name)).toBe(value)
    })

    test('a newer value replaces the older one, whether shorter or longer', async () => {
      for (const length of [10, 6_000, 3_000, 20]) {
        await write('n'.repeat(length))
        expect(await stands(name)).toBe('n'.repeat(length))
      }
    })

    test('deleting an entry doesn’t affect an entry whose name begins with the deleted name', async () => {
      const other = `${name} pending revocations`
      await write('session')
      await write('revocations', other)
      await store.delete(name)
      expect([await stands(name), await stands(other)]).toEqual([undefined, 'revocations'])
    })

    test('a deleted entry is missing, whatever its length', async () => {
      for (const length of [10, 6_000]) {
        await write('d'.repeat(length))
        expect((await store.delete(name)).ok).toBe(true)
        expect(await stands(name)).toBeUndefined()
      }
    })

    test('deleting a missing entry succeeds', async () => {
      expect(await store.delete(name)).toEqual({ ok: true, value: undefined })
    })

    test.each(REFUSED)('a value that is or contains %s is refused, and the previous value stays', async (_, value) => {
      await write('before')
      expect(await write(value)).toMatchObject(unavailable)
      expect(await stands(name)).toBe('before')
    })

    test.each(REFUSED)('a name that is or contains %s is refused', async (_, refused) => {
      expect(await store.read(refused)).toMatchObject({ kind: 'unavailable' })
      expect(await write('value', refused)).toMatchObject(unavailable)
      expect(await store.delete(refused)).toMatchObject(unavailable)
    })

    test('the newest of several writes wins, and an older one may fail as unavailable', async () => {
      const values = Array.from({ length: 20 }, (_, index) => `value ${index}`)
      const outcomes = await Promise.all(values.map((value) => write(value)))
      expect(await stands(name)).toBe('value 19')
      expect(outcomes.at(-1)?.ok).toBe(true)
      for (const outcome of outcomes) if (!outcome.ok) expect(outcome).toMatchObject(unavailable)
    })

    test('a delete wins over earlier writes, even if these haven’t finished', async () => {
      const [, , deleted] = await Promise.all([write('one'), write('two'), store.delete(name)])
      expect(deleted.ok).toBe(true)
      expect(await stands(name)).toBeUndefined()
    })

    test('a write wins over an earlier delete, even if that hasn’t finished', async () => {
      await write('old')
      await Promise.all([write('older'), store.delete(name), write('new')])
      expect(await stands(name)).toBe('new')
    })

    test('a read returns what was written before, even if the write hasn’t finished', async () => {
      void write('written')
      expect(await stands(name)).toBe('written')
    })

    test('entries that are written at once keep their own values', async () => {
      const names = Array.from({ length: 8 }, (_, index) => `${name}${index}`)
      await Promise.all(names.map((entry) => write(`value of ${entry}`, entry)))
      for (const entry of names) expect(await stands(entry)).toBe(`value of ${entry}`)
    })

    test('no result reveals the value when printed', async () => {
      const answers = [await write('hush-hush'), await store.read(name), await store.delete(name)]
      expect(inspect(answers, { depth: 9 }) + JSON.stringify(answers)).not.toContain('hush')
    })
  })
}

import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import { beforeEach, describe, expect, test } from 'vitest'
import { entryText } from '../../main/base/secret.ts'
import type { SecretStore } from '../../main/session/ports.ts'

const KEPT_UNCHANGED: readonly string[] = [
  'x',
  'a1-_'.repeat(2_048),
  '🔑é漢'.repeat(700),
  '{"version":1,"refreshToken":"a\\"b"}',
  '  a\r\nb\tc\n',
]

/** The empty string, a NUL, and half a surrogate pair. */
const REFUSED: readonly string[] = ['', 'before\0after', 'a\ud83d']

/** What every SecretStore must do. `make` may return the same store each time, as each test has its own entries. */
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

    test('an entry is missing before it is written and after it is deleted, whatever its length', async () => {
      expect(await store.read(name)).toEqual({ kind: 'missing' })
      for (const length of [10, 6_000]) {
        await write('d'.repeat(length))
        expect(await store.delete(name)).toEqual({ ok: true, value: undefined })
        expect(await store.read(name)).toEqual({ kind: 'missing' })
      }
      expect(await store.delete(name)).toEqual({ ok: true, value: undefined })
    })

    test('a value is returned unchanged, and a newer one replaces it, whether shorter or longer', async () => {
      for (const value of KEPT_UNCHANGED) {
        expect(await write(value)).toEqual({ ok: true, value: undefined })
        expect(await stands(name)).toBe(value)
      }
    })

    test('deleting an entry doesn’t affect an entry whose name begins with the deleted name', async () => {
      const other = `${name} pending revocations`
      await write('session')
      await write('revocations', other)
      await store.delete(name)
      expect([await stands(name), await stands(other)]).toEqual([undefined, 'revocations'])
    })

    test.each(REFUSED)('%j is refused as a value, so that the previous value stays, and as a name', async (refused) => {
      await write('before')
      expect(await write(refused)).toMatchObject(unavailable)
      expect(await stands(name)).toBe('before')
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

    test('reads, writes and deletes take effect in the order of the calls, even if they overlap', async () => {
      const [, , deleted] = await Promise.all([write('one'), write('two'), store.delete(name)])
      expect(deleted.ok).toBe(true)
      expect(await stands(name)).toBeUndefined()
      await write('old')
      await Promise.all([write('older'), store.delete(name), write('new')])
      expect(await stands(name)).toBe('new')
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

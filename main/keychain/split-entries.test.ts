import { describe, expect, test } from 'vitest'
import { type Entries, splitEntries } from './split-entries.ts'

const LARGEST = 120
const LONG = 'L'.repeat(400)
const LONGER = 'M'.repeat(700)

/** A keychain with entries of at most `largest` bytes, as on Windows. After `failAfter` changes, all others fail. */
class SmallKeychain implements Entries {
  readonly held = new Map<string, string>()
  largest = LARGEST
  changes = 0
  failAfter = Number.POSITIVE_INFINITY
  /** Simulates what another copy of the app does just before a read. */
  meanwhile: ((account: string) => void) | undefined

  async get(account: string): Promise<string | null> {
    this.meanwhile?.(account)
    return this.held.get(account) ?? null
  }

  async set(account: string, value: string): Promise<void> {
    this.#change()
    if (Buffer.byteLength(value) > this.largest) throw new Error('The stub received bad data.')
    this.held.set(account, value)
  }

  async delete(account: string): Promise<boolean> {
    this.#change()
    return this.held.delete(account)
  }

  #change(): void {
    if (this.changes >= this.failAfter) throw new Error('killed')
    this.changes += 1
  }
}

const setUp = () => {
  const keychain = new SmallKeychain()
  let count = 0
  const newId = () => (++count).toString(16).padStart(16, '0')
  return { keychain, entries: splitEntries(keychain, 'win32', LARGEST, newId) }
}

describe('entries on Windows', () => {
  test('a write that fails leaves no part behind', async () => {
    const { keychain, entries } = setUp()
    const { set } = keychain
    keychain.set = async (account, value) => {
      if (account === 'a') throw new Error('no head')
      return set.call(keychain, account, value)
    }
    await expect(entries.set('a', LONG)).rejects.toThrow('no head')
    expect(keychain.held.size).toBe(0)
  })

  test.each([
    ['short', LONG, 6],
    [LONG, LONGER, 9],
    [LONG, 'short', 1],
  ])(
    'if a write stops at any step, the entry has the whole old or the whole new value',
    async (before, after, left) => {
      for (let step = 0; ; step += 1) {
        const { keychain, entries } = setUp()
        await entries.set('a', before)
        keychain.failAfter = keychain.changes + step
        const isWritten = await entries.set('a', after).then(
          () => true,
          () => false,
        )
        expect(await entries.get('a')).toBe(isWritten ? after : before)
        if (step === 0) expect(isWritten).toBe(false)
        // Once no step fails, no part of the old value is left.
        if (keychain.changes < keychain.failAfter) return expect(keychain.held.size).toBe(left)
      }
    },
  )

  test('if a delete stops halfway, the entry never reads as half a value, and can be deleted again', async () => {
    for (const step of [0, 1, 2, 3]) {
      const { keychain, entries } = setUp()
      await entries.set('a', LONG)
      keychain.failAfter = keychain.changes + step
      await expect(entries.delete('a')).rejects.toThrow('killed')
      expect(await entries.get('a')).toBe(step === 0 ? LONG : null)
      keychain.failAfter = Number.POSITIVE_INFINITY
      await entries.delete('a')
      expect(keychain.held.size).toBe(0)
    }
  })

  test('an entry that another copy of the app replaces during a read has the new value', async () => {
    const { keychain, entries } = setUp()
    await entries.set('a', LONG)
    const after = new SmallKeychain()
    await splitEntries(after, 'win32', LARGEST, () => 'f'.repeat(16)).set('a', LONGER)
    keychain.meanwhile = (account) => {
      if (account === 'a') return
      keychain.meanwhile = undefined
      keychain.held.clear()
      for (const [key, value] of after.held) keychain.held.set(key, value)
    }
    expect(await entries.get('a')).toBe(LONGER)
  })

  test('each part has at most the 2,560 bytes that Windows allows', async () => {
    const { keychain } = setUp()
    keychain.largest = 2_560
    const entries = splitEntries(keychain, 'win32')
    for (const [value, count] of [
      ['x'.repeat(2_560), 1],
      ['x'.repeat(8_192), 6],
    ] as const) {
      await entries.set('a', value)
      expect(await entries.get('a')).toBe(value)
      expect(keychain.held.size).toBe(count)
    }
  })
})

test('an entry on Linux is never split', () => {
  const { keychain } = setUp()
  expect(splitEntries(keychain, 'linux', LARGEST)).toBe(keychain)
})

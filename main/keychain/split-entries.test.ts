import { describe, expect, test } from 'vitest'
import { type Entries, splitEntries } from './split-entries.ts'

const LARGEST = 120
const LONG = 'L'.repeat(400)
const LONGER = 'M'.repeat(700)

/**
 * A keychain like Windows' Credential Manager, but with at most `LARGEST` bytes in an entry. After `failAfter` changes,
 * every further change fails.
 */
class SmallKeychain implements Entries {
  readonly held = new Map<string, string>()
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
    if (Buffer.byteLength(value) > LARGEST) throw new Error('The stub received bad data.')
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

const setUp = (platform: NodeJS.Platform = 'win32') => {
  const keychain = new SmallKeychain()
  let count = 0
  const newId = () => (++count).toString(16).padStart(16, '0')
  return { keychain, entries: splitEntries(keychain, platform, LARGEST, newId) }
}

describe('entries on Windows', () => {
  test('a value that fits is stored unchanged in one entry', async () => {
    const { keychain, entries } = setUp()
    await entries.set('a', 'short')
    expect([...keychain.held]).toEqual([['a', 'short']])
    expect(await entries.get('a')).toBe('short')
  })

  test('a value that looks like the head of a split value isn’t mistaken for a head', async () => {
    const { entries } = setUp()
    const value = `latchkey-parts/1 ${'0'.repeat(16)} 1 ${'0'.repeat(64)}`
    await entries.set('a', value)
    expect(await entries.get('a')).toBe(value)
  })

  test.each([
    ['long by short', LONG, 'short', 1],
    ['long by longer', LONG, LONGER, 1 + Math.ceil((Math.ceil(700 / 3) * 4) / LARGEST)],
    ['longer by long', LONGER, LONG, 1 + Math.ceil((Math.ceil(400 / 3) * 4) / LARGEST)],
  ])('replacing a value (%s) leaves no part of the old one', async (_, before, after, left) => {
    const { keychain, entries } = setUp()
    await entries.set('a', before)
    await entries.set('a', after)
    expect(await entries.get('a')).toBe(after)
    expect(keychain.held.size).toBe(left)
  })

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

  test('a deleted entry leaves no part behind', async () => {
    const { keychain, entries } = setUp()
    await entries.set('a', LONG)
    expect(await entries.delete('a')).toBe(true)
    expect(keychain.held.size).toBe(0)
    expect(await entries.delete('a')).toBe(false)
  })

  test.each([
    ['short', LONG],
    [LONG, LONGER],
    [LONG, 'short'],
  ])('if a write stops at any step, the entry has the whole old or the whole new value', async (before, after) => {
    const whole = setUp()
    await whole.entries.set('a', before)
    const first = whole.keychain.changes
    await whole.entries.set('a', after)
    const steps = whole.keychain.changes - first
    const seen = new Set<string | null>()
    for (let step = 0; step < steps; step += 1) {
      const { keychain, entries } = setUp()
      await entries.set('a', before)
      keychain.failAfter = keychain.changes + step
      const told = await entries.set('a', after).then(
        () => 'written',
        () => 'failed',
      )
      const stands = await entries.get('a')
      expect(stands).toBe(told === 'written' ? after : before)
      seen.add(stands)
    }
    expect(seen.has(before)).toBe(true)
  })

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

  test('an entry is reported missing if a part of it was lost or changed', async () => {
    const { keychain, entries } = setUp()
    await entries.set('a', LONG)
    const [part] = [...keychain.held.keys()].filter((account) => account.startsWith('a part'))
    keychain.held.set(String(part), 'AAAA')
    expect(await entries.get('a')).toBeNull()
    keychain.held.delete(String(part))
    expect(await entries.get('a')).toBeNull()
  })

  test('an entry that another copy of the app replaces during a read has the new value', async () => {
    const { keychain, entries } = setUp()
    await entries.set('a', LONG)
    const other = splitEntries(keychain, 'win32', LARGEST, () => 'f'.repeat(16))
    const after = new SmallKeychain()
    await splitEntries(after, 'win32', LARGEST, () => 'f'.repeat(16)).set('a', LONGER)
    keychain.meanwhile = (account) => {
      if (account === 'a') return
      keychain.meanwhile = undefined
      keychain.held.clear()
      for (const [key, value] of after.held) keychain.held.set(key, value)
    }
    expect(await entries.get('a')).toBe(LONGER)
    expect(await other.get('a')).toBe(LONGER)
  })

  test('if two copies of the app write an entry at once, the entry has one of the two whole values', async () => {
    const { keychain, entries } = setUp()
    const other = splitEntries(keychain, 'win32', LARGEST, () => 'f'.repeat(16))
    await Promise.all([entries.set('a', LONG), other.set('a', LONGER)])
    expect([LONG, LONGER]).toContain(await entries.get('a'))
  })

  test('each part has at most the 2,560 bytes that Windows allows', async () => {
    const sizes: number[] = []
    const held = new Map<string, string>()
    const entries = splitEntries(
      {
        get: async (account) => held.get(account) ?? null,
        set: async (account, value) => {
          sizes.push(Buffer.byteLength(value))
          held.set(account, value)
        },
        delete: async (account) => held.delete(account),
      },
      'win32',
    )
    await entries.set('a', 'x'.repeat(2_560))
    expect(sizes).toEqual([2_560])
    await entries.set('a', 'x'.repeat(8_192))
    expect(Math.max(...sizes)).toBe(2_560)
    expect(await entries.get('a')).toBe('x'.repeat(8_192))
  })
})

test.each(['linux', 'darwin'] as const)('an entry on %s is never split', async (platform) => {
  const { keychain } = setUp(platform)
  expect(splitEntries(keychain, platform, LARGEST)).toBe(keychain)
})

import { expect, it } from 'vitest'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { entryText } from '../base/secret.ts'
import type { ReadResult } from '../session/ports.ts'
import { EntryBackup } from './entry-backup.ts'
import { MemoryStore } from './fallback-store.ts'

/** A backup of the entries in a keychain that the test can empty and lock. */
function replaceable() {
  const clock = new ManualClock()
  let keychain = new MemoryStore()
  let isLocked = false
  const store = {
    read: async (name: string): Promise<ReadResult> => (isLocked ? { kind: 'locked' } : keychain.read(name)),
    write: (name: string, value: ReturnType<typeof entryText>) => keychain.write(name, value),
    delete: (name: string) => keychain.delete(name),
  }
  return {
    clock,
    entries: new EntryBackup(store, clock),
    empty: () => {
      keychain = new MemoryStore()
    },
    lock: (locked: boolean) => {
      isLocked = locked
    },
    put: (name: string, value: string) => keychain.write(name, entryText(value)),
    content: () => Object.fromEntries([...keychain.held].map(([name, value]) => [name, value.reveal()])),
  }
}

it('an emptied keychain gets back its entries, except those that were deleted or have a new value', async () => {
  const { entries, empty, put, content } = replaceable()
  await put('read', 'a')
  await entries.read('read')
  for (const name of ['written', 'deleted', 'changed']) await entries.write(name, entryText('b'))
  await entries.delete('deleted')
  empty()
  await put('changed', 'c')
  await entries.verify()
  expect(content()).toEqual({ read: 'a', written: 'b', changed: 'c' })
})

it('a missing entry is written again once the locked keychain is unlocked', async () => {
  const { clock, entries, empty, lock, content } = replaceable()
  await entries.write('name', entryText('a'))
  empty()
  lock(true)
  await entries.verify()
  await entries.verify()
  expect([clock.armed, content()]).toEqual([1, {}])
  lock(false)
  clock.advance(60_000)
  await expect.poll(content).toEqual({ name: 'a' })
  expect(clock.armed).toBe(0)
})

it('an old value isn’t written again while a new one is being written', async () => {
  const keychain = new MemoryStore()
  const written: string[] = []
  let finish = () => {}
  const store = {
    read: async (): Promise<ReadResult> => ({ kind: 'missing' }),
    write: async (name: string, value: ReturnType<typeof entryText>) => {
      written.push(value.reveal())
      if (written.length === 2) await new Promise<void>((resolve) => (finish = resolve))
      return keychain.write(name, value)
    },
    delete: (name: string) => keychain.delete(name),
  }
  const entries = new EntryBackup(store, new ManualClock())
  await entries.write('name', entryText('old'))
  const changed = entries.write('name', entryText('new'))
  await entries.verify()
  finish()
  await changed
  expect(written).toEqual(['old', 'new'])
})

it('an entry that is deleted during `verify` isn’t written again', async () => {
  const { entries, empty, content } = replaceable()
  await entries.write('name', entryText('a'))
  empty()
  const verified = entries.verify()
  await entries.delete('name')
  await verified
  expect(content()).toEqual({})
})

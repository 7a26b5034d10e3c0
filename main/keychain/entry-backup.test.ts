import { expect, it } from 'vitest'
import { OK } from '../../contract/failures.ts'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { entryText } from '../base/secret.ts'
import type { ReadResult } from '../session/ports.ts'
import { EntryBackup } from './entry-backup.ts'
import { MemoryStore } from './fallback-store.ts'

function replaceable() {
  const clock = new ManualClock()
  const inside = { keychain: new MemoryStore(), isLocked: false }
  const store = {
    read: async (name: string): Promise<ReadResult> =>
      inside.isLocked ? { kind: 'locked' } : inside.keychain.read(name),
    write: (name: string, value: ReturnType<typeof entryText>) => inside.keychain.write(name, value),
    delete: (name: string) => inside.keychain.delete(name),
  }
  const content = () => Object.fromEntries([...inside.keychain.held].map(([name, value]) => [name, value.reveal()]))
  const empty = () => {
    inside.keychain = new MemoryStore()
  }
  return { clock, inside, entries: new EntryBackup(store, clock), content, empty }
}

it('SECURITY: an emptied keychain gets back its entries, except those that were deleted, even during the check, or have a new value', async () => {
  const { entries, empty, inside, content } = replaceable()
  await inside.keychain.write('read', entryText('a'))
  await entries.read('read')
  for (const name of ['written', 'changed', 'signed out']) await entries.write(name, entryText('b'))
  void entries.write('deleted', entryText('b'))
  await entries.delete('deleted')
  empty()
  await inside.keychain.write('changed', entryText('c'))
  const verified = entries.verify()
  await entries.delete('signed out')
  await verified
  expect(content()).toEqual({ read: 'a', written: 'b', changed: 'c' })
})

it('a missing entry is written again once the locked keychain is unlocked', async () => {
  const { clock, entries, empty, inside, content } = replaceable()
  await entries.write('name', entryText('a'))
  empty()
  inside.isLocked = true
  await entries.verify()
  await entries.verify()
  expect([clock.armed, content()]).toEqual([1, {}])
  inside.isLocked = false
  clock.advance(60_000)
  await expect.poll(content).toEqual({ name: 'a' })
  expect(clock.armed).toBe(0)
})

it('an old value isn’t written again while a new one is being written', async () => {
  const written: string[] = []
  let finish = () => {}
  const store = {
    read: async (): Promise<ReadResult> => ({ kind: 'missing' }),
    write: async (_: string, value: ReturnType<typeof entryText>) => {
      written.push(value.reveal())
      if (written.length === 2) await new Promise<void>((resolve) => (finish = resolve))
      return OK
    },
    delete: async () => OK,
  }
  const entries = new EntryBackup(store, new ManualClock())
  await entries.write('name', entryText('old'))
  const changed = entries.write('name', entryText('new'))
  await entries.verify()
  finish()
  await changed
  expect(written).toEqual(['old', 'new'])
})

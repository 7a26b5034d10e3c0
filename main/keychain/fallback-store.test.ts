import { beforeEach, describe, expect, test } from 'vitest'
import type { Outcome } from '../../contract/failures.ts'
import { describeSecretStore } from '../../test/support/store-contract.ts'
import { type EntryText, entryText } from '../base/secret.ts'
import type { ReadResult, SecretStore } from '../session/ports.ts'
import { FallbackStore, MemoryStore } from './fallback-store.ts'
import { keychainFailure } from './keytar-store.ts'

describeSecretStore('memory', async () => new MemoryStore())

class Keychain implements SecretStore {
  readonly persistence = 'keychain'
  readonly kept = new MemoryStore()
  there = false
  refuses = false

  read = (name: string): Promise<ReadResult> => this.kept.read(name)
  write = async (name: string, value: EntryText): Promise<Outcome> =>
    this.refuses ? keychainFailure('keychainWrite', 'locked') : this.kept.write(name, value)
  delete = async (name: string): Promise<Outcome> =>
    this.refuses ? keychainFailure('keychainDelete', 'locked') : this.kept.delete(name)
}

describeSecretStore('memory until a keychain comes', async () => new FallbackStore(async () => undefined))
describeSecretStore('a keychain that came late', async () => {
  const keychain = new Keychain()
  return new FallbackStore(async () => keychain)
})

describe('a keychain that comes late', () => {
  let keychain: Keychain
  let store: FallbackStore

  beforeEach(() => {
    keychain = new Keychain()
    store = new FallbackStore(async () => (keychain.there ? keychain : undefined))
  })

  const text = (result: ReadResult) => (result.kind === 'found' ? result.value.reveal() : result.kind)
  const inKeychain = async (name: string) => text(await keychain.read(name))

  test('returns the entries of an earlier run, and gets the entries from memory with the next call', async () => {
    await keychain.write('a', entryText('earlier'))
    expect(text(await store.read('a'))).toBe('missing')
    await store.write('b', entryText('held'))
    expect(store.persistence).toBe('memory')
    keychain.there = true
    expect(text(await store.read('a'))).toBe('earlier')
    expect(await inKeychain('b')).toBe('held')
    expect(store.persistence).toBe('keychain')
  })

  test('loses an entry that was deleted before it came, but not one that was written again', async () => {
    for (const name of ['a', 'b']) {
      await keychain.write(name, entryText('earlier'))
      await store.delete(name)
    }
    keychain.there = true
    keychain.refuses = true
    expect(text(await store.read('a'))).toBe('missing')
    keychain.refuses = false
    await Promise.all([store.write('b', entryText('new')), store.read('a'), store.read('b')])
    expect([await inKeychain('a'), await inKeychain('b')]).toEqual(['missing', 'new'])
  })

  test('may refuse entries, which then stay in memory and are stored later', async () => {
    await store.write('a', entryText('held'))
    keychain.there = true
    keychain.refuses = true
    expect((await store.write('a', entryText('newest'))).ok).toBe(false)
    expect(text(await store.read('a'))).toBe('newest')
    expect(store.persistence).toBe('memory')
    keychain.refuses = false
    await store.read('another')
    expect(await inKeychain('a')).toBe('newest')
    expect(store.persistence).toBe('keychain')
  })

  test('refuses changes to an entry of a session until the session has read it', async () => {
    const late = new FallbackStore(
      async () => (keychain.there ? keychain : undefined),
      (name) => name === 'session',
    )
    await keychain.write('session', entryText('left by an earlier run'))
    await late.write('session', entryText('held'))
    expect(text(await late.read('session'))).toBe('held')
    keychain.there = true
    const { read } = keychain
    keychain.read = async () => ({ kind: 'locked' })
    expect(text(await late.read('session'))).toBe('locked')
    keychain.read = read
    expect((await late.write('session', entryText('newer'))).ok).toBe(false)
    expect((await late.delete('session')).ok).toBe(false)
    expect(await inKeychain('session')).toBe('left by an earlier run')
    expect(late.persistence).toBe('keychain')
    expect(text(await late.read('session'))).toBe('left by an earlier run')
    expect((await late.write('session', entryText('newer'))).ok).toBe(true)
    expect(await inKeychain('session')).toBe('newer')
  })
})

import { describe, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { entryText } from '../base/secret.ts'
import { MemoryStore } from './fallback-store.ts'
import type { Keytar } from './keytar-store.ts'
import { Keychain, type KeychainOptions, openSecretStore } from './open.ts'

const never = () => new Promise<never>(() => {})
const hanging: Keytar = { getPassword: never, setPassword: never, deletePassword: never }

const options = (changes: Partial<KeychainOptions>): KeychainOptions => ({
  platform: 'linux',
  hostname: 'PC-17',
  clock: new ManualClock(),
  loadKeytar: async () => hanging,
  askSecretService: async () => ({ kind: 'unlocked' }),
  ...changes,
})

describe('opening the keychain', () => {
  test('uses memory if libsecret is missing, and says why', async () => {
    const missing = async () => {
      throw new Error('libsecret-1.so.0: cannot open shared object file')
    }
    const { store, probe } = await openSecretStore(options({ loadKeytar: missing }))
    expect(await probe()).toEqual({ kind: 'absent', cause: 'libsecret-1.so.0: cannot open shared object file' })
    expect(store.persistence).toBe('memory')
    expect((await store.write('a', entryText('value'))).ok).toBe(true)
  })

  test('the probe fails after the timeout if the keychain never answers, and the keychain stays busy', async () => {
    const clock = new ManualClock()
    let keytar = hanging
    const keychain = new Keychain(() =>
      openSecretStore(options({ clock, platform: 'darwin', loadKeytar: async () => keytar })),
    )
    const probing = keychain.probe()
    while (clock.armed < 2) await Promise.resolve()
    clock.advance(2_000)
    expect(await probing).toMatchObject({ kind: 'failing' })
    keytar = { getPassword: async () => null, setPassword: async () => {}, deletePassword: async () => true }
    expect(await keychain.probe()).toMatchObject({ kind: 'failing' })
    expect(keychain.isBusy).toBe(true)
  })

  test('leaves no trial entry behind', async () => {
    const held = new Map<string, string>()
    const keytar: Keytar = {
      getPassword: async (_, account) => held.get(account) ?? null,
      setPassword: async (_, account, password) => {
        held.set(account, password)
      },
      deletePassword: async (_, account) => held.delete(account),
    }
    const { probe } = await openSecretStore(options({ platform: 'win32', loadKeytar: async () => keytar }))
    expect(await probe()).toEqual({ kind: 'works' })
    expect(held.size).toBe(0)
  })
})

test('the keychain is opened once, when its store is first used', async () => {
  const told: string[] = []
  const inMemory = new MemoryStore()
  const keychain = new Keychain(async () => {
    told.push('opened')
    return {
      store: inMemory,
      probe: async () => ({ kind: 'works' }),
      state: { kind: 'unlocked' },
      busy: () => true,
      allowPrompts: () => told.push('prompts allowed'),
    }
  })
  const store = keychain.store()
  keychain.allowPrompts()
  expect([keychain.isBusy, told]).toEqual([false, []])
  await store.write('entry', entryText('session'))
  expect(await keychain.store(async () => ({ kind: 'locked' })).read('entry')).toEqual({ kind: 'locked' })
  expect(await store.read('entry')).toMatchObject({ kind: 'found' })
  await store.delete('entry')
  expect([keychain.isBusy, inMemory.held.size]).toEqual([true, 0])
  keychain.allowPrompts()
  expect(told).toEqual(['opened', 'prompts allowed'])
})

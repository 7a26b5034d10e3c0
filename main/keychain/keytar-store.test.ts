import { describe, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { describeSecretStore } from '../../test/support/store-contract.ts'
import { entryText } from '../base/secret.ts'
import { type Keytar, KeytarStore } from './keytar-store.ts'
import type { SecretServiceState } from './secret-service.ts'

/** A fake keytar that keeps its entries in `held`. */
function keytarOver(held: Map<string, string>): Keytar {
  return {
    getPassword: async (service, account) => held.get(`${service}/${account}`) ?? null,
    setPassword: async (service, account, password) => {
      held.set(`${service}/${account}`, password)
    },
    deletePassword: async (service, account) => held.delete(`${service}/${account}`),
  }
}

function openOn(
  platform: NodeJS.Platform,
  states: readonly SecretServiceState[] = [],
  changes: Partial<Keytar> = {},
  seen?: SecretServiceState['kind'],
) {
  const held = new Map<string, string>()
  const clock = new ManualClock()
  let asked = 0
  const store = new KeytarStore({
    keytar: { ...keytarOver(held), ...changes },
    platform,
    hostname: 'PC-17',
    clock,
    askSecretService: async () => states[asked++] ?? { kind: 'unavailable', cause: 'asked once too often' },
    ...(seen && { seen }),
  })
  return { store, held, clock, asked: () => asked }
}

describeSecretStore('keytar as on Windows', async () => openOn('win32').store)
describeSecretStore('keytar as on macOS', async () => openOn('darwin').store)

test('SECURITY: on Windows, the account of an entry contains the computer’s name, because Windows copies entries to others', async () => {
  const { store, held } = openOn('win32')
  await store.write('https://api.test/', entryText('value'))
  expect([...held.keys()]).toEqual(['Latchkey/https://api.test/ on PC-17'])
})

test.each(['win32', 'darwin'] as const)('no Secret Service is queried on %s', async (platform) => {
  const { store, asked } = openOn(platform)
  expect(await store.read('nothing')).toEqual({ kind: 'missing' })
  await store.write('a', entryText('value'))
  await store.delete('nothing')
  expect(asked()).toBe(0)
})

test('a read doesn’t query a collection that was found unlocked a moment ago, unless the read finds no entry', async () => {
  const { store, held, asked } = openOn('linux', [{ kind: 'locked' }], {}, 'unlocked')
  held.set('Latchkey/a', 'value')
  expect(await store.read('a')).toMatchObject({ kind: 'found' })
  expect(asked()).toBe(0)
  expect(await store.read('b')).toEqual({ kind: 'locked' })
  expect(asked()).toBe(1)
})

test.each(['absent', 'unavailable'] as const)(
  'with the Secret Service %s, an empty result doesn’t mean that the entry is missing',
  async (kind) => {
    const state = { kind, cause: 'gone' }
    const { store } = openOn('linux', [state, state, state])
    expect(await store.read('a')).toMatchObject({ kind: 'unavailable' })
    expect((await store.delete('a')).ok).toBe(false)
  },
)

test('keytar’s error message is reported as the cause', async () => {
  const broken = async () => {
    throw new Error('Access is denied.')
  }
  const { store } = openOn('darwin', [], { getPassword: broken, setPassword: broken })
  expect(await store.read('a')).toEqual({ kind: 'unavailable', cause: 'Access is denied.' })
  const details = { operation: 'keychainWrite', cause: 'Access is denied.' }
  expect(await store.write('a', entryText('value'))).toMatchObject({
    failure: { code: 'keychainUnavailable', details },
  })
})

describe('a collection that was found unlocked', () => {
  const unlocked = { kind: 'unlocked' } as const
  const locked = { kind: 'locked' } as const

  test('isn’t queried again for half a second', async () => {
    const { store, asked, clock } = openOn('linux', [unlocked, unlocked])
    await store.write('a', entryText('value'))
    clock.advance(499)
    await store.read('a')
    await store.write('a', entryText('other'))
    expect(asked()).toBe(1)
    clock.advance(1)
    await store.read('a')
    expect(asked()).toBe(2)
  })

  test('is queried again if an entry isn’t found', async () => {
    const { store } = openOn('linux', [unlocked, locked])
    await store.write('a', entryText('value'))
    expect(await store.read('b')).toEqual({ kind: 'locked' })
  })
})

test('SECURITY: a delete that the user refuses fails, so that a sign-out doesn’t count the entry as gone', async () => {
  const { store } = openOn('linux', [{ kind: 'withheld' }, { kind: 'withheld' }], { deletePassword: async () => false })
  expect((await store.delete('a')).ok).toBe(false)
})

test('a write that the keychain loses fails', async () => {
  const { store } = openOn('linux', [{ kind: 'unlocked' }, { kind: 'unlocked' }], { setPassword: async () => {} })
  expect(await store.write('a', entryText('value'))).toMatchObject({ ok: false })
})

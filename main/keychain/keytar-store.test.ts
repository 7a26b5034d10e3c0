import { describe, expect, test } from 'vitest'
import { entryText } from '../session/secret.ts'
import { type Keytar, KeytarStore } from './keytar-store.ts'
import { ManualClock } from './manual-clock.ts'
import type { SecretServiceState } from './secret-service.ts'
import { describeSecretStore } from './store-contract.ts'

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

describe('the account of an entry', () => {
  test('contains the computer’s name on Windows, because Windows copies entries to other computers', async () => {
    const { store, held } = openOn('win32')
    await store.write('https://api.test/', entryText('value'))
    expect([...held.keys()]).toEqual(['Latchkey/https://api.test/ on PC-17'])
  })

  test.each(['darwin', 'linux'] as const)('is the entry’s unchanged name on %s', async (platform) => {
    const { store, held } = openOn(platform, [{ kind: 'unlocked' }])
    await store.write('https://api.test/', entryText('value'))
    expect([...held.keys()]).toEqual(['Latchkey/https://api.test/'])
  })
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
  const keytar = keytarOver(new Map())
  const broken = async () => {
    throw new Error('Access is denied.')
  }
  const store = new KeytarStore({
    keytar: { ...keytar, getPassword: broken, setPassword: broken, deletePassword: broken },
    platform: 'darwin',
    hostname: 'PC-17',
    clock: new ManualClock(),
    askSecretService: broken,
  })
  const failure = (operation: string) => ({
    ok: false,
    failure: { code: 'keychainUnavailable', details: { operation, cause: 'Access is denied.' } },
  })
  expect(await store.read('a')).toEqual({ kind: 'unavailable', cause: 'Access is denied.' })
  expect(await store.write('a', entryText('value'))).toEqual(failure('keychainWrite'))
  expect(await store.delete('a')).toEqual(failure('keychainDelete'))
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

/** KeePassXC, whose user is asked about an entry once for each connection, and whether they allow it. */
function keePassXC(isAllowed: () => boolean) {
  const held = new Map<string, string>()
  let asked = 0
  let decided: boolean | undefined
  const isOpen = () => {
    asked += decided === undefined ? 1 : 0
    decided ??= isAllowed()
    return decided
  }
  const base = keytarOver(held)
  const kept = { is: false }
  const keytar: Keytar = {
    getPassword: async (service, account) => (isOpen() ? base.getPassword(service, account) : null),
    // libsecret reports no error if the user refuses.
    setPassword: async (...args) => void (isOpen() && (await base.setPassword(...args))),
    deletePassword: async (service, account) => decided === true && base.deletePassword(service, account),
    keep: () => {
      kept.is = true
    },
    reconnect: () => {
      decided = undefined
    },
  }
  const store = new KeytarStore({
    keytar,
    platform: 'linux',
    hostname: 'PC-17',
    clock: new ManualClock(),
    askSecretService: async (account) => ({ kind: held.has(`Latchkey/${account}`) ? 'withheld' : 'unlocked' }),
  })
  return { store, held, kept, asked: () => asked }
}

describe('a Secret Service that asks the user about each entry', () => {
  test('a refused read isn’t a missing entry, and isn’t asked about again until the user acts', async () => {
    let isAllowed = false
    const { store, held, asked } = keePassXC(() => isAllowed)
    held.set('Latchkey/a', 'value')
    for (const _ of [1, 2, 3]) expect(await store.read('a')).toEqual({ kind: 'locked' })
    expect(asked()).toBe(1)
    isAllowed = true
    store.allowPrompts()
    expect(await store.read('a')).toMatchObject({ kind: 'found' })
    expect(asked()).toBe(2)
  })

  test('a refused write fails, although libsecret reports success', async () => {
    const { store, held, asked } = keePassXC(() => false)
    held.set('Latchkey/a', 'old')
    for (const _ of [1, 2, 3]) expect((await store.write('a', entryText('new'))).ok).toBe(false)
    expect(held.get('Latchkey/a')).toBe('old')
    expect(asked()).toBe(1)
  })

  test('SECURITY: a refused delete fails, so that a sign-out doesn’t count the entry as gone', async () => {
    const { store, held } = keePassXC(() => false)
    held.set('Latchkey/a', 'value')
    for (const _ of [1, 2]) expect((await store.delete('a')).ok).toBe(false)
    expect(held.size).toBe(1)
  })

  test('a delete that the user allows succeeds', async () => {
    const { store, held } = keePassXC(() => true)
    held.set('Latchkey/a', 'value')
    expect((await store.delete('a')).ok).toBe(true)
    expect(held.size).toBe(0)
  })

  test.each<[string, (store: KeytarStore) => Promise<unknown>]>([
    ['read', (store) => store.read('a')],
    ['write', (store) => store.write('a', entryText('value'))],
  ])('the connection is kept after a %s, so that the user is asked once', async (_, use) => {
    const { store, held, kept } = keePassXC(() => true)
    held.set('Latchkey/a', 'value')
    await use(store)
    await Promise.resolve()
    expect(kept.is).toBe(true)
  })
})

test('a write that the keychain loses fails', async () => {
  const unlocked: SecretServiceState = { kind: 'unlocked' }
  const { store } = openOn('linux', [unlocked, unlocked], { setPassword: async () => {} })
  expect(await store.write('a', entryText('value'))).toMatchObject({ ok: false })
})

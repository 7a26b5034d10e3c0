import { setImmediate as turn } from 'node:timers/promises'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { describeSecretStore } from '../../test/support/store-contract.ts'
import { entryText } from '../base/secret.ts'
import { type Keytar, KeytarStore, type SecretServiceState } from './keytar-store.ts'

function keytarOver(held: Map<string, string>): Keytar {
  return {
    getPassword: async (service, account) => held.get(`${service}/${account}`) ?? null,
    setPassword: async (service, account, password) => {
      held.set(`${service}/${account}`, password)
    },
    deletePassword: async (service, account) => held.delete(`${service}/${account}`),
  }
}

function openOn(platform: NodeJS.Platform, states: readonly SecretServiceState[] = [], changes: Partial<Keytar> = {}) {
  const held = new Map<string, string>()
  let asked = 0
  const store = new KeytarStore({
    keytar: { ...keytarOver(held), ...changes },
    platform,
    hostname: 'PC-17',
    clock: new ManualClock(),
    askSecretService: async () => states[asked++] ?? { kind: 'unavailable', cause: 'asked once too often' },
  })
  return { store, held }
}

describeSecretStore('keytar as on Windows', async () => openOn('win32').store)
describeSecretStore('keytar as on macOS', async () => openOn('darwin').store)

test('SECURITY: on Windows, an entry names its computer, because Windows copies entries to other computers', async () => {
  const { store, held } = openOn('win32')
  await store.write('https://api.test/', entryText('value'))
  expect([...held.keys()]).toEqual(['Latchkey/https://api.test/ on PC-17'])
})

test('while the Secret Service is absent or doesn’t answer, an entry that keytar doesn’t find is unavailable, not missing', async () => {
  for (const kind of ['absent', 'unavailable'] as const) {
    const { store } = openOn('linux', Array(3).fill({ kind, cause: 'gone' }))
    expect([(await store.read('a')).kind, (await store.delete('a')).ok]).toEqual(['unavailable', false])
  }
})

test('a locked collection prompts once for each kind of call on an entry, and once more after `allowPrompts`', async () => {
  const called: string[] = []
  const { store } = openOn('linux', Array(99).fill({ kind: 'locked' }), {
    getPassword: async () => {
      called.push('get')
      return null
    },
    setPassword: async () => void called.push('set'),
    deletePassword: async () => false,
  })
  for (let time = 0; time < 2; time += 1) {
    called.length = 0
    store.allowPrompts()
    for (const expected of [['get', 'set', 'get', 'get'], []]) {
      expect(await store.read('a')).toEqual({ kind: 'locked' })
      expect((await store.write('a', entryText('value'))).ok).toBe(false)
      expect((await store.delete('a')).ok).toBe(false)
      expect(called.splice(0)).toEqual(expected)
    }
  }
})

test('without a default collection, no entry is found, and only the first write may ask the user to create one', async () => {
  const setPassword = vi.fn()
  const { store } = openOn('linux', Array(9).fill({ kind: 'uncreated' }), { setPassword })
  expect(await store.read('a')).toEqual({ kind: 'missing' })
  expect((await store.delete('a')).ok).toBe(true)
  for (let time = 0; time < 2; time += 1) expect((await store.write('a', entryText('value'))).ok).toBe(false)
  expect(setPassword).toHaveBeenCalledOnce()
})

test('SECURITY: if the user refuses to delete an entry, the delete fails, so that the entry isn’t reported as deleted', async () => {
  const { store } = openOn('linux', [{ kind: 'withheld' }, { kind: 'withheld' }], { deletePassword: async () => false })
  expect((await store.delete('a')).ok).toBe(false)
})

test('a write fails if the keychain doesn’t keep the value', async () => {
  const { store } = openOn('linux', [{ kind: 'unlocked' }, { kind: 'unlocked' }], { setPassword: async () => {} })
  expect(await store.write('a', entryText('value'))).toMatchObject({ ok: false })
})

describe('calls', () => {
  const TIMEOUT_MS = 5_000
  let clock: ManualClock
  let store: KeytarStore
  let begun: string[]
  let told: string[]
  let ends: Map<string, (error?: Error) => void>

  beforeEach(() => {
    clock = new ManualClock()
    begun = []
    told = []
    ends = new Map()
    const call = (label: string) =>
      new Promise<null>((resolve, reject) => {
        begun.push(label)
        ends.set(label, (error) => (error === undefined ? resolve(null) : reject(error)))
      })
    const keytar: Keytar = {
      getPassword: (_, account) => call(`read ${account}`),
      setPassword: async (_, account, value) => void (await call(`write ${account} ${value}`)),
      deletePassword: async (_, account) => (await call(`delete ${account}`)) === null,
    }
    store = new KeytarStore({
      keytar,
      platform: 'darwin',
      hostname: '',
      clock,
      timeoutMs: TIMEOUT_MS,
      askSecretService: async () => ({ kind: 'unlocked' }),
    })
  })

  const end = async (label: string, error?: Error): Promise<void> => {
    ends.get(label)?.(error)
    await turn()
  }
  const read = (name: string) => {
    void store.read(name).then((result) => told.push(`read ${name}: ${'cause' in result ? result.cause : result.kind}`))
  }
  const change = (label: string, changing: ReturnType<KeytarStore['write']>) => {
    void changing.then((done) => told.push(`${label}: ${done.ok ? 'done' : done.failure.details?.cause}`))
  }
  const write = (name: string, value: string) => change(`write ${name} ${value}`, store.write(name, entryText(value)))

  const LATE = 'the keychain did not answer in time'

  test('run one at a time, in order, even after one has failed', async () => {
    write('a', '1')
    read('a')
    write('b', '1')
    await turn()
    expect(begun).toEqual(['write a 1'])
    await end('write a 1', new Error('broken'))
    expect(begun).toEqual(['write a 1', 'read a'])
    await end('read a')
    await end('write b 1')
    expect(told).toEqual(['write a 1: broken', 'read a: missing', 'write b 1: done'])
    expect(clock.armed).toBe(0)
  })

  test('have a timeout that includes the wait for their turn', async () => {
    write('a', 'hanging')
    clock.advance(TIMEOUT_MS - 1_000)
    read('a')
    write('b', '1')
    clock.advance(TIMEOUT_MS - 1)
    await turn()
    expect(told).toEqual([`write a hanging: ${LATE}`])
    clock.advance(1)
    await turn()
    expect(told.slice(1)).toEqual([`read a: ${LATE}`, `write b 1: ${LATE}`])
  })

  test('a waiting change is made even after its timeout, unless a newer change of the same entry waits', async () => {
    write('a', 'hanging')
    write('b', 'old')
    write('c', '1')
    await turn()
    clock.advance(TIMEOUT_MS)
    write('b', 'new')
    await end('write a hanging')
    await end('write c 1')
    expect(begun).toEqual(['write a hanging', 'write c 1', 'write b new'])
  })
})

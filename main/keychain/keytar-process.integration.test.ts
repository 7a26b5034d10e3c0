import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Keyring, startKeyring } from '../../test/keyring/keyring.ts'
import { type KeytarChildren, keytarChildren } from '../../test/keyring/keytar-child.ts'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { isRunning } from '../../test/support/processes.ts'
import { describeSecretStore } from '../../test/support/store-contract.ts'
import { entryText } from '../base/secret.ts'
import { KeytarProcess, type KeytarProcessOptions } from './keytar-process.ts'
import { KEYCHAIN_TIMEOUT_MS, KeytarStore } from './keytar-store.ts'
import { SecretService } from './secret-service.ts'

/** This clock stands still, because programs may be slow on a busy machine. */
const clock = { now: () => 0, at: () => () => {} }

let keyring: Keyring
let children: KeytarChildren
const keytars: KeytarProcess[] = []

const start = (options: Partial<KeytarProcessOptions> = {}): KeytarProcess => {
  const keytar = new KeytarProcess({ fork: children.fork, clock, ...options })
  keytars.push(keytar)
  return keytar
}
const storeOver = (keytar: KeytarProcess, own: KeytarProcessOptions['clock'] = clock): KeytarStore => {
  const service = new SecretService({ clock, busAddress: keyring.env.DBUS_SESSION_BUS_ADDRESS })
  const askSecretService = () => service.ask()
  return new KeytarStore({ keytar, platform: 'linux', hostname: 'PC-17', clock: own, askSecretService })
}
const running = () => children.pids.filter(isRunning)

beforeAll(async () => {
  keyring = await startKeyring()
  children = await keytarChildren(keyring)
})
afterEach(async () => {
  for (const keytar of keytars.splice(0)) keytar.stop()
  await expect.poll(running).toEqual([])
})
afterAll(async () => {
  await children?.stop()
  await keyring?.stop()
})

describeSecretStore('keytar in a process of its own and a real gnome-keyring', async () => storeOver(start()))

test('after a restart of the Secret Service, calls use one new child, and a locked collection still prompts', async () => {
  const name = `https://${randomUUID()}.test/`
  const store = storeOver(start())
  expect((await store.write(name, entryText('before'))).ok).toBe(true)
  await keyring.restartService()
  const before = children.pids.length
  expect((await store.write(name, entryText('after'))).ok).toBe(true)
  expect(await keyring.lookup(name)).toBe('after')
  expect(children.pids.length).toBe(before + 1)

  await keyring.restartService()
  await keyring.lock()
  const prompter = await keyring.startSilentPrompter()
  const reading = store.read(name)
  await prompter.whenOpened(1)
  prompter.stop()
  expect(await reading).toEqual({ kind: 'locked' })
  await keyring.unlock()
  expect(await store.read(name)).toMatchObject({ kind: 'found' })

  await keyring.restartService()
  expect((await store.delete(name)).ok).toBe(true)
  expect(await keyring.lookup(name)).toBeUndefined()
})

describe('a locked collection', () => {
  let name: string

  beforeEach(async () => {
    name = `https://${randomUUID()}.test/`
    await storeOver(start()).write(name, entryText('before'))
    await keyring.lock()
  })
  afterEach(() => keyring.unlock())

  test('is reported as locked by each read, refuses changes, and keeps its entries', async () => {
    const store = storeOver(start())
    for (const entry of [name, 'no such entry']) {
      expect(await store.read(entry)).toEqual({ kind: 'locked' })
      expect((await store.delete(entry)).ok).toBe(false)
    }
    expect((await store.write(name, entryText('after'))).ok).toBe(false)
    await keyring.unlock()
    expect(await keyring.lookup(name)).toBe('before')
    expect((await store.delete(name)).ok).toBe(true)
    expect(await keyring.lookup(name)).toBeUndefined()
  })

  test('a prompt without an answer times out, and the next call runs', async () => {
    const prompter = await keyring.startSilentPrompter()
    const time = new ManualClock()
    const store = storeOver(start({ clock: time }), time)
    const writing = store.write(name, entryText('after'))
    await prompter.whenOpened(1)
    time.advance(KEYCHAIN_TIMEOUT_MS)
    expect(await writing).toMatchObject({ failure: { details: { cause: 'the keychain did not answer in time' } } })
    time.advance(5 * 60_000)
    await expect.poll(() => store.busy).toBe(false)
    prompter.stop()
    await keyring.unlock()
    expect((await store.write(name, entryText('after'))).ok).toBe(true)
    expect(await keyring.lookup(name)).toBe('after')
  })
})

test('SECURITY: a child ends if it gets a message that the app never sends', async () => {
  const call = { id: 7, method: 'setPassword', args: ['Latchkey', 'a', 'value'] }
  const refused = [
    'getPassword',
    { ...call, method: 'findCredentials', args: ['Latchkey'] },
    { ...call, args: ['Latchkey', 'a'] },
    { ...call, args: ['Latchkey', 'a', ['value']] },
    { ...call, id: '7' },
  ]
  const heard = (message: unknown): Promise<unknown> =>
    new Promise((resolve) => {
      const child = children.fork()
      child.onExit(() => resolve('ended'))
      child.onMessage((answer) => {
        if ((answer as { readonly kind: string }).kind === 'ready') return child.send(message)
        resolve('answered')
        child.kill()
      })
    })
  expect(await Promise.all(refused.map(heard))).toEqual(refused.map(() => 'ended'))
})

test('a child that is killed during a write leaves the old entry or the new one', async () => {
  const name = `https://${randomUUID()}.test/`
  const values = ['a'.repeat(4_000), 'b'.repeat(4_000)]
  const [first = '', second = ''] = values
  await storeOver(start()).write(name, entryText(first))
  const seen = new Set<string | undefined>()
  for (let moment = 0; moment < 12; moment += 1) {
    const keytar = start()
    await keytar.getPassword('Latchkey', name)
    const writing = keytar.setPassword('Latchkey', name, moment % 2 === 0 ? second : first).catch(() => {})
    await sleep(moment / 4)
    keytar.stop()
    await writing
    seen.add(await keyring.lookup(name))
  }
  for (const value of seen) expect(values).toContain(value)
})

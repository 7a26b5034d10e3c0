import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Keyring, startKeyring } from '../../test/keyring/keyring.ts'
import { keytarOn } from '../../test/keyring/keytar.ts'
import type { SilentPrompter } from '../../test/keyring/prompter.ts'
import { DeadlineClock, systemTime } from '../session/clock.ts'
import type { ReadResult } from '../session/ports.ts'
import { entryText } from '../session/secret.ts'
import { type Keytar, KeytarStore } from './keytar-store.ts'
import { tryOut } from './open.ts'
import { SecretService } from './secret-service.ts'
import { describeSecretStore } from './store-contract.ts'

const clock = new DeadlineClock(systemTime)
const secretService = new SecretService({ clock })
/** The timeout in tests of calls that time out, in milliseconds. A call takes about 10 ms. */
const SHORT_TIMEOUT_MS = 1_000

let keyring: Keyring
let keytar: Keytar

const open = (timeoutMs?: number) =>
  new KeytarStore({
    keytar,
    platform: 'linux',
    hostname: 'PC-17',
    clock,
    askSecretService: () => secretService.ask(),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  })

beforeAll(async () => {
  keyring = await startKeyring()
  keytar = await keytarOn(keyring)
})
afterAll(() => keyring?.stop())

describeSecretStore('keytar and a real gnome-keyring', async () => open())

const unavailable = { ok: false, failure: { code: 'keychainUnavailable' } }
const text = (result: ReadResult): string => (result.kind === 'found' ? result.value.reveal() : result.kind)

describe('a real gnome-keyring', () => {
  test('stores an entry under the service Latchkey and the entry’s name, where secret-tool finds it', async () => {
    const name = `https://${randomUUID()}.test/`
    await open().write(name, entryText('{"version":1}'))
    expect(await keyring.lookup(name)).toBe('{"version":1}')
    await open().delete(name)
    expect(await keyring.lookup(name)).toBeUndefined()
  })

  test('stores, returns and deletes a trial entry', async () => {
    expect(await tryOut(open())).toEqual({ kind: 'works' })
  })
})

describe('a locked collection', () => {
  let name: string
  let store: KeytarStore

  beforeEach(async () => {
    name = `https://${randomUUID()}.test/`
    store = open()
    await store.write(name, entryText('before'))
    await keyring.lock()
  })
  afterEach(() => keyring.unlock())

  test('reads as locked, whether the entry exists or not', async () => {
    expect(await store.read(name)).toEqual({ kind: 'locked' })
    expect(await store.read('no such entry')).toEqual({ kind: 'locked' })
  })

  test('refuses changes, loses nothing, and can be read after it is unlocked', async () => {
    expect(await store.write(name, entryText('after'))).toMatchObject(unavailable)
    expect(await store.delete(name)).toMatchObject(unavailable)
    expect(await store.delete('no such entry')).toMatchObject(unavailable)
    await keyring.unlock()
    expect(await keyring.lookup(name)).toBe('before')
    expect(text(await store.read(name))).toBe('before')
    expect((await store.delete(name)).ok).toBe(true)
    expect(await keyring.lookup(name)).toBeUndefined()
  })

  describe('with an unlock prompt that is not answered', () => {
    let prompter: SilentPrompter

    beforeEach(async () => {
      prompter = await keyring.startSilentPrompter()
      store = open(SHORT_TIMEOUT_MS)
    })
    afterEach(async () => {
      prompter.stop()
      await ended(store)
    })

    test('keeps the native call pending; callers get a timeout, and the newest write wins', async () => {
      const first = store.write(name, entryText('first'))
      await prompter.whenOpened(1)
      expect(await first).toMatchObject(unavailable)
      expect(store.busy).toBe(true)
      const later = [store.write(name, entryText('second')), store.write(name, entryText('third'))]
      expect(await store.read(name)).toEqual({ kind: 'locked' })
      for (const outcome of await Promise.all(later)) expect(outcome).toMatchObject(unavailable)
      await keyring.unlock()
      prompter.stop()
      await ended(store)
      expect(await keyring.lookup(name)).toBe('third')
    })

    test('answers a read with “locked” after the timeout, while the native call is still pending', async () => {
      expect(await store.read(name)).toEqual({ kind: 'locked' })
      await prompter.whenOpened(1)
      expect(store.busy).toBe(true)
    })

    test.each([
      ['read', () => store.read(name)],
      ['write', () => store.write(name, entryText('after'))],
      ['delete', () => store.delete(name)],
    ])('prompts once for a %s however often it is repeated, and again when the user asks', async (_, call) => {
      await call()
      await prompter.whenOpened(1)
      prompter.stop()
      await ended(store)
      prompter = await keyring.startSilentPrompter()
      await call()
      await call()
      expect(prompter.opened).toBe(0)
      store.allowPrompts()
      await call()
      await prompter.whenOpened(1)
    })
  })
})

describe('a Secret Service that ended', () => {
  test('reads as unavailable and never as missing, refuses changes, and loses nothing', async () => {
    const name = `https://${randomUUID()}.test/`
    const store = open()
    await store.write(name, entryText('kept'))
    await keyring.stopService()
    expect(await store.read(name)).toMatchObject({ kind: 'unavailable' })
    expect(await store.write(name, entryText('after'))).toMatchObject(unavailable)
    expect(await store.delete(name)).toMatchObject(unavailable)
    // Libsecret keeps its first connection as long as the process lives, so this read still fails.
    await keyring.startService()
    expect((await store.read(name)).kind).not.toBe('missing')
    expect(await keyring.lookup(name)).toBe('kept')
  })
})

/** Resolves when the native calls of a store have ended. */
async function ended(store: KeytarStore): Promise<void> {
  while (store.busy) await sleep(10)
}

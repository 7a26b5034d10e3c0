import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Keyring, startKeyring } from '../../test/keyring/keyring.ts'
import { keytarOn } from '../../test/keyring/keytar.ts'
import { DeadlineClock, systemTime } from '../base/clock.ts'
import { entryText } from '../base/secret.ts'
import { KeytarStore } from './keytar-store.ts'
import { SecretService } from './secret-service.ts'

const clock = new DeadlineClock(systemTime)
const secretService = new SecretService({ clock })
let keyring: Keyring

beforeAll(async () => {
  keyring = await startKeyring({ state: 'uncreated' })
})
afterAll(() => keyring?.stop())

test('without a default collection, a read finds no entry, and a write asks the user once to create the collection', async () => {
  const prompter = await keyring.startSilentPrompter()
  const store = new KeytarStore({
    keytar: await keytarOn(keyring),
    platform: 'linux',
    hostname: 'PC-17',
    clock,
    timeoutMs: 1_000,
    askSecretService: () => secretService.ask(),
  })
  expect(await store.read('a')).toEqual({ kind: 'missing' })
  expect((await store.delete('a')).ok).toBe(true)
  expect(prompter.opened).toBe(0)

  expect((await store.write('a', entryText('value'))).ok).toBe(false)
  await prompter.whenOpened(1)
  prompter.stop()
  while (store.busy) await sleep(10)

  const later = await keyring.startSilentPrompter()
  expect((await store.write('a', entryText('value'))).ok).toBe(false)
  expect(later.opened).toBe(0)
  expect(store.busy).toBe(false)
})

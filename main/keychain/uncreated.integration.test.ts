import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startKeyring } from '../../test/keyring/keyring.ts'
import { keytarChildren } from '../../test/keyring/keytar-child.ts'
import { DeadlineClock, systemTime } from '../base/clock.ts'
import { entryText } from '../base/secret.ts'
import { KeytarProcess } from './keytar-process.ts'
import { KeytarStore } from './keytar-store.ts'
import { openSecretStore } from './open.ts'
import { SecretService } from './secret-service.ts'

const clock = new DeadlineClock(systemTime)

test('without a default collection, a read finds nothing, and a write asks once to create it', async () => {
  const keyring = await startKeyring({ state: 'uncreated' })
  onTestFinished(() => keyring.stop())
  const children = await keytarChildren(keyring)
  onTestFinished(() => children.stop())
  const keytar = new KeytarProcess({ clock, fork: children.fork })
  onTestFinished(() => keytar.stop())
  const secretService = new SecretService({ clock, busAddress: keyring.env.DBUS_SESSION_BUS_ADDRESS })
  const askSecretService = () => secretService.ask()
  const options = { platform: 'linux', hostname: 'PC-17', clock, askSecretService } as const
  const store = new KeytarStore({ ...options, keytar, timeoutMs: 1_000 })

  const prompter = await keyring.startSilentPrompter()
  await keytar.load()
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
  const opened = await openSecretStore({ ...options, loadKeytar: () => keytar.load() })
  expect(await opened.probe()).toEqual({ kind: 'uncreated' })

  await keyring.restartService()
  expect((await store.write('a', entryText('value'))).ok).toBe(true)
})

import { describe, expect, onTestFinished, test } from 'vitest'
import { type Keyring, type KeyringState, startKeyring } from '../../test/keyring/keyring.ts'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { entryText } from '../base/secret.ts'
import { loadKeytar, openSecretStore } from './open.ts'

async function start(state: KeyringState): Promise<Keyring> {
  const keyring = await startKeyring({ state })
  onTestFinished(() => keyring.stop())
  return keyring
}

const openOn = async (keyring: Keyring) => {
  Object.assign(process.env, keyring.env)
  return openSecretStore({ platform: 'linux', hostname: 'PC-17', clock: new ManualClock(), loadKeytar })
}

// Keytar connects to D-Bus only once, and each test has its own bus. So only the last test may call keytar.
describe('opening a real keychain', () => {
  test.each(['noBus', 'noService'] as const)('uses memory if the keychain is absent (%s)', async (state) => {
    const { store, probe } = await openOn(await start(state))
    expect(await probe()).toMatchObject({ kind: 'absent', cause: expect.stringMatching(/ENOENT|not provided/) })
    expect(store.persistence).toBe('memory')
  })

  test.each(['locked', 'uncreated'] as const)('reports that the keychain is %s, and shows no prompt', async (state) => {
    const keyring = await start(state)
    const prompter = await keyring.startSilentPrompter()
    const { store, probe, busy } = await openOn(keyring)
    expect(await probe()).toEqual({ kind: state })
    expect(store.persistence).toBe('keychain')
    expect(busy()).toBe(false)
    expect(prompter.opened).toBe(0)
  })

  test('uses a keychain that starts after the app, and moves the entries from memory to it', async () => {
    const keyring = await start('noService')
    const { store } = await openOn(keyring)
    await store.write('a', entryText('held'))
    expect(store.persistence).toBe('memory')
    await keyring.startService()
    expect(await store.read('b')).toEqual({ kind: 'missing' })
    expect(store.persistence).toBe('keychain')
    expect(await keyring.lookup('a')).toBe('held')
    const again = await openOn(keyring)
    expect(await again.probe()).toEqual({ kind: 'works' })
    expect(await again.store.read('a')).toMatchObject({ kind: 'found' })
  })
})

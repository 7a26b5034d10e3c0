/** The store contract over keytar and Credential Manager. */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { afterAll, expect, test } from 'vitest'
import { type Keytar, KeytarStore, SERVICE } from '../../main/keychain/keytar-store.ts'
import { loadKeytar } from '../../main/keychain/load-keytar.ts'
import { tryOut } from '../../main/keychain/open.ts'
import { describeSecretStore } from '../../main/keychain/store-contract.ts'
import { DeadlineClock, systemTime } from '../../main/session/clock.ts'
import { entryText } from '../../main/session/secret.ts'

/** CRED_MAX_CREDENTIAL_BLOB_SIZE: https://learn.microsoft.com/windows/win32/api/wincred/ns-wincred-credentialw */
const LARGEST = 5 * 512

const real = await loadKeytar()
const written = new Set<string>()

/** Wine accepts longer values; Windows refuses them with this error, through keytar too. */
const keytar: Keytar = {
  getPassword: (service, account) => real.getPassword(service, account),
  deletePassword: (service, account) => real.deletePassword(service, account),
  async setPassword(service, account, password) {
    if (Buffer.byteLength(password) > LARGEST) throw new Error('The stub received bad data.')
    written.add(account)
    await real.setPassword(service, account, password)
  },
}
afterAll(async () => {
  for (const account of written) await real.deletePassword(SERVICE, account)
})

const open = () =>
  new KeytarStore({
    keytar,
    platform: 'win32',
    hostname: hostname(),
    clock: new DeadlineClock(systemTime),
    askSecretService: () => Promise.reject(new Error('there is none on Windows')),
  })

describeSecretStore('keytar and Credential Manager', async () => open())

test('the check of the keychain succeeds', async () => {
  expect(await tryOut(open())).toEqual({ kind: 'works' })
})

test('an entry is found under service Latchkey, by a name with this computer’s', async () => {
  const name = `https://${randomUUID()}.test/`
  await open().write(name, entryText('value'))
  expect(await real.getPassword('Latchkey', `${name} on ${hostname()}`)).toBe('value')
})

test('deleting a long value leaves nothing behind', async () => {
  const name = `https://${randomUUID()}.test/`
  const store = open()
  written.clear()
  await store.write(name, entryText('v'.repeat(6_000)))
  const accounts = [...written]
  expect(accounts.length).toBeGreaterThan(3)
  await store.delete(name)
  for (const account of accounts) expect(await real.getPassword(SERVICE, account)).toBeNull()
})

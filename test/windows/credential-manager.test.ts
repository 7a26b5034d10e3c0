import { hostname } from 'node:os'
import { afterAll } from 'vitest'
import { DeadlineClock, systemTime } from '../../main/base/clock.ts'
import { KEYCHAIN_SERVICE, type Keytar, KeytarStore } from '../../main/keychain/keytar-store.ts'
import { loadKeytar } from '../../main/keychain/open.ts'
import { describeSecretStore } from '../support/store-contract.ts'

/** CRED_MAX_CREDENTIAL_BLOB_SIZE: https://learn.microsoft.com/windows/win32/api/wincred/ns-wincred-credentialw */
const LARGEST = 5 * 512

const real = await loadKeytar()
const written = new Set<string>()

/** A keytar that refuses values that are too long, as keytar on Windows does. Wine would accept them. */
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
  for (const account of written) await real.deletePassword(KEYCHAIN_SERVICE, account)
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

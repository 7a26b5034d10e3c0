/** `KeytarStore` with Windows' Credential Manager. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { DeadlineClock, systemTime } from '../../main/base/clock.ts'
import { entryText } from '../../main/base/secret.ts'
import { KEYCHAIN_SERVICE, type Keytar, KeytarStore } from '../../main/keychain/keytar-store.ts'
import { loadKeytar, probeStore } from '../../main/keychain/open.ts'
import { describeSecretStore } from '../support/store-contract.ts'
import { windowsWithoutWine } from '../support/systems.ts'

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

test('the check of the keychain succeeds', async () => {
  expect(await probeStore(open())).toEqual({ kind: 'works' })
})

test('an entry belongs to the service Latchkey, and its name contains the computer’s name', async () => {
  const name = `https://${randomUUID()}.test/`
  await open().write(name, entryText('value'))
  expect(await real.getPassword('Latchkey', `${name} on ${hostname()}`)).toBe('value')
})

/** The persistence of the credential that TARGET names, at offset 48 of what CredReadW returns. */
const PRINT_PERSISTENCE = `
Add-Type -Namespace Native -Name Credentials -MemberDefinition @'
[DllImport("advapi32.dll", CharSet = CharSet.Unicode)]
public static extern bool CredReadW(string target, int type, int flags, out IntPtr credential);
'@
$credential = [IntPtr]::Zero
if (-not [Native.Credentials]::CredReadW($env:TARGET, 1, 0, [ref] $credential)) { exit 1 }
[Runtime.InteropServices.Marshal]::ReadInt32($credential, 48)
`
/** A value of Persist: https://learn.microsoft.com/windows/win32/api/wincred/ns-wincred-credentialw */
const CRED_PERSIST_ENTERPRISE = 3

test(
  'entries are stored with the user’s profile, which may roam to other computers',
  windowsWithoutWine('Wine has no PowerShell: test/wine/persistence.test.ts uses a program of its own'),
  async () => {
    const name = `https://${randomUUID()}.test/`
    await open().write(name, entryText('value'))
    const args = ['-NoProfile', '-NonInteractive', '-EncodedCommand']
    const script = Buffer.from(PRINT_PERSISTENCE, 'utf16le').toString('base64')
    const env = { ...process.env, TARGET: `${KEYCHAIN_SERVICE}/${name} on ${hostname()}` }
    const { stdout } = await promisify(execFile)('powershell.exe', [...args, script], { env })
    expect(Number(stdout)).toBe(CRED_PERSIST_ENTERPRISE)
  },
)

test('deleting a long value leaves nothing behind', async () => {
  const name = `https://${randomUUID()}.test/`
  const store = open()
  written.clear()
  await store.write(name, entryText('v'.repeat(6_000)))
  const accounts = [...written]
  expect(accounts.length).toBeGreaterThan(3)
  await store.delete(name)
  for (const account of accounts) expect(await real.getPassword(KEYCHAIN_SERVICE, account)).toBeNull()
})

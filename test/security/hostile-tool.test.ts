import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { locate } from '../../main/agent/location.ts'
import { runDoctor } from '../../main/doctor/doctor.ts'
import { collect, wellPorts } from '../../main/doctor/testing.ts'
import { KeytarStore } from '../../main/keychain/keytar-store.ts'
import { SecretService } from '../../main/keychain/secret-service.ts'
import { shownVariables } from '../../main/network/shown-variables.ts'
import { DeadlineClock, systemTime } from '../../main/session/clock.ts'
import { readClientSecret, writeClientSecret } from '../../main/settings/client-secret.ts'
import { type Keyring, startKeyring } from '../keyring/keyring.ts'
import { keytarOn } from '../keyring/keytar.ts'
import { ROOT } from '../support/app.ts'

/** The app's keychain. keytar finds it by the environment, which the tests after this one get back. */
async function openStore(keyring: Keyring): Promise<KeytarStore> {
  const before = { ...process.env }
  onTestFinished(() => {
    for (const name of Object.keys(keyring.env)) delete process.env[name]
    Object.assign(process.env, before)
  })
  const keytar = await keytarOn(keyring)
  const clock = new DeadlineClock(systemTime)
  const askSecretService = () => new SecretService({ clock }).ask()
  return new KeytarStore({ keytar, platform: 'linux', hostname: 'PC-17', clock, askSecretService })
}

describe('A hostile tool, environment or command line of the same user', () => {
  test.todo('NODE_DEBUG prints no credentials: a packaged app does not run with it set')

  // ---

  test.todo('an inherited APPIMAGE doesn’t put another program into the autostart entry')

  // ---

  test.each([
    ['HTTPS_PROXY', 'http://ana:hunter2'],
    ['all_proxy', 'http://ana:hunter2#proxy.test:3128'],
    ['NO_PROXY', 'ana:hunter2@proxy.test'],
    ['LATCHKEY_SOCKET', 'ana:hunter2'],
  ])('the doctor prints only the name of a malformed variable: %s', async (name, text) => {
    const env = { [name]: text }
    const lines = await collect(
      runDoctor({
        ...wellPorts(),
        targets: [],
        settings: () => ({ values: [], problems: [], places: [], variables: shownVariables(env, 'linux') }),
        agent: {
          isEnabled: true,
          place: locate({ platform: 'linux', env, dataFolder: '/nowhere', isDefaultDataFolder: true }),
        },
      }),
    )
    const details = lines.find(({ check }) => check === 'settings')?.details
    expect(details).toEqual([`${name}: can’t be used, not shown (variable)`])
    expect(JSON.stringify(lines)).not.toContain('hunter2')
  })

  // ---

  test.todo('more connections than the process has file descriptors for don’t end the app')

  // ---

  test.todo('latchkey.cmd runs Windows’ own PowerShell, whatever lies in the current folder')

  // ---

  test.todo('an argument of `latchkey exec` on Windows stays one argument, whatever is in it')

  // ---

  test.runIf(process.platform === 'linux')(
    'a client secret stored as the documentation says is found, every time',
    async () => {
      const keyring = await startKeyring()
      onTestFinished(() => keyring.stop())
      const store = await openStore(keyring)
      const env = { PATH: process.env['PATH'], ...keyring.env }
      for (const page of ['README.md', 'docs/administrators.md']) {
        const text = readFileSync(path.join(ROOT, page), 'utf8')
        const [command = '', address = ''] = /^ *secret-tool store .*'(https:\S+) client secret'.*$/m.exec(text) ?? []
        for (let times = 0; times < 20; times++) {
          const secret = randomUUID()
          execFileSync('sh', ['-c', command], { env, input: secret, stdio: ['pipe', 'ignore', 'inherit'] })
          expect((await readClientSecret(store, address))?.reveal()).toBe(secret)
          await expect(writeClientSecret(store, address, undefined)).resolves.toMatchObject({ ok: true })
        }
      }
    },
  )
})

/** Each computer and each data folder has its own session, even in a shared keychain. */
import { readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { startAgain } from '../support/app.ts'
import { entryNameOn, storedToken } from '../support/entry.ts'
import { eventually } from '../support/eventually.ts'
import { pressInDialog } from '../support/native-dialog.ts'
import { openTestDesktop } from '../support/test-desktop.ts'
import { sentences } from '../support/window.ts'

const texts = await sentences()

it.skipIf(process.platform !== 'linux')(
  'a clone of the computer, with another machine id, neither uses nor ends the session',
  async () => {
    const desk = await openTestDesktop()
    const { keyring, service } = desk
    const first = await desk.start()
    await (await first.open()).signIn(ANA)
    await first.quit()
    // This is what the app would have left with another machine id.
    const name = entryNameOn(desk)
    const former = name.replace(/[0-9a-f]{32}$/, '0'.repeat(32))
    const token = (await storedToken(desk)) ?? ''
    await keyring.put(former, await keyring.lookup(name))
    await keyring.put(name, undefined)
    const file = path.join(desk.dataFolder, 'config.json')
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(name, former))

    const second = await desk.start()
    const window = await second.open()
    await window.username.waitFor()
    await window.signIn(ANA)
    await window.signOut()
    await window.says('You’re signed out, here and at')
    expect(service.isRefreshTokenValid(token)).toBe(true)
    await expect(keyring.lookup(former)).resolves.toContain(token)
    await window.openSettings()
    await window.button(texts.settings.about.heading).click()
    await window.button(texts.check.run).click()
    const shown = `${former.slice(0, -24)}…`
    const line = window.page.getByRole('listitem').filter({ hasText: shown })
    await line.getByText(texts.details.summary).click()
    await window.says(shown)
  },
)

describe.skipIf(process.platform !== 'linux')('a data folder with another computer’s lock', () => {
  const OTHER = 'pc-17.lab.example-4711'

  /** Starts the app with such a data folder, and presses these keys in the dialog about the lock. */
  async function startBeside(...keys: readonly string[]) {
    const desk = await openTestDesktop()
    const { installation, dataFolder, home, keyring } = desk
    const lock = path.join(dataFolder, 'SingletonLock')
    symlinkSync(OTHER, lock)
    const { DBUS_SESSION_BUS_ADDRESS } = keyring.env
    const env = { HOME: home, TMPDIR: path.join(home, 'tmp'), DBUS_SESSION_BUS_ADDRESS }
    const ending = new AbortController()
    onTestFinished(() => ending.abort())
    let printed = ''
    const onPrinted = (text: string) => {
      printed += text
    }
    const ended = startAgain({ installation, dataFolder, env }, { onPrinted, signal: ending.signal })
    await pressInDialog(...keys)
    return { dataFolder, ended, printed: () => printed, holder: () => readlinkSync(lock) }
  }

  it('is named in a dialog and on standard error; Enter ends the app, and nothing changes', async () => {
    const { dataFolder, ended, printed, holder } = await startBeside('Return')
    await expect(ended).resolves.toBe(1)
    expect(printed()).toContain('Latchkey is already running on pc-17.lab.example.')
    expect(printed()).toContain(dataFolder)
    expect(holder()).toBe(OTHER)
  })

  it('is used if the user agrees, because a crash may have left the lock', async () => {
    const { holder } = await startBeside('Tab', 'Return')
    await eventually(holder).toMatch(new RegExp(`^${hostname()}-\\d+$`))
  })
})

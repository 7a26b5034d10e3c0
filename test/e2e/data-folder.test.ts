/** The app's files, and settings that another user could have changed. */
import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { isPackaged } from '../support/app.ts'
import { pressInDialog } from '../support/native-dialog.ts'
import { own } from '../support/ordinary-user.ts'
import { linuxOnly, posixOnly } from '../support/systems.ts'
import { openTestDesktop } from '../support/test-desktop.ts'

/** What system libraries write: Mesa's shaders, GTK's settings marker, and Fontconfig's list of fonts. */
const LIBRARIES = [/^cache\/mesa_shader_cache/, /^run\/dconf\/user$/, /^cache\/fontconfig\//]

/** The files that Chromium writes before the app's code runs. The app doesn't use them. */
const CHROMIUM = /^(DevToolsActivePort$|Crashpad\/)/

const filesOutside = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .filter((name) => !LIBRARIES.some((each) => each.test(name)))

describe('on POSIX systems', posixOnly('Windows has no modes'), () => {
  it('SECURITY: --user-data-dir moves all files of the app; even with umask 0, only the user can change them', async () => {
    const umask = process.umask(0)
    onTestFinished(() => void process.umask(umask))
    const desk = await openTestDesktop()
    const app = await desk.start({ baseUrl: null })
    const window = await app.open()
    await window.connect(desk.service.address)
    await window.signIn(ANA)
    const writable = [desk.dataFolder, desk.home].flatMap((folder) =>
      filesOutside(folder).filter((name) => {
        const entry = lstatSync(path.join(folder, name))
        return !entry.isSymbolicLink() && (entry.mode & 0o022) !== 0
      }),
    )
    expect(writable.filter((name) => !CHROMIUM.test(name))).toEqual([])
    expect(statSync(path.join(desk.dataFolder, 'config.json')).mode & 0o777).toBe(0o600)
    // Only the autostart entry is outside the data folder, because the desktop looks for it there.
    const atLogin = isPackaged() ? ['config/autostart/latchkey-desktop.desktop'] : []
    expect(filesOutside(desk.home)).toEqual(atLogin)
    await app.quit()
    expect(filesOutside(desk.home)).toEqual(atLogin)
    expect(desk.settings()).toMatchObject({ connection: { baseAddress: desk.service.address } })
  })

  it('SECURITY: settings that another user could have changed don’t decide where passwords are sent', async () => {
    const desk = await openTestDesktop()
    const file = path.join(desk.dataFolder, 'config.json')
    writeFileSync(file, JSON.stringify({ connection: { baseAddress: 'https://attacker.example' } }))
    chmodSync(file, 0o666)
    own(file)
    const app = await desk.start({ baseUrl: null })
    const window = await app.open()
    await window.serviceAddress.waitFor()
    await window.page.getByText('1 notice').click()
    await window.says('was ignored because another user could have changed it.')
    await expect(window.serviceAddress.inputValue()).resolves.toBe('')
    expect(JSON.stringify(desk.settings() ?? '')).not.toContain('attacker')
  })
})

it(
  'if the settings file can’t be read, a dialog says so, and the app ends with an error code',
  linuxOnly('xdotool'),
  async () => {
    const desk = await openTestDesktop()
    const file = path.join(desk.dataFolder, 'config.json')
    // Even root can't read a folder as a file.
    mkdirSync(file)
    own(file)
    const { ended, printed } = desk.startUndriven()
    await pressInDialog('Return')
    await expect(ended).resolves.toBe(1)
    expect(printed()).toMatch(/Latchkey doesn't start: .*EISDIR/)
  },
)

import { lstatSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { isPackaged } from '../support/app.ts'
import { posixOnly } from '../support/systems.ts'
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
        // The app may have deleted the file meanwhile.
        const entry = lstatSync(path.join(folder, name), { throwIfNoEntry: false })
        return entry?.isSymbolicLink() === false && (entry.mode & 0o022) !== 0
      }),
    )
    expect(writable.filter((name) => !CHROMIUM.test(name))).toEqual([])
    expect(statSync(path.join(desk.dataFolder, 'config.json')).mode & 0o777).toBe(0o600)
    // Only the autostart entry is outside the data folder, because the desktop looks for it there.
    const atLogin = isPackaged() ? ['config/autostart/latchkey-desktop.desktop'] : []
    await expect.poll(() => filesOutside(desk.home)).toEqual(atLogin)
    await app.quit()
    expect(filesOutside(desk.home)).toEqual(atLogin)
    expect(desk.settings()).toMatchObject({ connection: { baseAddress: desk.service.address } })
  })
})

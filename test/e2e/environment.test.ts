import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { NO_DISPLAY, pressInDialog } from '../support/native-dialog.ts'
import { own } from '../support/ordinary-user.ts'
import { openTestDesktop } from '../support/test-desktop.ts'

describe.skipIf(process.platform !== 'linux')('on Linux', () => {
  it('if HOME is a file, the app prints a message and exits with an error code', async () => {
    const desk = await openTestDesktop()
    const file = path.join(desk.home, 'file')
    writeFileSync(file, '')
    own(file)
    const env = { HOME: file, XDG_CONFIG_HOME: '' }
    const sentence = /Latchkey doesn't start: .*ENOTDIR/
    const start = (more = {}) => desk.startUndriven({ env: { ...env, ...more }, isDefaultDataFolder: true })
    const { ended, printed } = start(NO_DISPLAY)
    await expect(ended).resolves.toBe(1)
    expect(printed()).toMatch(sentence)

    // A user who starts the app from an icon sees a dialog.
    const clicked = start()
    await pressInDialog('Return')
    await expect(clicked.ended).resolves.toBe(1)
    expect(clicked.printed()).toMatch(sentence)
  })
})

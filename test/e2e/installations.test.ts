/** A data folder that another computer seems to use, for example on a network drive. */
import { readlinkSync, symlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { pressInDialog } from '../support/native-dialog.ts'
import { openTestDesktop } from '../support/test-desktop.ts'

describe.skipIf(process.platform !== 'linux')('if the data folder has another computer’s lock', () => {
  const OTHER = 'pc-17.lab.example-4711'

  /** Starts the app with another computer's lock, and presses these keys in the dialog about the lock. */
  async function startBeside(...keys: readonly string[]) {
    const desk = await openTestDesktop()
    const lock = path.join(desk.dataFolder, 'SingletonLock')
    symlinkSync(OTHER, lock)
    const { ended, printed } = desk.startUndriven()
    await pressInDialog(...keys)
    return { desk, ended, printed, holder: () => readlinkSync(lock) }
  }

  it('a dialog and standard error name the folder and that computer; Enter ends the app, and the lock stays', async () => {
    const { desk, ended, printed, holder } = await startBeside('Return')
    await expect(ended).resolves.toBe(1)
    expect(printed()).toContain('Latchkey is already running on pc-17.lab.example.')
    expect(printed()).toContain(desk.dataFolder)
    expect(holder()).toBe(OTHER)
  })

  it('the app uses the folder if the user agrees, because a crash may have left the lock', async () => {
    const { holder } = await startBeside('Tab', 'Return')
    await eventually(holder).toMatch(new RegExp(`^${hostname()}-\\d+$`))
  })
})

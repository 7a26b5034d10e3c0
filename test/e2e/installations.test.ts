/** A data folder with another computer's lock, as on a network drive. A crash may have left the lock there. */
import { readlinkSync, symlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { pressInDialog } from '../support/native-dialog.ts'
import { openTestDesktop } from '../support/test-desktop.ts'

const OTHER = 'pc-17.lab.example-4711'

it.skipIf(process.platform !== 'linux')(
  'if the data folder has another computer’s lock, the app names that computer, and uses the folder only if the user agrees',
  async () => {
    const desk = await openTestDesktop()
    const lock = path.join(desk.dataFolder, 'SingletonLock')
    symlinkSync(OTHER, lock)
    const refused = desk.startUndriven()
    await pressInDialog('Return')
    await expect(refused.ended).resolves.toBe(1)
    expect(refused.printed()).toContain('Latchkey is already running on pc-17.lab.example.')
    expect(readlinkSync(lock)).toBe(OTHER)

    desk.startUndriven()
    await pressInDialog('Tab', 'Return')
    await expect.poll(() => readlinkSync(lock)).toMatch(new RegExp(`^${hostname()}-\\d+$`))
  },
)

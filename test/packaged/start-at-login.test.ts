/** Only a packaged app can start at login, because a development run has no program of its own. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { linuxOnly } from '../support/systems.ts'
import { openTestDesktop } from '../support/test-desktop.ts'

it(
  'the app starts at login if “Start at login” is ticked in the tray’s menu',
  linuxOnly('the tests read the entry that Linux desktops use'),
  async () => {
    const desk = await openTestDesktop()
    const panel = await desk.startPanel()
    await desk.start({ args: ['--hidden'] })
    const entry = path.join(desk.home, 'config/autostart/latchkey-desktop.desktop')
    await expect.poll(() => panel.tooltip()).toBe('Latchkey: Signed out')
    expect(existsSync(entry)).toBe(false)

    await panel.choose('Start at login')
    await expect.poll(() => existsSync(entry)).toBe(true)
    expect(readFileSync(entry, 'utf8')).toMatch(
      /^TryExec=.*\/latchkey-desktop$\nExec=".*\/latchkey-desktop" --hidden$/m,
    )

    await panel.choose('Start at login')
    await expect.poll(() => existsSync(entry)).toBe(false)
  },
)

/** Only a packaged app can start at login, because a development run has no program of its own. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { linuxOnly } from '../support/systems.ts'
import { openTestDesktop } from '../support/test-desktop.ts'

/** The desktop may take this long to react. */
const SOON = { timeout: 10_000 }

const entryOf = ({ home }: { readonly home: string }) => path.join(home, 'config/autostart/latchkey-desktop.desktop')

it(
  'the app starts at login if “Start at login” is ticked in the tray’s menu',
  linuxOnly('the tests read the entry that Linux desktops use'),
  async () => {
    const desk = await openTestDesktop()
    const panel = await desk.startPanel()
    await desk.start({ args: ['--hidden'] })
    const entry = entryOf(desk)
    await expect.poll(() => panel.tooltip(), SOON).toBe('Latchkey: Signed out')
    expect(existsSync(entry)).toBe(false)

    await panel.choose('Start at login')
    await expect.poll(() => existsSync(entry), SOON).toBe(true)
    expect(readFileSync(entry, 'utf8')).toMatch(
      /^TryExec=.*\/latchkey-desktop$\nExec=".*\/latchkey-desktop" --hidden$/m,
    )

    await panel.choose('Start at login')
    await expect.poll(() => existsSync(entry), SOON).toBe(false)
  },
)

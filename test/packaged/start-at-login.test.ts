/** Only a packaged app can start at login: a development run has no program of its own. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { openDesk } from '../support/desk.ts'

/** How long a desktop may take: milliseconds. */
const SOON = { timeout: 10_000 }

it.runIf(process.platform === 'linux')(
  'starts at login when its user ticks it in the tray, and no more when unticked',
  async () => {
    const desk = await openDesk()
    const panel = await desk.startPanel()
    await desk.start({ args: ['--hidden'] })
    const entry = path.join(desk.home, 'config/autostart/latchkey-desktop.desktop')
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

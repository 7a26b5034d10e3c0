/** The app in the background: when it opens its window, and where. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { ElectronApplication } from 'playwright-core'
import { expect, it } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { processTree, typeOf } from '../support/processes.ts'
import { openTestDesktop } from '../support/test-desktop.ts'
import { LatchkeyWindow } from '../support/window.ts'

/** The desktop may take this long to react. */
const SOON = { timeout: 10_000 }

const windows = (app: ElectronApplication): Promise<number> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)

/** The window's position, and the size of its content. */
const placeOf = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows()
    return [window?.getPosition(), window?.getContentSize()]
  })

it('an app started hidden has no window and no renderer until the user starts it again', async () => {
  const desk = await openTestDesktop()
  const panel = await desk.startPanel()
  const { app, pid, startAgain } = await desk.start({ args: ['--hidden'] })
  await expect.poll(() => panel.tooltip(), SOON).toBe('Latchkey: Signed out')
  expect(await windows(app)).toBe(0)
  expect(processTree(pid).filter((each) => typeOf(each) === 'renderer')).toEqual([])
  // Electron adds a default menu if the app doesn't remove it.
  expect(await app.evaluate(({ Menu }) => Menu.getApplicationMenu())).toBeNull()

  await expect(startAgain('--hidden')).resolves.toBe(0)
  expect(await windows(app)).toBe(0)

  await expect(startAgain()).resolves.toBe(0)
  await (await LatchkeyWindow.of(app)).signIn(ANA)
  // A second, hidden start leaves the window as it is.
  await expect(startAgain('--hidden')).resolves.toBe(0)
  expect(await windows(app)).toBe(1)
})

/** How long the altered app takes to load its files. */
const SLOWLY = 6_000

function loadSlowly(folder: string): void {
  const file = path.join(folder, 'out/main/start.cjs')
  const code = readFileSync(file, 'utf8')
  const load = '.then(()=>require("./run-app.cjs"))'
  const altered = code.replace(`Promise.resolve()${load}`, `new Promise((done) => setTimeout(done, ${SLOWLY}))${load}`)
  expect(altered).not.toBe(code)
  writeFileSync(file, altered)
}

it('if the user starts the app again while it loads, the window opens when it has loaded', async () => {
  const desk = await openTestDesktop({ alter: loadSlowly })
  const { app, startAgain } = await desk.start({ args: ['--hidden'] })
  await expect(startAgain('--hidden')).resolves.toBe(0)
  await expect(startAgain()).resolves.toBe(0)
  expect(await windows(app)).toBe(0)
  await (await LatchkeyWindow.of(app)).username.waitFor()
})

it('a reopened window has its last position and size, even after a restart', async () => {
  const desk = await openTestDesktop()
  const first = await desk.start()
  await first.open()
  await first.app.evaluate(({ BrowserWindow }) => {
    const [shown] = BrowserWindow.getAllWindows()
    shown?.setPosition(310, 120)
    shown?.setContentSize(480, 640)
  })
  const place = [
    [310, 120],
    [480, 640],
  ]
  await expect.poll(() => placeOf(first.app), SOON).toEqual(place)
  await first.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())
  await expect.poll(() => desk.settings(), SOON).toMatchObject({ window: { x: 310, y: 120, width: 480, height: 640 } })

  await first.startAgain()
  await first.open()
  await expect.poll(() => placeOf(first.app), SOON).toEqual(place)
  await first.quit()

  const second = await desk.start()
  await second.open()
  await expect.poll(() => placeOf(second.app), SOON).toEqual(place)
})

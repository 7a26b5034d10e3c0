/** The window zooms with the usual keys of browsers, and nothing is cut off. */
import type { ElectronApplication } from 'playwright-core'
import { expect, it } from 'vitest'
import { layoutFaults } from '../look/layout.ts'
import { openTestDesktop } from '../support/test-desktop.ts'

/** Presses a key with Electron's `sendInputEvent`, because keys from the debugger bypass the main process. */
const press = (app: ElectronApplication, keyCode: string): Promise<void> =>
  app.evaluate(({ BrowserWindow }, key) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents
    contents?.sendInputEvent({ type: 'keyDown', keyCode: key, modifiers: ['control'] })
    contents?.sendInputEvent({ type: 'keyUp', keyCode: key, modifiers: ['control'] })
  }, keyCode)

it('Ctrl and + zoom up to twice the size, and the app remembers the zoom; Ctrl and 0 reset it', async () => {
  const desk = await openTestDesktop()
  const first = await desk.start()
  const { page } = await first.open()
  const factor = (shown: typeof page) => expect.poll(() => shown.evaluate(() => devicePixelRatio))
  for (let step = 0; step < 5; step++) await press(first.app, '=')
  await factor(page).toBe(2)
  await press(first.app, '=')
  await press(first.app, '-')
  await factor(page).toBe(1.75)
  await press(first.app, '=')
  await factor(page).toBe(2)
  expect(await page.evaluate(layoutFaults, { mayBreakWords: true })).toEqual([])

  await (await first.open()).close()
  await expect(first.startAgain()).resolves.toBe(0)
  const reopened = (await first.open()).page
  await factor(reopened).toBe(2)
  await first.quit()

  const second = await desk.start()
  const again = (await second.open()).page
  await factor(again).toBe(2)
  await press(second.app, '0')
  await factor(again).toBe(1)
  await second.quit()
  expect(desk.settings()).toMatchObject({ zoom: 1 })
})

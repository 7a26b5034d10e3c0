/** Fields have a context menu to cut, copy and paste; nothing else has one. */
import type { ElectronApplication } from 'playwright-core'
import { expect, it } from 'vitest'
import { openTestDesktop } from '../support/test-desktop.ts'

const SOON = { timeout: 10_000 }

/** Records context menus, which no test can see on the screen. Returns a function that reads the last one. */
async function watchMenus(app: ElectronApplication): Promise<() => Promise<readonly (readonly [string, boolean])[]>> {
  const noted = await app.evaluateHandle(({ Menu }) => {
    const menus: Electron.Menu[] = []
    const { popup } = Menu.prototype
    Menu.prototype.popup = function (options) {
      menus.push(this)
      popup.call(this, options)
    }
    return menus
  })
  return () =>
    noted.evaluate((menus) =>
      (menus.at(-1)?.items ?? []).flatMap(({ type, label, enabled }): (readonly [string, boolean])[] =>
        type === 'separator' ? [] : [[label, enabled]],
      ),
    )
}

it('only fields have a menu (cut, copy, paste, select all), and a password can’t be copied', async () => {
  const desk = await openTestDesktop()
  const { app, open } = await desk.start()
  const window = await open()
  const lastMenu = await watchMenus(app)

  await window.page.getByRole('heading', { level: 1 }).click({ button: 'right' })
  await window.button('Sign in').click({ button: 'right' })
  expect(await lastMenu()).toEqual([])

  await window.password.fill('a longer quiet harbour')
  await window.password.selectText()
  await window.password.click({ button: 'right', position: { x: 20, y: 12 } })
  await expect.poll(lastMenu, SOON).toEqual([
    ['Cut', false],
    ['Copy', false],
    ['Paste', expect.any(Boolean)],
    ['Select All', true],
  ])
})

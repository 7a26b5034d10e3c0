/** The system's dialog in which the user confirms where credentials go. On X11, `xdotool` presses the keys. */
import { expect, it } from 'vitest'
import { call } from '../support/calls.ts'
import { windowsOnScreen, xdotool } from '../support/native-dialog.ts'
import { openTestDesktop, type TestDesktopApp } from '../support/test-desktop.ts'

const OTHER = 'http://127.0.0.1:9'

const windowsOf = (app: TestDesktopApp) => windowsOnScreen('--all', '--pid', String(app.pid), '--name', '.')

/** Sets up the first connection. Then lets the page ask for another address of the service. */
async function askForOther() {
  const desk = await openTestDesktop()
  const app = await desk.start({ baseUrl: null })
  const { page } = await app.open()
  await call(page, 'saveSettings', { baseAddress: desk.service.address })
  await expect.poll(() => windowsOf(app)).toHaveLength(1)
  const windows = await windowsOf(app)
  let answer: unknown
  void call(page, 'saveSettings', { baseAddress: OTHER }).then(
    (outcome) => {
      answer = outcome
    },
    // A page that has been closed gets no answer.
    () => {},
  )
  const dialog = async () => (await windowsOf(app)).filter((id) => !windows.includes(id))
  await expect.poll(dialog).toHaveLength(1)
  const [id = ''] = await dialog()
  await xdotool('windowfocus', '--sync', id)
  // In the first second, Latchkey accepts no answer. The app waits, because the dialog may have come late.
  await app.app.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1_200)))
  return { desk, page, dialog, answer: () => answer, press: (...keys: string[]) => xdotool('key', ...keys) }
}

it.skipIf(process.platform !== 'linux').each(['the key Return', 'the key Escape', 'closing the window'])(
  'SECURITY: the page can’t answer the dialog, and %s cancels it',
  async (way) => {
    const { desk, page, dialog, answer, press } = await askForOther()
    const before = desk.settings()
    const { width, height } = await page.evaluate(() => ({ width: innerWidth, height: innerHeight }))
    for (let step = 1; step < 10; step += 1) await page.mouse.click((width * step) / 10, (height * step) / 10)
    for (const each of ['Tab', 'Enter', 'Space', 'Escape']) await page.keyboard.press(each)
    expect(answer()).toBeUndefined()
    await expect(dialog()).resolves.toHaveLength(1)

    if (way === 'closing the window') await page.close()
    else await press(way.replace('the key ', ''))
    if (!page.isClosed()) await expect.poll(answer).toEqual({ ok: false, failure: { code: 'notConfirmed' } })
    await expect.poll(dialog).toEqual([])
    expect(desk.settings()).toEqual(before)
  },
)

it.skipIf(process.platform !== 'linux')(
  'SECURITY: only the second button of the dialog changes the address',
  async () => {
    const { desk, dialog, answer, press } = await askForOther()
    await press('Tab', 'Return')
    await expect.poll(answer).toEqual({ ok: true, value: undefined })
    await expect.poll(dialog).toEqual([])
    expect(desk.settings()).toMatchObject({ connection: { baseAddress: OTHER } })
  },
)

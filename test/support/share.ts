import { afterAll, beforeAll } from 'vitest'
import {
  type Finish,
  openTestDesktop,
  type TestDesktop,
  type TestDesktopApp,
  type TestDesktopOptions,
} from './test-desktop.ts'

/** One app for all tests of a file. Each call opens or reloads the window. Tests leave all else unchanged. */
export function sharePage(options: TestDesktopOptions = {}, args: readonly string[] = []) {
  const ends: Parameters<Finish>[0][] = []
  let desk: TestDesktop
  let running: TestDesktopApp
  beforeAll(async () => {
    desk = await openTestDesktop(options, (end) => ends.push(end))
    running = await desk.start({ args })
  })
  afterAll(async () => {
    for (const end of ends.reverse()) await end(false)
  })
  return async () => {
    const { app } = running
    if (app.windows().length === 0) await running.startAgain()
    const window = await running.open()
    const { page } = window
    await page.reload()
    await page.getByRole('heading').first().waitFor()
    return { desk, app, window, page }
  }
}

import { afterAll, beforeAll } from 'vitest'
import { type Finish, openTestDesktop, type TestDesktopApp, type TestDesktopOptions } from './test-desktop.ts'

/** Opens something once for all tests of a file, because starting an app is the slowest part of a test. */
function share<T>(open: (finish: Finish) => Promise<T>): () => T {
  const ends: Parameters<Finish>[0][] = []
  let shared: T
  beforeAll(async () => {
    shared = await open((end) => ends.push(end))
  })
  afterAll(async () => {
    for (const end of ends.reverse()) await end(false)
  })
  return () => shared
}

/** One app for all tests of a file. Each call opens or reloads the window. Tests leave all else unchanged. */
export function sharePage(options: TestDesktopOptions = {}, args: readonly string[] = []) {
  const shared = share(async (finish) => {
    const desk = await openTestDesktop(options, finish)
    const running: TestDesktopApp = await desk.start({ args })
    return { desk, running, app: running.app }
  })
  return async () => {
    const { running, app } = shared()
    if (app.windows().length === 0) await running.startAgain()
    const window = await running.open()
    const { page } = window
    await page.reload()
    await page.getByRole('heading').first().waitFor()
    return { ...shared(), window, page }
  }
}

/** The build for crash tests: an app that kills itself (kill -9) at a crash point. */
import { cpSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { ROOT } from './app.ts'
import type { TestDesktop, TestDesktopApp } from './test-desktop.ts'
import type { LatchkeyWindow } from './window.ts'

export const withCrashPoints = (folder: string): void => {
  cpSync(path.join(ROOT, 'out/crash/out/main'), path.join(folder, 'out/main'), { recursive: true, force: true })
}

/** Starts the app, calls `act`, which acts as a person, and waits until the app crashes at `point`. */
export async function runInto(
  desk: TestDesktop,
  point: string,
  act: (window: LatchkeyWindow, app: TestDesktopApp) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const app = await desk.start({ env: { ...env, LATCHKEY_CRASH_AT: point } })
  const window = await app.open()
  const crashed = app.app.waitForEvent('close', { timeout: 90_000 })
  // The crash interrupts `act`. The test doesn't wait for `act`, which may wait another 20 s for the ended app.
  act(window, app).catch(() => {})
  await crashed
  await expect(app.ended()).rejects.toThrow('SIGKILL')
}

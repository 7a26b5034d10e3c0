import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium } from 'playwright-core'

export type Chromium = Awaited<ReturnType<typeof startChromium>>

export async function startChromium(...more: readonly string[]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'latchkey-chromium-'))
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: '/usr/bin/chromium',
    // As root, Chromium doesn't start with its sandbox.
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--no-first-run', '--disable-background-networking', '--no-proxy-server', ...more],
  })
  return {
    context,
    async stop() {
      await context.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

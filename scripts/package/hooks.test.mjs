import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { afterExtract } from './hooks.mjs'

it.each([
  ['linux', 'resources'],
  ['win32', 'resources'],
  ['darwin', 'Electron.app/Contents/Resources'],
])('on %s Electron’s default app is removed from %s', async (platform, resources) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'latchkey-hooks-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, resources, 'default_app.asar')
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, '')
  await afterExtract(
    /** @type {import('./hooks.mjs').Context} */ ({ appOutDir: folder, electronPlatformName: platform }),
  )
  expect(existsSync(file)).toBe(false)
})

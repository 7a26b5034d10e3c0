import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { programIn } from './fuses.mjs'

it.each([
  ['linux', 'latchkey'],
  ['win32', 'latchkey.exe'],
  ['darwin', 'Latchkey.app'],
])('on %s the fuses are in %s', (platform, program) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'latchkey-fuses-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(path.join(folder, 'Latchkey.app'))
  expect(programIn(folder, platform, 'latchkey')).toBe(path.join(folder, program))
})

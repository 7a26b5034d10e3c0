import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { differences, programIn } from './fuses.mjs'

const WANTED = { runAsNode: false, onlyLoadAppFromAsar: true, resetAdHocDarwinSignature: true }

it('fuses that match the configuration pass, even if this version of Electron has more fuses', () => {
  expect(differences(WANTED, { runAsNode: false, onlyLoadAppFromAsar: true, later: true })).toEqual([])
})

it.each([
  ['differs', { runAsNode: true, onlyLoadAppFromAsar: true }, 'runAsNode is on and should be off'],
  ['is missing', { onlyLoadAppFromAsar: true }, 'runAsNode is missing and should be off'],
])('a fuse that %s is reported', (_, found, line) => {
  expect(differences(WANTED, found)).toEqual([line])
})

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

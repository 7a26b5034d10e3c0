import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { posixOnly } from '../test/support/systems.ts'
import { otherHostOf } from './folder-holder.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'latchkey-holder-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const lock = (target: string) => symlinkSync(target, path.join(folder, 'SingletonLock'))

test.each([
  ['pc-17.lab.example-4711', 'pc-17.lab.example'],
  ['büro-1', 'büro'],
  ['this-pc-4711', undefined],
  ['this-pc-', undefined],
  ['4711', undefined],
  ['nonsense', undefined],
  ['a sentence for the dialog-1', undefined],
  ['\u202Egnihton-1', undefined],
  [`${'a'.repeat(256)}-1`, undefined],
])(
  'a lock made by %s means that %s uses the folder',
  posixOnly('Chromium locks a folder by a link on POSIX systems alone'),
  (target, host) => {
    lock(target)
    expect(otherHostOf(folder, 'this-pc')).toBe(host)
  },
)

test('a folder without a lock, or with a file in place of the lock, is not reported as used by another computer', () => {
  expect(otherHostOf(folder, 'this-pc')).toBeUndefined()
  writeFileSync(path.join(folder, 'SingletonLock'), 'other-1')
  expect(otherHostOf(folder, 'this-pc')).toBeUndefined()
  expect(otherHostOf(path.join(folder, 'none'), 'this-pc')).toBeUndefined()
})

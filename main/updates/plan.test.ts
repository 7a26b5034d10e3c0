import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { hasPublisher, hasUninstaller, namesPublisher, UNINSTALLER, updatePlan } from './plan.ts'

const feed = 'https://updates.example.com/latchkey'
const yes = () => true
const no = () => false
const all = { platform: 'win32', isPackaged: true, feed, hasUninstaller: yes, hasPublisher: yes } as const

it.each([
  [feed, feed],
  ['http://localhost:8080/latchkey', 'http://127.0.0.1:8080/latchkey'],
  ['http://localhost', 'http://127.0.0.1'],
  // The server's certificate is for this name.
  ['https://localhost:8443', 'https://localhost:8443'],
])('SECURITY: only http://localhost in the feed’s address becomes 127.0.0.1: %s → %s', (given, fetched) => {
  expect(updatePlan({ ...all, feed: given })).toEqual({ kind: 'on', feed: fetched })
  const mac = { platform: 'darwin', hasUninstaller: no, hasPublisher: no } as const
  expect(updatePlan({ ...all, ...mac, feed: given })).toEqual({ kind: 'on', feed: fetched })
})

it.each([
  [{ platform: 'linux' }, 'packageManager'],
  [{ isPackaged: false }, 'notPackaged'],
  [{ feed: undefined }, 'noFeed'],
  [{ hasUninstaller: no }, 'packageManager'],
  [{ hasPublisher: no }, 'unsigned'],
] as const)('with %o, there are no updates: %s', (changes, reason) => {
  expect(updatePlan({ ...all, ...changes })).toEqual({ kind: 'off', reason })
})

it.each([
  ['provider: generic\nurl: https://x\npublisherName:\n  - The Latchkey developers\n', true],
  ['provider: generic\nurl: https://x\n', false],
  ['publisherName: \nupdaterCacheDirName: latchkey-updater\n', false],
  ['# publisherName: X\n', false],
  ['publisherName: null\n', false],
  ['publisherName:\n  - null\n', false],
  ['publisherName: "Example, Inc."\n', true],
])('app-update.yml with %j names a publisher: %s', (yaml, names) => {
  expect(namesPublisher(yaml)).toBe(names)
})

it('an app without an uninstaller beside it or without app-update.yml gets no updates', () => {
  const folder = temporaryFolder()
  const [program, config] = [path.join(folder, 'Latchkey.exe'), path.join(folder, 'app-update.yml')]
  expect([hasUninstaller(program), hasPublisher(config)]).toEqual([false, false])
  writeFileSync(path.join(folder, UNINSTALLER), '')
  writeFileSync(config, 'publisherName: The Latchkey developers\n')
  expect([hasUninstaller(program), hasPublisher(config)]).toEqual([true, true])
})

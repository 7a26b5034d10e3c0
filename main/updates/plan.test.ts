import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { hasPublisher, hasUninstaller, namesPublisher, UNINSTALLER, updatePlan } from './plan.ts'

const feed = 'https://updates.example.com/latchkey'
const yes = () => true
const no = () => false
const all = { platform: 'win32', isPackaged: true, feed, hasUninstaller: yes, hasPublisher: yes } as const

it('on Windows and macOS, updates come from the administrator’s feed', () => {
  expect(updatePlan(all)).toEqual({ kind: 'on', feed })
  expect(updatePlan({ ...all, platform: 'darwin', hasUninstaller: no, hasPublisher: no })).toEqual({ kind: 'on', feed })
})

it.each([
  ['http://localhost:8080/latchkey', 'http://127.0.0.1:8080/latchkey'],
  ['http://localhost', 'http://127.0.0.1'],
  ['http://[::1]:8080', 'http://[::1]:8080'],
  // These names stay as they are, because the server's certificate is for them.
  ['https://localhost:8443', 'https://localhost:8443'],
  ['https://localhost.example.com', 'https://localhost.example.com'],
])('SECURITY: only http://localhost in the feed’s address becomes 127.0.0.1: %s → %s', (given, fetched) => {
  expect(updatePlan({ ...all, feed: given })).toEqual({ kind: 'on', feed: fetched })
})

it.each([
  [{ platform: 'linux' }, 'packageManager'],
  [{ platform: 'freebsd' }, 'packageManager'],
  [{ isPackaged: false }, 'notPackaged'],
  [{ feed: undefined }, 'noFeed'],
  [{ hasUninstaller: no }, 'packageManager'],
  [{ hasPublisher: no }, 'unsigned'],
] as const)('with %o, there are no updates: %s', (changes, reason) => {
  expect(updatePlan({ ...all, ...changes })).toEqual({ kind: 'off', reason })
})

it.each([
  ['provider: generic\nurl: https://x\npublisherName:\n  - The Latchkey developers\n', true],
  ['publisherName: The Latchkey developers\r\n', true],
  ['publisherName:\r\n  - X\r\n', true],
  ['provider: generic\nurl: https://x\n', false],
  ['publisherName:\n', false],
  ['publisherName: \nupdaterCacheDirName: latchkey-updater\n', false],
  ['# publisherName: X\n', false],
  ['publisherName: null\n', false],
  ['publisherName: ~\n', false],
  ['publisherName: []\n', false],
  ['publisherName:\n  - null\n', false],
  ['publisherName: "Example, Inc."\n', true],
  ['', false],
])('app-update.yml with %j names a publisher: %s', (yaml, names) => {
  expect(namesPublisher(yaml)).toBe(names)
})

it('an uninstaller beside the app shows that the .exe installed the app', () => {
  const installed = temporaryFolder()
  const program = path.join(installed, 'Latchkey.exe')
  expect(hasUninstaller(program)).toBe(false)
  writeFileSync(path.join(installed, UNINSTALLER), '')
  expect(hasUninstaller(program)).toBe(true)
})

it('an app without app-update.yml names no publisher', () => {
  const config = path.join(temporaryFolder(), 'app-update.yml')
  expect(hasPublisher(config)).toBe(false)
  writeFileSync(config, 'publisherName: The Latchkey developers\n')
  expect(hasPublisher(config)).toBe(true)
})

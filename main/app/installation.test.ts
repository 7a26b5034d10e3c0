import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { posixOnly } from '../../test/support/systems.ts'
import { installationId } from './installation.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'latchkey-installation-'))
const file = (name: string, text: string) => {
  const at = path.join(folder, name)
  writeFileSync(at, text)
  return at
}
const one = file('one', `${'1'.repeat(32)}\n`)
const other = file('other', `${'2'.repeat(32)}\n`)
const none = path.join(folder, 'none')
const id = (machineIdFiles: readonly string[], { hostname = 'pc', platform = 'linux', dataFolder = folder } = {}) =>
  installationId({ platform: platform as NodeJS.Platform, dataFolder, machineIdFiles, hostname })

test('two computers with the same data folder are two installations', () => {
  expect(id([one])).not.toBe(id([other]))
  expect(id([none, other])).toBe(id([other]))
})

test('two data folders of one computer are two installations', () => {
  expect(id([one])).not.toBe(id([one], { dataFolder: tmpdir() }))
})

test('the computer’s name, which may change, is only used if there is no machine id', () => {
  expect(id([one], { hostname: 'a' })).toBe(id([one], { hostname: 'b' }))
  expect(id([none], { hostname: 'a' })).not.toBe(id([none], { hostname: 'b' }))
  expect(id([file('empty', '\n')], { hostname: 'a' })).not.toBe(id([none], { hostname: 'b' }))
  expect(id([one], { platform: 'win32', hostname: 'a' })).not.toBe(id([one], { platform: 'win32', hostname: 'b' }))
})

test.each(['', '\n', 'uninitialized\n', '0'.repeat(32), '1'.repeat(31), 'not an id'])(
  'the content "%s" of a machine-id file is ignored',
  (text) => {
    const image = file('image', text)
    expect(id([image], { hostname: 'a' })).not.toBe(id([image], { hostname: 'b' }))
    expect(id([image, one])).toBe(id([one]))
  },
)

test('a Mac is identified by its data folder, because its name changes with the network', () => {
  expect(id([], { platform: 'darwin', hostname: 'a' })).toBe(id([], { platform: 'darwin', hostname: 'b' }))
})

test(
  'one data folder with two paths is one installation',
  posixOnly('links to folders need rights or a junction'),
  () => {
    const link = path.join(tmpdir(), `link-${path.basename(folder)}`)
    // On Windows, a junction is the only kind of link that needs no privilege.
    symlinkSync(folder, link, 'junction')
    expect(id([one], { dataFolder: link })).toBe(id([one]))
  },
)

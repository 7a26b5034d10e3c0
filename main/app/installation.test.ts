import { symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { installationId } from './installation.ts'

test('an installation is one data folder, whatever its path, on one computer, whatever its name', () => {
  const dataFolder = temporaryFolder()
  const file = (text: string) => {
    const at = path.join(temporaryFolder(), 'machine-id')
    writeFileSync(at, text)
    return at
  }
  const id = (machineIdFiles: string[], changes: Partial<Parameters<typeof installationId>[0]> = {}) =>
    installationId({ platform: 'linux', dataFolder, machineIdFiles, hostname: 'pc', ...changes })
  const [one, other] = [file(`${'1'.repeat(32)}\n`), file(`${'2'.repeat(32)}\n`)]

  expect(id([one])).not.toBe(id([other]))
  expect(id([one])).not.toBe(id([one], { dataFolder: temporaryFolder() }))
  expect(id([one])).toBe(id([one], { hostname: 'renamed' }))
  // Windows needs a privilege for links to folders.
  if (process.platform !== 'win32') {
    const link = path.join(temporaryFolder(), 'link')
    symlinkSync(dataFolder, link)
    expect(id([one], { dataFolder: link })).toBe(id([one]))
  }

  // These contents are no id (machine-id(5)), so the next file is read, and after the last one, the name is used.
  for (const text of ['', 'uninitialized\n', '0'.repeat(32), '1'.repeat(31)]) {
    expect(id([file(text), one])).toBe(id([one]))
    expect(id([file(text)])).not.toBe(id([file(text)], { hostname: 'renamed' }))
  }
  // A Mac's name changes with the network.
  expect(id([], { platform: 'darwin' })).toBe(id([], { platform: 'darwin', hostname: 'renamed' }))
})

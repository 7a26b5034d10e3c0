/** The AppImage isn't started: in a test build, a program that does nothing stands in for its runtime. */
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, readSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { config, expectApp, expectAround, manifest, output, packages } from './packages.ts'

it('there is an AppImage to test', () => expect(packages('.AppImage')).not.toEqual([]))

/** The offset of the file system. It follows the runtime, which ends with the table of its sections (elf(5)). */
function offsetIn(file: string): number {
  const header = Buffer.alloc(64)
  const descriptor = openSync(file, 'r')
  readSync(descriptor, header)
  closeSync(descriptor)
  return Number(header.readBigUInt64LE(40)) + header.readUInt16LE(58) * header.readUInt16LE(60)
}

describe.each(packages('.AppImage'))('$name', ({ file, arch }) => {
  const offset = String(offsetIn(file))
  let folder: string
  beforeAll(() => {
    folder = path.join(mkdtempSync(path.join(tmpdir(), 'latchkey-appimage-')), 'content')
    output('unsquashfs', '-no-progress', '-offset', offset, '-dest', folder, file)
  })
  afterAll(() => rmSync(path.dirname(folder), { recursive: true, force: true }))

  it('has the app, its licences, its libraries and the command, and no sources', async () => {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    const names = entries.filter((entry) => !entry.isDirectory())
    expectAround(
      names.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name))),
      arch,
    )
    await expectApp(folder, arch)
  })

  it('has a valid desktop entry, which starts the app', () => {
    const entry = path.join(folder, 'latchkey-desktop.desktop')
    expect(output('desktop-file-validate', entry)).toBe('')
    expect(readFileSync(entry, 'utf8')).toMatch(/^Exec=AppRun %U$/m)
    expect(readFileSync(path.join(folder, 'AppRun'), 'utf8')).toContain(`BIN="$APPDIR/${config.executableName}"`)
  })

  // SECURITY: users must not be able to replace files while the AppImage is mounted. Setuid has no effect there, so no
  // file is setuid.
  it('has files that belong to root and that only root can change, and no setuid file', () => {
    const entries = output('unsquashfs', '-no-progress', '-offset', offset, '-lln', file).split('\n')
    const listed = entries.filter((line) => /^[a-z-][rwxsStT-]{9} /.test(line))
    expect(listed.length).toBeGreaterThan(50)
    expect(listed.filter((line) => !/^(l\S{9}|[d-][r-][w-][x-][r-]-[x-][r-]-[x-]) 0\/0 /.test(line))).toEqual([])
  })

  // docs/users/installing.md tells users to extract the AppImage's command and to make a link to that command.
  it('has a command that finds the libraries in the extracted AppImage, even through a link', () => {
    const command = path.join(path.dirname(folder), 'latchkey')
    symlinkSync(path.join(folder, 'resources', 'bin', 'latchkey'), command)
    expect(output('sh', command, '--version')).toBe(`latchkey ${manifest.version}\n`)
    expect(path.dirname(output('sh', command, 'clients', 'python'))).toBe(path.join(folder, 'resources', 'clients'))
  })
})

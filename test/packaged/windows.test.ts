/** A package for Windows, built here with a dummy program instead of Electron's: it shows electron-builder's changes. */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { appendFile, copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { getRawHeader } from '@electron/asar'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultsOf, filesIn } from '../../scripts/package/content.mjs'
import { readFuses } from '../../scripts/package/fuses.mjs'
import { pack } from '../../scripts/package/pack.mjs'
import { ROOT } from '../support/app.ts'

/** A program whose file contains its version. */
const STAND_IN = path.join(ROOT, 'node_modules/electron-winstaller/vendor/Setup.exe')
/** The start of a program's fuses: their marker, their version, and eight fuses, all on (Electron: Fuses). */
const FUSE_WIRE = Buffer.concat([
  Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'),
  Buffer.from([1, 8]),
  Buffer.from('11111111'),
])

let folder: string
let program: string
let archive: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'latchkey-win-'))
  const dist = path.join(folder, 'electron')
  await mkdir(path.join(dist, 'resources'), { recursive: true })
  await copyFile(STAND_IN, path.join(dist, 'electron.exe'))
  await appendFile(path.join(dist, 'electron.exe'), FUSE_WIRE)
  const output = path.join(folder, 'package')
  const electron = { path: path.join(dist, 'electron.exe'), version: '33.4.11', source: 'override' } as const
  await pack({ system: 'win', targets: ['dir'], archs: ['x64'], test: { electron, driven: false, output } })
  program = path.join(output, 'win-unpacked', 'latchkey-desktop.exe')
  archive = path.join(output, 'win-unpacked', 'resources', 'app.asar')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('holds the keychain’s binary of Windows, and none of the system that builds it', async () => {
  await expect(faultsOf(archive, 'win32', 'x64')).resolves.toEqual([])
  const binaries = (await filesIn(archive)).filter((name) => name.endsWith('.node'))
  expect(binaries).toEqual(['node_modules/keytar/prebuilds/win32-x64/keytar.node'])
})

// SECURITY: see `electronFuses` in electron-builder.yml.
it('has the fuses set', async () => {
  await expect(readFuses(program)).resolves.toMatchObject({
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
  })
})

// SECURITY: Electron on Windows finds the archive's hash in the program (Electron: ASAR Integrity).
it('has the hash of its archive in the program', () => {
  const hash = createHash('sha256').update(getRawHeader(archive).headerString).digest('hex')
  const text = readFileSync(program).toString('latin1')
  expect(text).toContain(JSON.stringify([{ file: 'resources\\app.asar', alg: 'SHA256', value: hash }]))
})

it('has the command line, and the script that puts it on the PATH, next to the archive', () => {
  const resources = path.dirname(archive)
  for (const [from, to] of [
    ['cli/latchkey.cmd', 'bin/latchkey.cmd'],
    ['cli/latchkey-windows.ps1', 'bin/latchkey-windows.ps1'],
    ['packaging/path.ps1', 'path.ps1'],
  ] as const) {
    expect(readFileSync(path.join(resources, to), 'utf8')).toBe(readFileSync(path.join(ROOT, from), 'utf8'))
  }
})

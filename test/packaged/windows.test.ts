/** A package for Windows, built here with a dummy instead of Electron's program. */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { appendFile, copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { getRawHeader } from '@electron/asar'
import { build } from 'electron-builder'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BUNDLE_ID } from '../../main/settings/policy-places.ts'
import { faultsOf } from '../../scripts/package/content.mjs'
import { readFuses } from '../../scripts/package/fuses.mjs'
import * as hooks from '../../scripts/package/hooks.mjs'
import { packForTests } from '../../scripts/package/pack.mjs'
import { ROOT } from '../support/app.ts'
import { FUSES } from './fuses.ts'

/** The dummy, which contains a version, as Electron's program does. */
const STAND_IN = path.join(ROOT, 'node_modules/electron-winstaller/vendor/Setup.exe')
/** A program's fuse wire: its marker, its version, and eight fuses, all on (Electron: Fuses). */
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
  const electron = { path: path.join(dist, 'electron.exe'), version: '33.4.11' }
  await packForTests({ electron, output, targets: { win: ['dir'], x64: true } })
  program = path.join(output, 'win-unpacked', 'Latchkey.exe')
  archive = path.join(output, 'win-unpacked', 'resources', 'app.asar')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

// SECURITY: see `electronFuses` in electron-builder.yml.
it('the package has the configured fuses, and only those native modules that are for Windows', async () => {
  await expect(faultsOf(archive, 'win32', 'x64')).resolves.toEqual([])
  // All of the dummy's fuses are on, and the configuration leaves these two as they are.
  const unset = { enableCookieEncryption: true, loadBrowserProcessSpecificV8Snapshot: true }
  await expect(readFuses(program)).resolves.toEqual({ ...FUSES, ...unset })
})

// SECURITY: on Windows, Electron finds the archive's hash in the program (Electron: ASAR Integrity).
it('the program contains the hash of its archive', () => {
  const hash = createHash('sha256').update(getRawHeader(archive).headerString).digest('hex')
  const text = readFileSync(program).toString('latin1')
  expect(text).toContain(JSON.stringify([{ file: 'resources\\app.asar', alg: 'SHA256', value: hash }]))
})

it('the .msi, which only WiX on Windows can compile, replaces earlier versions and starts no app unasked', async () => {
  let project = ''
  const msiProjectCreated = async (file: string) => {
    await hooks.msiProjectCreated(file)
    project = await readFile(file, 'utf8')
    throw new Error('the project is written')
  }
  const config = {
    directories: { output: path.join(folder, 'msi') },
    win: { signAndEditExecutable: false },
    msiProjectCreated,
  }
  const prepackaged = path.dirname(program)
  await expect(
    build({ projectDir: ROOT, win: ['msi'], x64: true, prepackaged, publish: 'never', config }),
  ).rejects.toThrow('the project is written')
  // Windows replaces only a version with the same upgrade code.
  expect(project).toContain('UpgradeCode="17696829-00BD-54F3-A152-D550FE2A2033"')
  expect(project).toContain('<MajorUpgrade AllowSameVersionUpgrades="yes"')
  expect(project).toContain(`Key="System.AppUserModel.ID" Value="${BUNDLE_ID}"`)
  expect(project).toContain('"runAfterFinish" After="InstallFinalize">NOT Installed AND UILevel >= 4</Custom>')
})

/**
 * A package for Windows, built here with a dummy instead of Electron's program. The tests check what electron-builder
 * changes.
 */

import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { appendFile, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { getRawHeader } from '@electron/asar'
import { build, type Configuration } from 'electron-builder'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { policyPath } from '../../main/settings/policy.ts'
import { BUNDLE_ID } from '../../main/settings/policy-places.ts'
import { UNINSTALLER } from '../../main/updates/plan.ts'
import { faultsOf, filesIn } from '../../scripts/package/content.mjs'
import { readFuses } from '../../scripts/package/fuses.mjs'
import * as hooks from '../../scripts/package/hooks.mjs'
import { packForTests } from '../../scripts/package/pack.mjs'
import { ROOT } from '../support/app.ts'
import { expectWrongFuseToEndBuild, FUSES } from './fuses.ts'

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

it('the package has only those binaries of the native modules that are for Windows', async () => {
  await expect(faultsOf(archive, 'win32', 'x64')).resolves.toEqual([])
  const binaries = (await filesIn(archive)).filter((name) => name.endsWith('.node'))
  expect(binaries).toEqual([
    'node_modules/@koromix/koffi-win32-x64/win32_x64/koffi.node',
    'node_modules/keytar/prebuilds/win32-x64/keytar.node',
  ])
})

// SECURITY: see `electronFuses` in electron-builder.yml.
it('the package has the configured fuses', async () => {
  // All of the dummy's fuses are on, and the configuration leaves these two as they are.
  const unset = { enableCookieEncryption: true, loadBrowserProcessSpecificV8Snapshot: true }
  await expect(readFuses(program)).resolves.toEqual({ ...FUSES, ...unset })
})

// SECURITY: see `electronFuses` in electron-builder.yml.
it('a fuse that differs from its configuration ends the build', async () => {
  const wrong = { fuse: 'onlyLoadAppFromAsar', wanted: false } as const
  await expectWrongFuseToEndBuild({ program, archive }, 'win32', 'x64', wrong)
})

// SECURITY: on Windows, Electron finds the archive's hash in the program (Electron: ASAR Integrity).
it('the program contains the hash of its archive', () => {
  const hash = createHash('sha256').update(getRawHeader(archive).headerString).digest('hex')
  const text = readFileSync(program).toString('latin1')
  expect(text).toContain(JSON.stringify([{ file: 'resources\\app.asar', alg: 'SHA256', value: hash }]))
})

it('the app and the libraries are where the command line looks for them', () => {
  const bin = path.join(path.dirname(archive), 'bin')
  const script = readFileSync(path.join(bin, 'latchkey-windows.ps1'), 'utf8')
  const places = [...script.matchAll(/Join-Path \$PSScriptRoot '(.*?)'/g)].map(([, place = '']) => place)
  expect(places).toHaveLength(2)
  const missing = places.filter((place) => !existsSync(path.join(bin, ...place.split('\\'))))
  expect(missing).toEqual([])
})

/**
 * The folder where both installers put the app, where Latchkey reads the policy, and where the updater looks for the
 * uninstaller.
 */
const PLACE = path.win32.basename(path.win32.dirname(policyPath('win32', {})))

describe('the installer, whose script only electron-builder’s own makensis can compile', () => {
  let defines: ReadonlyMap<string, string>
  let script: string
  beforeAll(async () => {
    const tools = path.join(folder, 'nsis')
    await mkdir(path.join(tools, 'plugins'), { recursive: true })
    await writeFile(path.join(tools, 'elevate.exe'), '')
    const recorder = `#!/bin/sh\ncd '${tools}'\nprintf '%s\\n' "$@" >arguments\ncat >script\necho recorded >&2\nexit 1\n`
    await writeFile(path.join(tools, 'makensis'), recorder, { mode: 0o755 })
    const folders = ['ELECTRON_BUILDER_NSIS_DIR', 'ELECTRON_BUILDER_NSIS_RESOURCES_DIR']
    for (const name of folders) process.env[name] = tools
    try {
      await expect(buildFrom('nsis', {})).rejects.toThrow('recorded')
    } finally {
      for (const name of folders) delete process.env[name]
    }
    const words = await readFile(path.join(tools, 'arguments'), 'utf8')
    defines = new Map([...words.matchAll(/^-D(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]))
    script = await readFile(path.join(tools, 'script'), 'utf8')
  })

  it('installs into the folder from which the app reads its policy', () =>
    expect(defines.get('APP_FILENAME')).toBe(PLACE))

  it('makes shortcuts with the ID of the app’s notifications', () => expect(defines.get('APP_ID')).toBe(BUNDLE_ID))

  it('gives the uninstaller the name that the updater looks for', () => {
    const nsis = readFileSync(path.join(ROOT, 'node_modules/app-builder-lib/templates/nsis/common.nsh'), 'utf8')
    const name = /^!define UNINSTALL_FILENAME "(.*)"$/m.exec(nsis)?.[1]
    // biome-ignore lint/suspicious/noTemplateCurlyInString: NSIS' own placeholder
    expect(name?.replace('${PRODUCT_FILENAME}', String(defines.get('PRODUCT_FILENAME')))).toBe(UNINSTALLER)
  })

  it('runs the actions in packaging/installer.nsh', () =>
    expect(script).toContain(`!include "${path.join(ROOT, 'packaging', 'installer.nsh')}"`))
})

describe('the project of the MSI, which only WiX on Windows can compile', () => {
  let project: string
  beforeAll(async () => {
    project = await msiProject()
  })
  const attributes = (element: string) =>
    [...project.matchAll(new RegExp(`<${element} ([^>]*)>`, 'g'))].map(([, all]) => all)

  it('installs for all users, into the folder from which the app reads its policy', () => {
    expect(project).toContain('<Property Id="ALLUSERS" Secure="yes" Value="1"/>')
    const place = /<Directory Id="ProgramFiles64Folder">\s*<Directory Id="APPLICATIONFOLDER" Name="(.*)"\/>/.exec(
      project,
    )
    expect(place?.[1]).toBe(PLACE)
  })

  // Windows replaces only a version with the same upgrade code.
  it('replaces every earlier version, because the upgrade code is the same', () => {
    expect(project).toContain('UpgradeCode="17696829-00BD-54F3-A152-D550FE2A2033"')
    expect(project).toContain('<MajorUpgrade AllowSameVersionUpgrades="yes"')
  })

  it('has one shortcut, in the Start menu, with the ID of the app’s notifications', () => {
    expect(attributes('Shortcut').map((all) => /Id="(\w+)"/.exec(String(all))?.[1])).toEqual(['startMenuShortcut'])
    expect(project).toContain(`Key="System.AppUserModel.ID" Value="${BUNDLE_ID}"`)
  })

  it('puts the command on the machine’s PATH, and removes it from there when the app is uninstalled', () => {
    const value =
      'Name="PATH" Value="[APPLICATIONFOLDER]resources\\bin" Action="set" Part="last" Permanent="no" System="yes"'
    expect(project).toContain(value)
  })

  it('starts the app only after an installation that shows the installer’s window', () => {
    expect(project).toContain(
      '<Custom Action="runAfterFinish" After="InstallFinalize">NOT Installed AND UILevel >= 4</Custom>',
    )
  })
})

/** The project that electron-builder writes for WiX. */
async function msiProject(): Promise<string> {
  let project = ''
  const written = new Error('The project is written, and WiX is not run.')
  const msiProjectCreated = async (file: string) => {
    await hooks.msiProjectCreated(file)
    project = await readFile(file, 'utf8')
    throw written
  }
  await expect(buildFrom('msi', { msiProjectCreated })).rejects.toThrow(written.message)
  return project
}

const buildFrom = (target: string, changes: Configuration) =>
  build({
    projectDir: ROOT,
    win: [target],
    x64: true,
    prepackaged: path.dirname(program),
    publish: 'never',
    config: { directories: { output: path.join(folder, target) }, win: { signAndEditExecutable: false }, ...changes },
  })

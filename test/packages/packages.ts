import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { getConfig } from 'app-builder-lib/out/util/config/config.js'
import { expect } from 'vitest'
import { faultsOf } from '../../scripts/package/content.mjs'
import { differences, readFuses } from '../../scripts/package/fuses.mjs'
import { ROOT } from '../support/app.ts'

const FOLDER = path.resolve(process.env['LATCHKEY_TEST_PACKAGES'] ?? '')
export const config = await getConfig(ROOT, null, null)
export const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))

export function packages(ending: string) {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(ending))
  return names.map((name) => ({ name, file: path.join(FOLDER, name), arch: archIn(name) }))
}

const archIn = (name: string) => (/-(arm64|aarch64)\./.test(name) ? 'arm64' : 'x64')

export const output = (program: string, ...args: readonly string[]) =>
  execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 26, stdio: ['ignore', 'pipe', 'pipe'] })

export async function expectApp(folder: string, arch: string) {
  await expect(faultsOf(path.join(folder, 'resources', 'app.asar'), 'linux', arch)).resolves.toEqual([])
  // SECURITY: see `electronFuses` in electron-builder.yml.
  const fuses = await readFuses(path.join(folder, String(config.executableName)))
  expect(differences({ ...config.electronFuses } as Record<string, boolean>, fuses)).toEqual([])
}

const sourcesIn = (files: readonly string[]) =>
  files.filter((file) =>
    /\.(ts|tsx|map|mjs)$|\.test\.|(^|\/)(test|src|scripts|\.git\w*|node_modules\/\.\w+)\//.test(file),
  )

/** Expects what every package has besides `app.asar`, and no sources. @param files Paths in the app's folder. */
export function expectAround(files: readonly string[], arch: string) {
  expect(files).toEqual(
    expect.arrayContaining([
      'LICENSES.chromium.html',
      'resources/licence.txt',
      `resources/app.asar.unpacked/node_modules/keytar/prebuilds/linux-${arch}/keytar.node`,
      'resources/bin/latchkey',
      'resources/man/man1/latchkey.1',
      'resources/completions/latchkey.bash',
      'resources/policies/latchkey.admx',
    ]),
  )
  const clients = files.filter((file) => file.startsWith('resources/clients/')).map((file) => path.extname(file))
  expect(clients.sort()).toEqual(['.gz', '.tgz', '.whl'])
  // One native module is for the keychain, the other for Kerberos.
  expect(files.filter((file) => file.endsWith('.node'))).toHaveLength(2)
  expect(sourcesIn(files)).toEqual([])
}

/** Dependencies are pinned, and have licences that allow redistribution. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { NO_NPM, windowsWithoutWine } from '../test/support/systems.ts'
import { licences } from './licences.mjs'
import { billOfMaterials } from './package/sbom.mjs'
import { inProject } from './run/project.mjs'

/** Licences that allow a program under another licence to include the package. */
const ALLOWED = ['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'Python-2.0']

const { dependencies, devDependencies } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'))

it('every package that ships has an allowed licence: one of those in an SPDX expression with OR', () => {
  const isAllowed = (/** @type {string} */ licence) => licence.split(/ OR |[()]/).some((each) => ALLOWED.includes(each))
  expect(licences().filter(({ licence }) => !isAllowed(licence))).toEqual([])
  expect(licences()).toContainEqual(expect.objectContaining({ name: 'electron', licence: 'MIT' }))
})

const options = { timeout: 180_000, ...windowsWithoutWine(NO_NPM) }

it('the bill of materials lists Electron and the dependencies, but no build tools', options, () => {
  const names = billOfMaterials().components.map((/** @type {{ name: string }} */ { name }) => name)
  // A build tool needs `semver`, too.
  expect(names).toEqual(expect.arrayContaining(['electron', 'semver', ...Object.keys(dependencies)]))
  for (const tool of ['vite', 'vitest', 'electron-builder', 'typescript']) expect(names).not.toContain(tool)
})

it('every dependency is pinned to one version, and the lock file names a hash for each, and no registry', () => {
  const pinned = expect.stringMatching(/^(npm:(@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+$/)
  for (const version of Object.values({ ...dependencies, ...devDependencies })) expect(version).toEqual(pinned)
  /** @type {Record<string, { resolved?: string, integrity?: string }>} */
  const { '': _, ...locked } = JSON.parse(readFileSync(inProject('package-lock.json'), 'utf8')).packages
  for (const [folder, { integrity, resolved }] of Object.entries(locked)) {
    expect([integrity, resolved], folder).toEqual([expect.stringMatching(/^sha512-/), undefined])
  }
})

/** Dependencies are pinned, have licences that allow redistribution, and need no install scripts. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { licences } from './licences.mjs'
import { inProject } from './run/project.mjs'

/** Licences that allow a program under another licence to include the package. */
const ALLOWED = '0BSD Apache-2.0 BlueOak-1.0.0 BSD-2-Clause BSD-3-Clause CC0-1.0 ISC MIT Python-2.0 Unlicense'.split(
  ' ',
)

/**
 * True if an SPDX expression is allowed: with OR, one of its licences must be; with AND, all.
 * @param {string} licence
 */
const isAllowed = (licence) =>
  licence
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((each) => each.split(' AND ').every((name) => ALLOWED.includes(name)))

/** @type {Record<string, { resolved?: string, integrity?: string, link?: boolean, hasInstallScript?: boolean, dev?: boolean }>} */
const locked = JSON.parse(readFileSync(inProject('package-lock.json'), 'utf8')).packages
const others = Object.entries(locked).filter(([folder]) => folder !== '')

it('the list of licences has Electron and every dependency by its real name, and no build tools', () => {
  const names = licences().map(({ name }) => name)
  const { dependencies } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'))
  const wanted = Object.keys(dependencies).map((name) => (name === 'keytar' ? '@github/keytar' : name))
  expect(names).toEqual(expect.arrayContaining(['electron', ...wanted]))
  expect(names.filter((name) => ['vite', 'vitest', 'typescript', 'electron-builder'].includes(name))).toEqual([])
  for (const { repository = 'github.com/x' } of licences()) expect(repository).toMatch(/^[\w.-]+\/\S+$/)
})

it('every package that ships has an allowed licence', () => {
  expect(licences().filter(({ licence }) => !isAllowed(licence))).toEqual([])
})

it('of licences joined with OR, one must be allowed; with AND, all', () => {
  expect(['(MIT OR GPL-3.0-only)', '(MIT AND GPL-3.0-only)', 'UNLICENSED'].map(isAllowed)).toEqual([true, false, false])
})

it('every dependency is pinned to one version', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'))
  const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([, version]) => !/^(npm:(@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+$/.test(version),
  )
  expect(loose).toEqual([])
})

it('the lock file names a hash for every package, and no registry', () => {
  expect(others.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? '')).map(([folder]) => folder)).toEqual([])
  expect(others.filter(([, { resolved }]) => resolved !== undefined).map(([folder]) => folder)).toEqual([])
})

it('no package relies on an install script', () => {
  const scripted = others.filter(([, { hasInstallScript }]) => hasInstallScript).map(([folder]) => folder)
  // We need none of these install scripts: one signs installers for Squirrel, one compiles a cache for an old runtime,
  // and three compile modules that come prebuilt, too.
  const known = ['electron-winstaller', 'es5-ext', 'keytar', 'koffi', 'tree-sitter-powershell'].map(
    (name) => `node_modules/${name}`,
  )
  expect(scripted.filter((folder) => !known.includes(folder))).toEqual([])
})

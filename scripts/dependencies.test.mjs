/** Dependencies are pinned, and have licences that allow redistribution. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { licences } from './licences.mjs'
import { inProject } from './run/project.mjs'

/** Licences that allow a program under another licence to include the package. */
const ALLOWED = ['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'Python-2.0']

/** True if one of the licences in an SPDX expression with OR is allowed. @param {string} licence */
const isAllowed = (licence) =>
  licence
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((each) => ALLOWED.includes(each))

/** @type {Record<string, { resolved?: string, integrity?: string }>} */
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

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { licences } from './licences.mjs'
import { inProject } from './run/project.mjs'

const names = licences().map(({ name }) => name)

it('the list has Electron and every dependency, each by its real name, not by an alias in package.json', () => {
  const { dependencies } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'))
  const delivered = Object.keys(dependencies).map((name) => (name === 'keytar' ? '@github/keytar' : name))
  expect(delivered.filter((name) => !names.includes(name))).toEqual([])
  expect(names).toContain('electron')
})

it('the list has no package that is only for building or testing', () => {
  expect(names.filter((name) => ['vite', 'vitest', 'typescript', 'electron-builder'].includes(name))).toEqual([])
})

it('the list has each package’s version, its licence and, if known, its repository without a protocol', () => {
  for (const { name, version, licence, repository } of licences()) {
    expect([name, version]).toEqual([name, expect.stringMatching(/^\d+\.\d+\.\d+/)])
    expect([name, licence]).toEqual([name, expect.stringMatching(/^[\w.()\- ]+$/)])
    if (repository !== undefined) expect([name, repository]).toEqual([name, expect.stringMatching(/^[\w.-]+\/\S+$/)])
  }
})

it('the list has each package once, in alphabetical order', () => {
  const each = licences().map(({ name, version }) => `${name} ${version}`)
  expect(new Set(each).size).toBe(each.length)
  expect([...names].sort((one, two) => one.localeCompare(two, 'en'))).toEqual(names)
})

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { licences } from './licences.mjs'
import { inProject } from './run/project.mjs'

it('the list has Electron and each dependency once, by its real name, and no build tools', () => {
  const all = licences()
  const names = all.map(({ name }) => name)
  const { dependencies } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'))
  const delivered = Object.keys(dependencies).map((name) => (name === 'keytar' ? '@github/keytar' : name))
  expect(names).toEqual(expect.arrayContaining(['electron', ...delivered]))
  expect(names.filter((name) => ['vite', 'vitest', 'typescript', 'electron-builder'].includes(name))).toEqual([])
  expect(names).toEqual([...names].sort((one, two) => one.localeCompare(two, 'en')))
  expect(new Set(all.map(({ name, version }) => `${name} ${version}`)).size).toBe(all.length)
  for (const { repository = 'github.com/x' } of all) expect(repository).toMatch(/^[\w.-]+\/\S+$/)
})

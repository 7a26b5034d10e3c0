import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { NO_NPM, windowsWithoutWine } from '../../test/support/systems.ts'
import { inProject } from '../run/project.mjs'
import { billOfMaterials } from './sbom.mjs'

it('the bill of materials lists Electron and the dependencies, but no build tools', {
  timeout: 60_000,
  ...windowsWithoutWine(NO_NPM),
}, async () => {
  const { bomFormat, specVersion, components } = await billOfMaterials()
  expect([bomFormat, specVersion]).toEqual(['CycloneDX', expect.stringMatching(/^1\.\d$/)])
  const { dependencies, devDependencies } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'))
  const found = new Map(components.map((each) => [each['bom-ref'], each.purl]))
  expect(found.get(`electron@${devDependencies.electron}`)).toBe(`pkg:npm/electron@${devDependencies.electron}`)
  const wanted = Object.entries(dependencies).map(([name, version]) =>
    version.startsWith('npm:') ? version.slice('npm:'.length) : `${name}@${version}`,
  )
  expect(wanted.filter((each) => !found.has(each))).toEqual([])
  for (const tool of ['vite', 'vitest', 'electron-builder', 'typescript'])
    expect(components.map(({ name }) => name)).not.toContain(tool)
})

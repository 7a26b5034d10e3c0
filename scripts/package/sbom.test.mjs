import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { NO_NPM, windowsWithoutWine } from '../../test/support/systems.ts'
import { inProject } from '../run/project.mjs'
import { billOfMaterials } from './sbom.mjs'

const options = { timeout: 60_000, ...windowsWithoutWine(NO_NPM) }

it('the bill of materials lists Electron and the dependencies, but no build tools', options, () => {
  const { dependencies } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'))
  const names = billOfMaterials().components.map((/** @type {{ name: string }} */ { name }) => name)
  // A build tool needs `semver`, too.
  expect(names).toEqual(expect.arrayContaining(['electron', 'semver', ...Object.keys(dependencies)]))
  for (const tool of ['vite', 'vitest', 'electron-builder', 'typescript']) expect(names).not.toContain(tool)
})

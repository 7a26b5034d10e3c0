/** The files of the projects `unit` and `renderer` share loaded modules, so a test must not replace one for the others. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { inProject } from '../run/project.mjs'

const FOLDERS = ['contract', 'main', 'preload', 'renderer', 'text', 'demo', 'cli', 'scripts']
const REPLACES = /\bvi\.(?:mock|doMock|hoisted|resetModules)\(/
const RESTORES = /\bvi\.doUnmock\(/

const tests = FOLDERS.flatMap((folder) =>
  readdirSync(inProject(folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.test\.(?:tsx?|mjs)$/.test(file) && !/\.(?:isolated|integration)\.test\./.test(file))
    .map((file) => path.join(folder, file)),
)

it('a test that replaces modules is isolated, or restores them', () => {
  const replacing = tests.filter((file) => REPLACES.test(readFileSync(inProject(file), 'utf8')))
  expect(replacing).toContain(path.join('renderer', 'views', 'settings', 'about.test.tsx'))
  expect(replacing.filter((file) => !RESTORES.test(readFileSync(inProject(file), 'utf8')))).toEqual([])
})

/** The files of the projects `unit` and `renderer` share loaded modules, so a test must not replace one for the others. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { inProject } from '../run/project.mjs'

const FOLDERS = ['contract', 'main', 'preload', 'renderer', 'text', 'demo', 'cli', 'scripts']
const REPLACES = /\bvi\.(?:mock|doMock|hoisted|resetModules)\b/
/** This file replaces the list of licences, which the page loads only when a user opens it. No other file opens it. */
const EXCEPTION = 'renderer/views/settings/about.test.tsx'

const tests = FOLDERS.flatMap((folder) =>
  readdirSync(inProject(folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => /\.test\.(?:tsx?|mjs)$/.test(file) && !/\.(?:isolated|integration)\.test\.ts$/.test(file)),
)

it('only isolated tests replace modules, with one exception', () => {
  const replacing = tests.filter((file) => REPLACES.test(readFileSync(inProject(file), 'utf8')))
  expect(replacing).toEqual([EXCEPTION])
})

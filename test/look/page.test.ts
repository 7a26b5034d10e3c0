/** The pictures that are kept are those of the states there are. `npm run look` takes them anew. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../support/app.ts'
import { FIXTURES } from './fixtures/index.ts'
import { pictureBook, TELLING } from './page.ts'

const docs = (...place: string[]): string => path.join(ROOT, 'docs', ...place)
const picturesOf = (names: Iterable<string>): string[] => [...names].map((name) => `${name}.png`).sort()
const all = FIXTURES.map(({ name }) => name)

test('each state has a name of its own', () => {
  expect(new Set(all).size).toBe(all.length)
})

test.each([
  ['1x', all],
  ['2x', all],
  ['languages', [...TELLING]],
  ['large-text', [...TELLING]],
  ['forced-colours', [...TELLING]],
])('docs/look/%s has a picture of each state, and of nothing else', (folder, names) => {
  expect(readdirSync(docs('look', folder)).sort()).toEqual(picturesOf(names))
})

test('what is shown in languages, in large text and in forced colours is among the states', () => {
  expect([...TELLING].filter((name) => !all.includes(name))).toEqual([])
})

test('docs/look.md shows the pictures there are', () => {
  expect(readFileSync(docs('look.md'), 'utf8')).toBe(pictureBook())
})

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { files } from './docs/files.ts'
import { inProject } from './run/project.mjs'

const written = files()
/** The text without what Git and Biome change: line ends, and the format of JSON. */
const content = (text: string, file: string) =>
  file.endsWith('.json') ? JSON.stringify(JSON.parse(text)) : text.replaceAll('\r\n', '\n')

it.each(Object.entries(written))('%s is what `npm run docs` writes', (file, text) => {
  expect(content(readFileSync(inProject(file), 'utf8'), file)).toBe(content(text, file))
})

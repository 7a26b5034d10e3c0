/** Reads docs/security.md for the tests. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from '../support/app.ts'

const PAGE = readFileSync(path.join(ROOT, 'docs/security.md'), 'utf8')

/** The texts in backticks, in order. */
export const codeIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)

/** Every file that the page names. */
export const filesNamed = (text = PAGE): string[] => codeIn(text).filter(isFile)

/** True if a text in backticks looks like a file's path. */
export const isFile = (code: string): boolean => /^[\w./-]+\.(ts|tsx|mjs|json|yml|html|md)$/.test(code)

/** The rows of the table under a heading, as cells, without its head. */
export function tableUnder(heading: string): string[][] {
  const [, section] = PAGE.split(`\n## ${heading}\n`)
  if (section === undefined) throw new Error(`docs/security.md has no section ${heading}`)
  const lines = section.split(/\n## /)[0]?.split('\n') ?? []
  return lines
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split(/(?<!\\)\|/).slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim().replaceAll('\\|', '|')))
}

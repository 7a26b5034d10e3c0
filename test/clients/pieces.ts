/** The pieces of code in docs/tools.md. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { CLI, demand } from '../integration/cli/programs.ts'

const PAGE = readFileSync(path.join(CLI, '../docs/tools.md'), 'utf8')

/** How to run a piece of code in each language: the program, and the extension of the file. */
export const LANGUAGES: Record<string, { program: () => string; extension: string }> = {
  sh: { program: () => demand('sh', 'dash'), extension: 'sh' },
  bash: { program: () => demand('bash'), extension: 'bash' },
  python: { program: () => demand('python3'), extension: 'py' },
  js: { program: () => process.execPath, extension: 'mjs' },
  r: { program: () => demand('Rscript', 'r-base-core'), extension: 'R' },
}

export interface Piece {
  /** The heading above the piece, and a number if there are several pieces. */
  readonly name: string
  readonly language: string
  readonly code: string
}

export const pieces: readonly Piece[] = PAGE.split(/^## /m).flatMap((section) => {
  const heading = section.slice(0, section.indexOf('\n'))
  const fences = [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
  return fences.map(([, language = '', code = ''], index) => ({ name: `${heading} ${index + 1}`, language, code }))
})

export const piece = (name: string): Piece => {
  const found = pieces.find((one) => one.name === name)
  if (found === undefined) throw new Error(`docs/tools.md has no piece of code ${name}`)
  return found
}

/** The pieces that the page marks as not run, because a test can't provide what they need. */
export const notRun: readonly string[] = PAGE.split(/^## /m).flatMap((section) =>
  [...section.matchAll(/^```\w+ not-run$/gm)].map(() => section.slice(0, section.indexOf('\n'))),
)

/** The pieces that need the code of an earlier piece, each with the name of that earlier piece. */
export const GOES_ON: Record<string, string> = {
  'Jupyter 2': 'Jupyter 1',
}

export const whole = (one: Piece): Piece => {
  const above = GOES_ON[one.name]
  return above === undefined ? one : { ...one, code: piece(above).code + one.code }
}

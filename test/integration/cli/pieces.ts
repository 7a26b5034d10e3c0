/** The pieces of code in docs/tools.md. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { CLI, demand } from './programs.ts'

const PAGE = readFileSync(path.join(CLI, '../docs/tools.md'), 'utf8')

/** What runs a piece of code: the program, its Debian package, and what a file of that language is called. */
export const LANGUAGES: Record<string, { program: () => string; extension: string }> = {
  sh: { program: () => demand('sh', 'dash'), extension: 'sh' },
  bash: { program: () => demand('bash'), extension: 'bash' },
  python: { program: () => demand('python3'), extension: 'py' },
  js: { program: () => process.execPath, extension: 'mjs' },
}

export interface Piece {
  /** The heading above it, and a number if there are several. */
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

/** Pieces that go on from another, which stands above them. */
export const GOES_ON: Record<string, string> = {
  'Python, standard library 2': 'Python, standard library 1',
  'Python, httpx 2': 'Python, httpx 1',
  'Python, httpx 3': 'Python, httpx 1',
  'A job that runs for days 1': 'Python, standard library 1',
}

export const whole = (one: Piece): Piece => {
  const above = GOES_ON[one.name]
  return above === undefined ? one : { ...one, code: piece(above).code + one.code }
}

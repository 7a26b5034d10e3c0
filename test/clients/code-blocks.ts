/** The code blocks in docs/users/tools.md and docs/users/recipes. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { CLI, requireProgram } from '../integration/cli/programs.ts'

const USERS = path.join(CLI, '../docs/users')
const PAGES = ['tools.md', ...readdirSync(path.join(USERS, 'recipes')).map((name) => `recipes/${name}`)]
const SECTIONS = PAGES.flatMap((page) => readFileSync(path.join(USERS, page), 'utf8').split(/^## /m).slice(1))

/** How to run the code of each language: the program, and the file's extension. */
export const LANGUAGES: Record<string, { program: () => string; extension: string }> = {
  sh: { program: () => requireProgram('sh', 'dash'), extension: 'sh' },
  bash: { program: () => requireProgram('bash'), extension: 'bash' },
  python: { program: () => requireProgram('python3'), extension: 'py' },
  js: { program: () => process.execPath, extension: 'mjs' },
  r: { program: () => requireProgram('Rscript', 'r-base-core'), extension: 'R' },
}

/** `name`: the heading above the code, and the number of this block below that heading. */
export const codeBlocks = SECTIONS.flatMap((section) => {
  const heading = section.slice(0, section.indexOf('\n'))
  const fences = [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
  return fences.map(([, language = '', code = ''], index) => ({ name: `${heading} ${index + 1}`, language, code }))
})

export type CodeBlock = (typeof codeBlocks)[number]

export const codeBlock = (name: string): CodeBlock => {
  const found = codeBlocks.find((one) => one.name === name)
  if (found === undefined) throw new Error(`The recipes have no piece of code ${name}`)
  return found
}

/** The headings above code blocks that the pages mark with `not-run`, because no test has what these blocks need. */
export const notRun: readonly string[] = SECTIONS.flatMap((section) =>
  [...section.matchAll(/^```\w+ not-run$/gm)].map(() => section.slice(0, section.indexOf('\n'))),
)

/** The second block for Jupyter goes on where the first one ends. */
export const whole = (one: CodeBlock): CodeBlock =>
  one.name === 'Jupyter 2' ? { ...one, code: codeBlock('Jupyter 1').code + one.code } : one

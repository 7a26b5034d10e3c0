import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { proseOf } from './prose/prose.mjs'
import { misspellings, phrasesIn } from './prose.mjs'
import { inProject } from './run/project.mjs'

/** The example of each rule, so that every rule is tested. */
const PLANTED = [...readFileSync(inProject('scripts', 'prose', 'phrases.yml'), 'utf8').matchAll(/- from: '(.*)'/g)].map(
  ([, sentence = '']) => sentence,
)

describe.each(PLANTED)('a phrase that should be replaced is found: %s', (sentence) => {
  it.each([
    ['page.md', `# Title\n\n${sentence}\n`],
    ['code.ts', `const a = 1\n/** ${sentence} */\nconst b = 2\n`],
    ['code.ts', `/**\n * ${sentence.replaceAll(' ', '\n * ')}\n */\nconst b = 2\n`],
    ['code.tsx', `// ${sentence}\nexport const a = <p>text</p>\n`],
    ['script.py', `import os\n# ${sentence}\n`],
    ['module.py', `"""${sentence}"""\nimport os\n`],
    ['script.ps1', `<#\n${sentence}\n#>\nexit\n`],
    ['style.css', `a {}\n/* ${sentence} */\n`],
    ['code.test.ts', `it.each([\n  [1],\n])(${JSON.stringify(sentence)}, () => {})\n`],
  ])('in %s', (file, text) => {
    expect(phrasesIn(file, text)).toHaveLength(1)
  })
})

it('a phrase that should be replaced is found in the title of a test', () => {
  expect(phrasesIn('code.test.ts', "it('tells why it failed', () => {})\n")).toEqual([
    'code.test.ts:1 "tells" → says, or reports',
  ])
})

it('a misspelling is reported each time, not only the first time', { timeout: 60_000 }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'latchkey-prose-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'page.md')
  writeFileSync(file, '# A mispeling\n')
  for (let time = 0; time < 2; time++) expect(misspellings([file])).toEqual([expect.stringContaining('(mispeling)')])
})

it.each([
  ['page.md', 'Run `latchkey anew` now.\n\n```sh\necho nobody\n```\n'],
  ['code.ts', "const nobody = 'anew'\n"],
  ['script.py', 'print("nobody")\n'],
])('code is not prose: %s', (file, text) => {
  expect(phrasesIn(file, text)).toEqual([])
})

it('each piece of prose is returned with its line number', () => {
  const text = 'const a = 1 // one\n/**\n * two\n * three\n */\n// four\n// five\n'
  expect(proseOf('code.ts', text)).toEqual([
    { line: 1, text: 'one' },
    { line: 2, text: 'two three' },
    { line: 6, text: 'four five' },
  ])
})

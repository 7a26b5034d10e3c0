/**
 * Checks the prose of the project: spelling in documentation and comments (cspell.json), and phrases that should be
 * replaced (scripts/prose/phrases.yml). Part of `npm run lint`.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { argv } from 'node:process'
import { pathToFileURL } from 'node:url'
import { fromYAMLFilePath } from 'prh'
import { hasProse, proseOf } from './prose/prose.mjs'
import { inProject, root } from './run/project.mjs'

const phrases = fromYAMLFilePath(inProject('scripts', 'prose', 'phrases.yml'))

/**
 * The phrases in a file that should be replaced, each with its line and the replacement.
 * @param {string} file
 * @param {string} text
 */
export function phrasesIn(file, text) {
  return proseOf(file, text).flatMap((piece) =>
    phrases.makeChangeSet(file, piece.text).diffs.map(({ index, tailIndex, expected }) => {
      return `${file}:${piece.line} "${piece.text.slice(index, tailIndex)}" → ${expected}`
    }),
  )
}

/** All files that Git tracks or would add, except the list of phrases. */
function files() {
  const list = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  return list
    .split('\n')
    .filter((file) => hasProse(file) && !file.startsWith('scripts/prose') && existsSync(inProject(file)))
}

/** Misspelled words, one per line. @param {readonly string[]} checked The files. */
export function misspellings(checked) {
  const cspell = inProject('node_modules', 'cspell', 'bin.mjs')
  // Uses no cache, because with a cache cspell reports a misspelling only once.
  const options = ['lint', '--no-progress', '--no-summary', '--no-color', '--file-list', 'stdin']
  const { stdout, stderr, status } = spawnSync(process.execPath, [cspell, ...options], {
    cwd: root,
    encoding: 'utf8',
    input: checked.join('\n'),
  })
  const lines = stdout.split('\n').filter(Boolean)
  return status === 0 || lines.length > 0 ? lines : [stderr]
}

/** All problems, one per line. */
export function proseProblems() {
  const checked = files()
  return [
    ...checked.flatMap((file) => phrasesIn(file, readFileSync(inProject(file), 'utf8'))),
    ...misspellings(checked),
  ]
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) {
  const problems = proseProblems()
  for (const line of problems) console.log(line)
  process.exitCode = problems.length === 0 ? 0 : 1
}

/**
 * docs/platforms.md says on which systems each part was tested. It must name every source file with code for macOS, and
 * every file that it names must exist.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { NO_GIT, windowsWithoutWine } from '../test/support/systems.ts'
import { inProject, root } from './run/project.mjs'

const page = readFileSync(inProject('docs', 'platforms.md'), 'utf8')

/**
 * The rows of the table for macOS. Each row names a branch in the code, the document that the branch follows, and its
 * test.
 */
const rows = page
  .slice(page.indexOf('\n## macOS\n'))
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:branch|---) /.test(line))
  .map((line) => line.slice(2, -2).split(' | '))

/** The files that a text names. @param {string} text */
const filesIn = (text) => [...text.matchAll(/`([\w-]+(?:\/[\w.-]+)*(?:\.\w+|\/\w+))`/g)].map(([, file = '']) => file)

it('the table for macOS names every source file with code for macOS', windowsWithoutWine(NO_GIT), () => {
  const folders = ['main', 'contract', 'preload', 'renderer', 'clients', 'cli', 'text', 'scripts']
  // Code for every system except Linux also runs on macOS.
  const linux = ['[!=]== [\'"]linux[\'"]', 'case [\'"]linux[\'"]']
  const marks = ['[\'"](darwin|macos)[\'"]', 'macos_', 'Latchkey\\.app', 'dock\\.', 'before-quit-for-update', ...linux]
  const list = execFileSync('git', ['grep', '-liE', marks.join('|'), '--', ...folders], { cwd: root, encoding: 'utf8' })
  const sources = list.split('\n').filter((file) => file !== '' && !/\.test\.|\/testing|\/tests\//.test(file))
  const named = rows.flatMap(([branch = '']) => filesIn(branch))
  expect(sources.length).toBeGreaterThan(40)
  expect(sources.filter((file) => !named.includes(file))).toEqual([])
})

it.each(rows)(
  'the table row “%s” names a document, and a test for macOS or the reason why there is none',
  (_, document = '', test = '', ...more) => {
    expect(more).toEqual([])
    expect(document.trim()).not.toBe('')
    if (/^none: \S+ \S+/.test(test)) return
    const texts = filesIn(test).map((file) => readFileSync(inProject(file), 'utf8'))
    expect(texts.filter((text) => /darwin|macOS|before-quit-for-update/.test(text))).not.toEqual([])
  },
)

it('every file that the page names exists', () => {
  const named = [...page.matchAll(/`([\w-]+(?:\/[\w.-]+)+\.\w+)`/g)].map(([, file = '']) => file)
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter((file) => !existsSync(inProject(file)))).toEqual([])
})

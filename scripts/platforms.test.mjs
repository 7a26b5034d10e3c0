/** docs/platforms.md lists where each part was tested. It must mention every branch for macOS, and no file that doesn't exist. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { NO_GIT, windowsWithoutWine } from '../test/support/systems.ts'
import { inProject, root } from './run/project.mjs'

const page = readFileSync(inProject('docs', 'platforms.md'), 'utf8')

it('names every source file with a branch for macOS', windowsWithoutWine(NO_GIT), () => {
  const folders = ['main', 'contract', 'preload', 'renderer', 'clients', 'cli']
  const marks = ['[\'"]darwin[\'"]', 'macos_', 'Latchkey\\.app', 'dock\\.', 'before-quit-for-update']
  const list = execFileSync('git', ['grep', '-liE', marks.join('|'), '--', ...folders], { cwd: root, encoding: 'utf8' })
  const sources = list.split('\n').filter((file) => file !== '' && !/\.test\.|\/testing|\/tests\//.test(file))
  expect(sources.length).toBeGreaterThan(15)
  expect(sources.filter((file) => !page.includes(`\`${file}\``))).toEqual([])
})

it('names no missing file', () => {
  const named = [...page.matchAll(/`([\w-]+(?:\/[\w.-]+)+\.\w+)`/g)].map(([, file = '']) => file)
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter((file) => !existsSync(inProject(file)))).toEqual([])
})

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { electronVite } from '../../scripts/build.mjs'
import { packForTests } from '../../scripts/package/pack.mjs'
import { resolveElectron } from '../../scripts/setup/electron.mjs'
import { ROOT } from '../support/app.ts'
import { shipped } from './builds.ts'

const hash = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

it('two builds of the same commit give the same app.asar', { timeout: 600_000 }, async () => {
  const copy = path.join(ROOT, 'dist', 'test', 'again')
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  const names = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
  for (const name of names
    .toString()
    .split('\0')
    .filter((each) => each !== '')) {
    mkdirSync(path.dirname(path.join(copy, name)), { recursive: true })
    cpSync(path.join(ROOT, name), path.join(copy, name))
  }
  const modules = (root: string, name: string) => path.join(root, 'node_modules', name)
  mkdirSync(modules(copy, ''))
  for (const name of readdirSync(modules(ROOT, ''))) {
    // Packed files must be in the project, so the native modules are copied rather than linked.
    if (['keytar', 'koffi', '@koromix'].includes(name))
      cpSync(modules(ROOT, name), modules(copy, name), { recursive: true })
    else symlinkSync(modules(ROOT, name), modules(copy, name))
  }
  await electronVite(undefined, copy)
  const output = path.join(copy, 'dist')
  await packForTests({ electron: await resolveElectron({ allowFallback: true }), output, project: copy })
  const archive = shipped().archive.replace(shipped().folder, output)
  console.log(`app.asar: ${hash(archive)}`)
  expect(hash(archive)).toBe(hash(shipped().archive))
})

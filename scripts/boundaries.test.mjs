import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inProject } from './run/project.mjs'

/** @type {string} */
let folder
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'latchkey-boundaries-'))
  const { $schema: _schema, vcs: _vcs, ...rules } = JSON.parse(readFileSync(inProject('biome.json'), 'utf8'))
  writeFileSync(path.join(folder, 'biome.json'), JSON.stringify(rules))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Whether the linter lets such an import pass in such a file. @param {string} file @param {string} module */
function passes(file, module) {
  const planted = path.join(folder, file)
  mkdirSync(path.dirname(planted), { recursive: true })
  writeFileSync(planted, `import { x } from '${module}'\n\nexport const y = x\n`)
  const biome = inProject('node_modules', '@biomejs', 'biome', 'bin', 'biome')
  const args = [biome, 'lint', '--only=style/noRestrictedImports', planted]
  const { status, stderr, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  if (!/Checked 1 file/.test(stdout + stderr)) throw new Error(`biome did not look at it: ${stdout}${stderr}`)
  return status === 0
}

it.each([
  ['main/session/planted.ts', 'electron'],
  ['main/session/planted.ts', 'electron/main'],
  ['main/session/planted.ts', 'electron-store'],
  ['main/session/planted.ts', 'got'],
  ['main/session/planted.ts', 'got/dist/source/index.js'],
  ['main/session/planted.ts', '../service/schemas.ts'],
  ['main/service/planted.ts', 'electron'],
  ['main/service/planted.ts', 'electron-store'],
  ['main/service/planted.ts', '../keychain/open.ts'],
  ['main/agent/planted.ts', '../shell/tray.ts'],
  ['main/shell/planted.ts', 'electron-store'],
  ['main/shell/planted.ts', '../service/schemas.ts'],
  ['renderer/planted.tsx', 'electron/renderer'],
  ['renderer/planted.tsx', '../main/session/secret.ts'],
  ['renderer/planted.tsx', '../demo/service.ts'],
  ['renderer/planted.tsx', 'node:fs'],
  ['text/planted.ts', 'electron'],
  ['preload/planted.ts', 'electron'],
  ['demo/planted.ts', '../main/session/secret.ts'],
])('%s may not import %s', (file, module) => {
  expect(passes(file, module)).toBe(false)
})

it.each([
  ['main/session/planted.ts', '../../preload/contract.ts'],
  ['main/service/planted.ts', '../session/ports.ts'],
  ['main/shell/planted.ts', 'electron'],
  ['renderer/planted.tsx', '../preload/contract.ts'],
])('%s may import %s', (file, module) => {
  expect(passes(file, module)).toBe(true)
})

import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { inProject } from './run/project.mjs'

/** Whether the linter lets such an import pass in such a file. @param {string} file @param {string} module */
function passes(file, module) {
  const biome = inProject('node_modules', '@biomejs', 'biome', 'bin', 'biome')
  const args = [biome, 'lint', '--only=style/noRestrictedImports', `--stdin-file-path=${file}`]
  const input = `import { x } from '${module}'\n\nexport const y = x\n`
  return spawnSync(process.execPath, args, { cwd: inProject(), input }).status === 0
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

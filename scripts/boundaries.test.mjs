import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { NO_GIT, windowsWithoutWine } from '../test/support/systems.ts'
import { allViolations, MAY_IMPORT, violations } from './boundaries.mjs'
import { inProject } from './run/project.mjs'

it('no file has a forbidden import', windowsWithoutWine(NO_GIT), () => {
  expect(allViolations()).toEqual([])
})

it('every folder of main/ has a row in scripts/boundaries.mjs', () => {
  const folders = readdirSync(inProject('main'), { withFileTypes: true }).filter((each) => each.isDirectory())
  expect(folders.map(({ name }) => `main/${name}`).filter((name) => !(name in MAY_IMPORT))).toEqual([])
  expect(violations('main/planted/a.ts', '')).toEqual(['main/planted has no row in scripts/boundaries.mjs'])
})

it('the preload script is one file', () => {
  expect(readdirSync(inProject('preload')).filter((name) => /\.\w*[jt]sx?$/.test(name))).toEqual(['preload.ts'])
})

it.each(["'../surfaces/' + name", 'fileOf(name)'])('an import of a computed name is forbidden: %s', (name) => {
  const computed = ['main/features/planted.ts may not import a computed name']
  expect(violations('main/features/planted.ts', `const x = await import(${name})\n`)).toEqual(computed)
})

it('an import in a comment or a string doesn’t count', () => {
  const code = "// import { x } from 'electron'\nconst text = `\nimport { x } from 'electron'`\n"
  expect(violations('main/session/planted.ts', code)).toEqual([])
})

describe('an import that the file’s row forbids is reported', () => {
  const rows = Object.keys(MAY_IMPORT).map((row) => [row, row.endsWith('.ts') ? row : `${row}/planted.ts`])

  it.each(rows)('%s', (row, file) => {
    const stranger = row === 'preload' ? 'electron-store' : 'keytar-of-a-stranger'
    expect(violations(file ?? '', `import { x } from '${stranger}'\n`)).toEqual([`${file} may not import ${stranger}`])
  })
})

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
  ['main/service/planted.ts', '../session/session-engine.ts'],
  ['main/keychain/planted.ts', '../session/journal.ts'],
  ['main/agent/planted.ts', '../session/connection-manager.ts'],
  ['main/agent/planted.ts', '../surfaces/tray.ts'],
  ['main/log/planted.ts', 'electron-log'],
  ['main/log/planted.ts', 'electron-log/main'],
  ['main/surfaces/planted.ts', 'electron-store'],
  ['main/surfaces/planted.ts', '../service/schemas.ts'],
  ['main/app.ts', 'electron'],
  ['main/features/planted.ts', 'electron'],
  ['main/features/planted.ts', '../surfaces/tray.ts'],
  ['main/features/planted.ts', '../service/schemas.ts'],
  ['main/session/planted.ts', '../features/clipboard.ts'],
  ['renderer/planted.tsx', 'electron/renderer'],
  ['renderer/planted.tsx', '../main/session/secret.ts'],
  ['renderer/planted.tsx', '../demo/service.ts'],
  ['renderer/planted.tsx', '../preload/preload.ts'],
  ['renderer/planted.tsx', 'node:fs'],
  ['contract/planted.ts', 'node:fs'],
  ['contract/planted.ts', 'electron'],
  ['text/planted.ts', 'electron'],
  ['demo/planted.ts', '../main/session/secret.ts'],
  ['main/session/planted.ts', './testing/manual-time.ts'],
  ['main/agent/planted.ts', '../session/testing/manual-time.ts'],
  ['main/service/planted.ts', './testing.ts'],
  ['main/keychain/planted.ts', './store-contract.ts'],
  ['renderer/planted.tsx', './testing.tsx'],
])('%s may not import %s', (file, module) => {
  for (const code of [
    `import { x } from '${module}'`,
    `import {\n  x,\n  y,\n} from '${module}'`,
    `import type { X } from '${module}'`,
    `import '${module}'`,
    `/* first */ import { x } from '${module}'`,
    `const y = 1; import{x}from'${module}'`,
    `import type x from './x.ts'; import y from '${module}'`,
    `type X = typeof import('${module}')`,
    `import x = require('${module}')`,
    `export { x } from '${module}'`,
    `export * from '${module}'`,
    ...calls(module),
  ]) {
    expect(violations(file, `${code}\n`), code).toHaveLength(1)
  }
})

/** @param {string} module */
function calls(module) {
  return [
    `const x = await import('${module}')`,
    `const x = await import(\`${module}\`)`,
    `const x = await import(\n  /* webpackIgnore: true */ "${module}"\n)`,
    `const x = await import( // lazily\n  '${module}')`,
    `const x = require('${module}')`,
    `const x = require(/* here */ \`${module}\`)`,
    `const x = require.resolve('${module}')`,
    `const x = import.meta.glob(['${module}'])`,
  ]
}

const PLAIN_FILES = readdirSync(inProject('main')).filter(
  (file) => file.endsWith('.ts') && !/\.test\.|\.d\.ts$/.test(file),
)
const ON_ELECTRON = ['start.ts', 'run-app.ts', 'run-diagnostics.ts', 'desktop.ts']

describe.each(PLAIN_FILES.filter((file) => !ON_ELECTRON.includes(file)))('main/%s', (name) => {
  const file = `main/${name}`

  it.each(['./surfaces/tray.ts', ...ON_ELECTRON.map((each) => `./${each}`)])('may not import %s', (module) => {
    const codes = [`import { x } from '${module}'`, `import { type X } from '${module}'`, `import '${module}'`]
    for (const code of [...codes, `export * from '${module}'`, ...calls(module)]) {
      expect(violations(file, `${code}\n`), code).toHaveLength(1)
    }
  })

  it('may import types from main/surfaces', () => {
    expect(violations(file, "import type { X } from './surfaces/tray.ts'\n")).toEqual([])
    expect(violations(file, "import type {\n  X,\n} from './surfaces/tray.ts'\n")).toEqual([])
  })
})

it.each([
  ['main/session/planted.ts', '../../contract/failures.ts'],
  ['main/session/planted.ts', './ports.ts'],
  ['main/service/planted.ts', '../session/ports.ts'],
  ['main/surfaces/planted.ts', 'electron'],
  ['renderer/planted.tsx', '../contract/views.ts'],
  ['main/session/planted.test.ts', '../service/schemas.ts'],
])('%s may import %s', (file, module) => {
  expect(violations(file, `import { x } from '${module}'\n`)).toEqual([])
})

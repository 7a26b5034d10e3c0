import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { NO_GIT, windowsWithoutWine } from '../test/support/systems.ts'
import { allViolations, MAY_IMPORT, violations } from './boundaries.mjs'
import { inProject } from './run/project.mjs'

/** @type {Readonly<Record<'dependencies' | 'devDependencies', object>>} */
const { dependencies, devDependencies } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'))
const DEPENDENCIES = Object.keys({ ...dependencies, ...devDependencies })

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

/**
 * For each row, imports that someone may be tempted to add, and that the row must refuse: npm packages, Node's own
 * modules, and files of the project.
 * @type {Readonly<Record<string, string>>}
 */
const TEMPTING = {
  contract: 'electron node:fs preact text/index.ts main/session/secret.ts renderer/testing.tsx',
  text: 'electron node:fs valibot preact main/session/display-text.ts renderer/app.tsx',
  preload: 'electron-store node:fs valibot text/index.ts main/surfaces/ipc.ts renderer/app.tsx',
  renderer: `electron electron/renderer node:fs valibot got main/session/secret.ts demo/service.ts preload/preload.ts
    renderer/testing.tsx`,
  demo: `electron got oauth4webapi contract/grants.ts contract/failures.ts text/index.ts main/session/secret.ts
    main/service/schemas.ts`,
  main: 'electron electron-store got keytar valibot main/surfaces/tray.ts main/start.ts renderer/app.tsx',
  'main/start.ts': 'electron-store electron-log got keytar valibot text/index.ts',
  'main/run-app.ts': 'electron-log electron-updater got keytar valibot renderer/app.tsx',
  'main/run-diagnostics.ts': 'electron-store electron-log got keytar valibot node:fs text/index.ts',
  'main/desktop.ts': 'electron-store electron-log got keytar valibot text/index.ts',
  'main/session': `electron electron/main electron-store got got/dist/source/index.js keytar node:fs text/index.ts
    main/grants.ts main/service/schemas.ts main/keychain/open.ts main/features/clipboard.ts
    main/session/testing/manual-time.ts`,
  'main/service': `electron electron-store keytar socks-proxy-agent text/index.ts main/network/network.ts
    main/keychain/open.ts main/session/session-engine.ts main/service/testing.ts`,
  'main/network': 'electron got keytar main/core.ts main/settings/settings.ts main/session/state.ts',
  'main/keychain': `electron electron-store got text/index.ts main/session-keychain.ts main/session/journal.ts
    main/settings/settings.ts main/keychain/store-contract.ts`,
  'main/settings': 'electron electron-store got keytar main/network/network.ts main/session/state.ts',
  'main/agent': `electron got keytar main/session-source.ts main/session/state.ts main/session/schedule.ts
    main/session/session-engine.ts main/session/connection-manager.ts main/session/testing/manual-time.ts
    main/features/agent.ts main/log/log.ts main/surfaces/tray.ts`,
  'main/log': `electron electron-log electron-log/main got text/index.ts main/view-store.ts main/session/state.ts
    main/settings/settings.ts`,
  'main/updates': 'electron electron-updater got text/index.ts main/session/clock.ts main/log/log.ts',
  'main/diagnostics': `electron got keytar main/check-computer.ts main/session/state.ts main/service/http-client.ts
    main/network/network.ts main/keychain/open.ts main/agent/location.ts`,
  'main/login-item': 'electron electron-store text/index.ts main/settings/settings.ts main/log/log.ts',
  'main/features': `electron electron-store got keytar main/view-store.ts main/session-keychain.ts
    main/service/schemas.ts main/keychain/open.ts main/agent/agent.ts main/log/log-file.ts main/surfaces/tray.ts`,
  'main/surfaces': `electron-store electron-log got keytar main/app.ts main/phases.ts main/view-store.ts
    main/session/clock.ts main/session/state.ts main/service/schemas.ts main/settings/settings.ts main/updates/updates.ts main/agent/agent.ts
    main/features/clipboard.ts`,
}

/** @param {string} row */
const temptingIn = (row) => TEMPTING[row]?.split(/\s+/) ?? []

it('every row of scripts/boundaries.mjs is tested with tempting imports', () => {
  expect(Object.keys(TEMPTING)).toEqual(Object.keys(MAY_IMPORT))
})

describe.each(Object.keys(TEMPTING))('%s', (row) => {
  const file = row.endsWith('.ts') ? row : `${row}/planted.${row === 'renderer' ? 'tsx' : 'ts'}`

  it.each(temptingIn(row))('may not import %s', (name) => {
    expect(exists(name), `${name} exists`).toBe(true)
    const module = isFile(name) ? relativePath(file, name) : name
    for (const code of [
      `import { x } from '${module}'`,
      `import {\n  x,\n  y,\n} from '${module}'`,
      `import '${module}'`,
      `/* first */ import { x } from '${module}'`,
      `const y = 1; import{x}from'${module}'`,
      `import type x from './x.ts'; import y from '${module}'`,
      `import x = require('${module}')`,
      `export { x } from '${module}'`,
      `export * from '${module}'`,
      ...(mayImportTypes(row, name)
        ? []
        : [`import type { X } from '${module}'`, `type X = typeof import('${module}')`]),
      ...calls(module),
    ]) {
      expect(violations(file, `${code}\n`), code).toEqual([`${file} may not import ${name}`])
    }
  })
})

/** @param {string} name */
const isFile = (name) => /\.tsx?$/.test(name)

/** True if a file or package exists, so that a planted import is a real one. @param {string} name */
function exists(name) {
  if (isFile(name)) return existsSync(inProject(name))
  if (name.startsWith('node:')) return isBuiltin(name)
  return DEPENDENCIES.some((each) => name === each || name.startsWith(`${each}/`))
}

/** True if the row allows types of this module. @param {string} row @param {string} name */
const mayImportTypes = (row, name) =>
  MAY_IMPORT[row]?.some((entry) => entry === `!${name}` || `!${name}`.startsWith(`${entry}/`))

/** @param {string} from @param {string} to */
function relativePath(from, to) {
  const relative = path.posix.relative(path.posix.dirname(from), to)
  return relative.startsWith('.') ? relative : `./${relative}`
}

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

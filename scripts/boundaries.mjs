/** Who may import what. `npm run lint` checks it; a folder without a row may not be in `main/`. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { argv } from 'node:process'
import { pathToFileURL } from 'node:url'
import { root } from './run/project.mjs'

const PLAIN = ['contract', 'node', 'valibot', 'main/session']
/** The files of main/ that run Electron. */
const ON_ELECTRON = ['main/start.ts', 'main/run-app.ts', 'main/run-diagnostics.ts', 'main/desktop.ts']

/**
 * What each folder or file may import besides itself: folders, files and packages. For each file the longest matching
 * name counts. `node` means Node's own modules. From entries that begin with `!`, only types may be imported.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const MAY_IMPORT = {
  contract: ['valibot'],
  text: ['contract'],
  preload: ['electron', 'contract'],
  renderer: ['contract', 'text', 'preact', '@preact/signals', '@zxcvbn-ts'],
  demo: ['node', 'jose', 'valibot'],
  main: ['contract', 'text', 'node', '!main/surfaces', ...ON_ELECTRON.map((file) => `!${file}`)],
  'main/start.ts': ['electron', 'node', 'main'],
  'main/run-app.ts': ['electron', 'electron-store', 'text', 'node', 'main'],
  'main/run-diagnostics.ts': ['electron', 'node', 'main'],
  'main/desktop.ts': ['electron', 'node', 'main'],
  'main/session': ['contract', 'valibot', 'node:util', 'main/listeners.ts'],
  'main/service': [...PLAIN, 'got', 'oauth4webapi'],
  'main/network': [...PLAIN, 'main/service', 'socks-proxy-agent'],
  'main/keychain': [...PLAIN, '@jellybrick/dbus-next', 'keytar'],
  'main/settings': [...PLAIN, 'text', 'main/key-value-store.ts'],
  'main/agent': [...PLAIN, 'text', 'main/private-folder.ts', 'main/listeners.ts'],
  'main/log': [...PLAIN, 'electron-log/node'],
  'main/updates': PLAIN,
  'main/diagnostics': [...PLAIN, 'text', 'main/log', 'main/private-folder.ts', 'main/service/challenges.ts'],
  'main/login-item': [...PLAIN, 'main/launch-command.ts'],
  'main/features': [...PLAIN, 'text', 'main/settings', 'main/network', 'main/updates', 'main/diagnostics'].concat([
    'main/login-item',
    'main/log/report.ts',
    'main/key-value-store.ts',
  ]),
  'main/surfaces': [
    ...PLAIN,
    'text',
    'main/log',
    'main/updates',
    'main/key-value-store.ts',
    'main/launch-command.ts',
    'main/listeners.ts',
    'main/view-store.ts',
    'electron',
  ].concat(['@jellybrick/dbus-next', 'electron-updater']),
}

/** Tests and their helpers may import anything. */
const IS_TEST = /\.test\.|\/testing[./]|\/testing\/|store-contract|hand-clock/
const STATEMENT = /(?:^import\s[^'"]*|^export\s[^'"]*\sfrom\s*|^\} from\s+)['"]([^'"]+)['"]/gm
/** `import(…)` and `require(…)`, with any quotes, and comments inside. */
const CALL = /\b(?:import|require)\s*\((?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*\n)*['"`]([^'"`]+)['"`]/gm

/** @param {string} name @param {string} entry */
const isIn = (name, entry) => name === entry || name.startsWith(`${entry}/`) || name.startsWith(`${entry}:`)

/**
 * The forbidden imports of a file, one per line.
 * @param {string} file A path in the project.
 * @param {string} code
 */
export function violations(file, code) {
  const row = Object.keys(MAY_IMPORT)
    .filter((each) => isIn(file, each))
    .sort((a, b) => b.length - a.length)[0]
  if (row === undefined || IS_TEST.test(file)) return []
  if (row === 'main' && path.dirname(file) !== 'main')
    return [`${path.dirname(file)} has no row in scripts/boundaries.mjs`]
  return [...code.matchAll(STATEMENT), ...code.matchAll(CALL)]
    .map(([statement, name = '']) => ({
      name: name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : name,
      isType: /^(?:import|export)\s+type\s/.test(statement),
    }))
    .filter(({ name, isType }) => !mayImport(row, name, isType))
    .map(({ name }) => `${file} may not import ${name}`)
}

/** @param {string} row @param {string} name @param {boolean} isType */
function mayImport(row, name, isType) {
  const entries = MAY_IMPORT[row] ?? []
  if (IS_TEST.test(name)) return false
  if (entries.some((entry) => entry.startsWith('!') && isIn(name, entry.slice(1)))) return isType
  return isIn(name, row) || entries.some((entry) => isIn(name, entry))
}

/** @returns {string[]} Of all files that Git tracks or would add. */
export function allViolations() {
  const list = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], { cwd: root })
  const files = list
    .toString()
    .split('\n')
    .filter((file) => file !== '' && existsSync(path.join(root, file)))
  return files.flatMap((file) => violations(file, readFileSync(path.join(root, file), 'utf8')))
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) {
  const found = allViolations()
  for (const line of found) console.log(line)
  process.exitCode = found.length === 0 ? 0 : 1
}

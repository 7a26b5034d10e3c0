/** The table of allowed imports, which `npm run lint` checks. Every folder in `main/` needs a row. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { argv } from 'node:process'
import { pathToFileURL } from 'node:url'
import { parseSync } from 'vite'
import { root } from './run/project.mjs'

const PLAIN = 'contract node valibot main/base main/session/ports.ts'

/**
 * What each folder or file may import besides itself. Of the rows that match, the one with the longest name applies.
 * `node` stands for Node's own modules. After `!`, only types may be imported.
 * @type {Readonly<Record<string, string>>}
 */
const ROWS = {
  contract: 'valibot',
  text: 'contract',
  preload: 'electron contract',
  renderer: 'contract text preact @preact/signals @zxcvbn-ts',
  demo: 'node jose valibot',
  'main/base': 'contract valibot node',
  'main/app': `${PLAIN} text main/session main/service main/network main/keychain main/settings main/agent main/gateway
    main/mcp main/log main/updates main/diagnostics main/features !main/surfaces`,
  'main/app/start.ts': '!contract text/en/start-problem.ts electron node main',
  'main/app/run-app.ts': '!contract electron electron-store text node main',
  'main/app/run-printing.ts': 'electron main',
  'main/app/host-system.ts': 'electron node main',
  'main/session': 'contract valibot node:util main/base',
  'main/service': `${PLAIN} got oauth4webapi`,
  'main/network': `${PLAIN} main/service socks-proxy-agent koffi`,
  'main/dbus': 'node @jellybrick/dbus-next',
  'main/keychain': `${PLAIN} main/dbus @jellybrick/dbus-next keytar`,
  'main/settings': `${PLAIN} text main/session/connection.ts jsonc-parser`,
  'main/agent': `${PLAIN} text main/session/schedule.ts`,
  'main/gateway': `${PLAIN} main/agent/clients.ts main/agent/replies.ts main/agent/token-broker.ts
    main/agent/token-source.ts main/service/exchange-error.ts main/network/keep-alive-agents.ts`,
  'main/mcp': `${PLAIN} main/agent !main/service @modelcontextprotocol/client`,
  'main/log': `${PLAIN} electron-log/node`,
  'main/updates': PLAIN,
  'main/diagnostics': `${PLAIN} text main/log main/service/challenges.ts main/service/response.ts
    main/service/exchange-error.ts !main/service/http-client.ts !main/network/proxy.ts !main/network/negotiation.ts
    !main/keychain/open.ts !main/agent/location.ts`,
  'main/features': `${PLAIN} text main/session main/settings main/network main/updates main/diagnostics
    main/gateway main/log/log.ts !main/agent`,
  'main/surfaces': `${PLAIN} electron electron-updater @jellybrick/dbus-next main/dbus text main/log
    !main/updates !main/app/view-store.ts !main/app/phases.ts`,
}
const MAY_IMPORT = Object.fromEntries(Object.entries(ROWS).map(([row, text]) => [row, text.split(/\s+/)]))

/** Tests and their helpers may import anything. */
const IS_TEST = /\.test\.|^(?:contract|renderer)\/testing\.tsx?$/
/** Stands for a module name that is computed at run time, which no row allows. */
const COMPUTED = 'a computed name'
/** @param {string} name @param {string} entry */
const isIn = (name, entry) => name === entry || name.startsWith(`${entry}/`) || name.startsWith(`${entry}:`)

/** The forbidden imports of a file, one per line. @param {string} file A path in the project. @param {string} code */
export function violations(file, code) {
  const row = Object.keys(MAY_IMPORT)
    .filter((each) => isIn(file, each))
    .sort((a, b) => b.length - a.length)[0]
  if (IS_TEST.test(file)) return []
  if (row === undefined)
    return file.startsWith('main/') ? [`${path.dirname(file)} has no row in scripts/boundaries.mjs`] : []
  return importsOf(file, code)
    .filter(({ name, isType }) => !mayImport(row, name, isType))
    .map(({ name }) => `${file} may not import ${name}`)
}

/** @param {string} file @param {string} code */
function importsOf(file, code) {
  const { staticImports, staticExports, dynamicImports } = parseSync(file, code).module
  const exported = staticExports.flatMap(({ start, entries }) => entries.map((each) => ({ ...each, start })))
  const fixed = [...staticImports, ...exported].map(({ moduleRequest, start }) => ({
    name: moduleRequest?.value ?? '',
    // `import { type T } from` isn't enough: with verbatimModuleSyntax, that still loads the file.
    isType: /^\w+ type\b/.test(code.slice(start)),
  }))
  const loaded = dynamicImports.map(({ moduleRequest: { start, end } }) => ({
    name: /^(['"`])([^$]+)\1$/.exec(code.slice(start, end))?.[2] ?? COMPUTED,
    isType: false,
  }))
  return [...fixed, ...loaded]
    .filter(({ name }) => name !== '')
    .map(({ name, isType }) => ({ isType, name: name.startsWith('.') ? path.posix.join(file, '..', name) : name }))
}

/** @param {string} row @param {string} name @param {boolean} isType */
function mayImport(row, name, isType) {
  const entries = MAY_IMPORT[row] ?? []
  if (IS_TEST.test(name)) return false
  if (entries.some((entry) => entry.startsWith('!') && isIn(name, entry.slice(1)))) return isType
  return isIn(name, row) || entries.some((entry) => isIn(name, entry))
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) {
  // What Git tracks or would add.
  const list = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  const files = list.split('\n').filter((file) => /\.[cm]?[jt]sx?$/.test(file) && existsSync(path.join(root, file)))
  const found = files.flatMap((file) => violations(file, readFileSync(path.join(root, file), 'utf8')))
  for (const line of found) console.log(line)
  process.exitCode = found.length === 0 ? 0 : 1
}

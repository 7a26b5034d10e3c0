import { fork } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { inProject } from './run/project.mjs'

/**
 * Runs Electronegativity (github.com/doyensec/electronegativity) over the built app, without the network. `node
 * scripts/electronegativity.mjs` prints the findings that docs/security.md must answer.
 *
 * @typedef {{ readonly check: string, readonly weight: string, readonly part: string, readonly code: string }} Finding
 *   `weight`: severity and confidence. `part`: the folder with the finding, or `all` if the finding names no file.
 *   `code`: the start of the code, with minified names replaced by `_`, so that the text is the same after the next
 *   build.
 * @typedef {{ readonly findings: readonly Finding[], readonly errors: readonly string[] }} Report
 * `errors`: files that could not be scanned, and attempts to use the network. Each entry makes the script fail.
 *
 * `Result`: what Electronegativity returns.
 * @typedef {{
 *   readonly errors: readonly { readonly file: string, readonly message: string }[],
 *   readonly issues: readonly {
 *   readonly id: string, readonly file: string, readonly location: { readonly line: number, readonly column: number },
 *     readonly severity: { readonly name: string }, readonly confidence: { readonly name: string },
 *   }[],
 * }} Result
 */

const PACKAGED = ['main', 'preload', 'renderer']
const SELF = fileURLToPath(import.meta.url)

/**
 * Copies the build and makes the copy readable for Electronegativity. That tool reads only `.js` files, can't parse
 * private members, and looks for the literal words `new BrowserWindow(`, `true` and `false`, which a minifier rewrites.
 * @param {string} built Folder of the build: `out`.
 * @param {string} copy
 */
export async function copyToRead(built, copy) {
  const { transformWithOxc } = await import('vite')
  copyFileSync(inProject('package.json'), path.join(copy, 'package.json'))
  for (const name of PACKAGED.flatMap((part) => filesIn(path.join(built, part)).map((file) => path.join(part, file)))) {
    const to = path.join(copy, name.replace(/\.cjs$/, '.js'))
    mkdirSync(path.dirname(to), { recursive: true })
    if (name.endsWith('.html')) copyFileSync(path.join(built, name), to)
    if (!to.endsWith('.js')) continue
    const { code } = await transformWithOxc(readFileSync(path.join(built, name), 'utf8'), to, { target: 'es2020' })
    writeFileSync(to, inPlainWords(code))
  }
}

/** @param {string} code */
const inPlainWords = (code) =>
  code
    .replace(/\bnew [\w$]+\.(BrowserWindow|BrowserView|WebContentsView)\(/g, 'new $1(')
    .replace(/: !([01])(?=[,\s}])/g, (_, digit) => `: ${digit === '0'}`)

/**
 * Scans every script and page in a folder, in a child process.
 * @param {string} folder
 * @returns {Promise<Report>}
 */
export async function inspect(folder) {
  const temporary = mkdtempSync(path.join(tmpdir(), 'latchkey-electronegativity-'))
  try {
    // LANG selects Electronegativity's language. Electronegativity writes a list of releases to the temporary folder.
    const env = { LANG: 'en-US', TMPDIR: temporary, TEMP: temporary, PATH: process.env['PATH'] }
    const child = fork(SELF, [folder], { env, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    /** @type {Report | undefined} */
    let report
    child.on('message', (message) => {
      report = /** @type {Report} */ (message)
    })
    const [code] = await once(child, 'close')
    if (report === undefined) throw new Error(`electronegativity ended with code ${code} and no report`)
    return report
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** Scans a folder; this runs in the child process. @param {string} folder @returns {Promise<Report>} */
async function look(folder) {
  /** @type {string[]} */
  const connections = []
  net.Socket.prototype.connect = () => {
    connections.push('network: it tried to connect')
    throw new Error('offline')
  }
  /** @type {Result} */
  const { errors, issues } = await runner()({ input: folder, isRelative: true })
  return {
    findings: issues.map((issue) => finding(folder, issue)),
    errors: [...errors.map(({ file, message }) => `${path.relative(folder, file)}: ${message}`), ...connections],
  }
}

/** @returns {(options: object) => Promise<Result>} */
function runner() {
  const own = createRequire(inProject('node_modules', '@doyensec', 'electronegativity', 'package.json'))
  // Makes all requests fail. Two checks would fetch translations and the list of Electron's releases. These checks
  // can't be left out, because other checks need their code.
  const offline = () => Promise.reject(new Error('offline'))
  replace(own.resolve('got'), Object.assign(offline, { head: offline }))
  // Without this, Electronegativity's parser would load the project's version of TypeScript, not the parser's own one.
  replace(createRequire(own.resolve('@typescript-eslint/typescript-estree')).resolve('typescript'), own('typescript'))
  return own('@doyensec/electronegativity')
}

/** Replaces a module in Node's cache. @param {string} file @param {unknown} exports */
function replace(file, exports) {
  const { cache } = createRequire(import.meta.url)
  cache[file] = Object.assign(new Module(file), { filename: file, loaded: true, exports })
}

/** @param {string} folder @param {Result['issues'][number]} issue @returns {Finding} */
function finding(folder, { id: check, file, location: { line, column }, severity, confidence }) {
  const weight = `${severity.name} ${confidence.name}`.toLowerCase()
  if (file === 'N/A') return { check, weight, part: 'all', code: '' }
  const text = readFileSync(path.join(folder, file), 'utf8').split('\n')[line - 1] ?? ''
  const [part = file] = file.split(path.sep)
  return { check, weight, part, code: beginning(text.slice(column)) }
}

/**
 * The call at the start of the text, or else the whole text. Minified names are replaced by `_`, and the result has at
 * most 60 characters.
 * @param {string} text
 */
function beginning(text) {
  const plain = text.trim().replace(/(?<![\w$.])(?!new\b)[A-Za-z_$][\w$]?(?![\w$])/g, '_')
  const [call = plain] = /^[\w$.?]+\((?:[^()]|\([^()]*\))*\)/.exec(plain) ?? []
  return call.slice(0, 60).trim().replaceAll('`', "'")
}

/** @param {string} folder */
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))

/** Scans the build and prints the findings. */
async function printFindings() {
  const copy = mkdtempSync(path.join(tmpdir(), 'latchkey-to-read-'))
  try {
    await copyToRead(inProject('out'), copy)
    const { findings, errors } = await inspect(copy)
    for (const { check, weight, part, code } of findings) console.log(`| ${check} | ${weight} | ${part} | ${code} |`)
    for (const error of errors) console.error(error)
    process.exitCode = errors.length > 0 ? 1 : 0
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) {
  const [, , folder] = argv
  if (folder === undefined) await printFindings()
  else process.send?.(await look(folder), () => process.exit())
}

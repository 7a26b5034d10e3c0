#!/usr/bin/env node
/**
 * Replaces fpm for test builds on machines without it: `fpm -s dir -t deb` runs dpkg-deb. electron-builder calls this
 * program if CUSTOM_FPM_PATH names it. It accepts the options that electron-builder passes, and no others.
 */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { argv } from 'node:process'
import { parseArgs } from 'node:util'

const TEXTS = `input-type output-type deb-compression deb-priority architecture
  after-install after-remove description version package name maintainer vendor url category license iteration`
const LISTS = 'depends deb-recommends'
const SHORT = new Map([
  ['input-type', 's'],
  ['output-type', 't'],
  ['depends', 'd'],
])

/** @param {string} names @param {boolean} multiple */
const options = (names, multiple) =>
  Object.fromEntries(
    names.split(/\s+/).map((name) => {
      const short = SHORT.get(name)
      return [name, { type: /** @type {const} */ ('string'), multiple, ...(short && { short }) }]
    }),
  )

/**
 * @typedef {'package' | 'name' | 'version' | 'iteration' | 'architecture' | 'description' | 'maintainer' | 'vendor' |
 *   'url' | 'category' | 'license' | 'after-install' | 'after-remove' | 'input-type' | 'output-type' |
 *   'deb-compression' | 'deb-priority'} Text
 * @typedef {'depends' | 'deb-recommends'} List
 * @typedef {{ [N in Text]?: string } & { [N in List]?: string[] }} Values
 */

const parsed = parseArgs({
  args: argv.slice(2),
  allowPositionals: true,
  options: { ...options(TEXTS, false), ...options(LISTS, true), force: { type: 'boolean' } },
})
const { positionals } = parsed
const values = /** @type {Values} */ (/** @type {unknown} */ (parsed.values))
if (values['input-type'] !== 'dir' || values['output-type'] !== 'deb') throw new Error('only -s dir -t deb')
const needed = /** @type {const} */ (['name', 'version', 'architecture', 'maintainer', 'description', 'package'])
const missing = needed.filter((name) => !values[name])
if (missing.length > 0) throw new Error(`lacks --${missing.join(', --')}`)

const stage = mkdtempSync(path.join(tmpdir(), 'latchkey-deb-'))
try {
  chmodSync(stage, 0o755)
  for (const mapping of positionals) place(mapping)
  buildDeb(stage)
} finally {
  rmSync(stage, { recursive: true, force: true })
}

/** If FROM ends in a slash, copies the folder's content. @param {string} mapping `FROM=TO`. */
function place(mapping) {
  const cut = mapping.lastIndexOf('=')
  if (cut < 1) throw new Error(`not FROM=TO: ${mapping}`)
  const from = mapping.slice(0, cut)
  const to = path.join(stage, mapping.slice(cut + 1))
  const options = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true }
  mkdirSync(path.dirname(to), { recursive: true })
  cpSync(from, to, options)
}

/** @param {string} stage The folder with the package's files. This function changes it. */
function buildDeb(stage) {
  const control = path.join(stage, 'DEBIAN')
  const size = Math.ceil(sizeOf(stage) / 1024)
  mkdirSync(control)
  writeFileSync(path.join(control, 'control'), fields(size))
  for (const [script, from] of [
    ['postinst', values['after-install']],
    ['postrm', values['after-remove']],
  ]) {
    if (script === undefined || from === undefined) continue
    copyFileSync(from, path.join(control, script))
    chmodSync(path.join(control, script), 0o755)
  }
  const compression =
    values['deb-compression'] === 'gz' ? ['-Zgzip', '-z1'] : [`-Z${values['deb-compression'] ?? 'xz'}`]
  const args = ['--root-owner-group', ...compression, '--build', stage, values.package ?? '']
  execFileSync('dpkg-deb', args, { stdio: 'inherit' })
}

/** The fields of the package's control file (deb-control(5)). @param {number} kilobytes */
function fields(kilobytes) {
  const [summary = '', ...details] = (values.description ?? '').trim().split('\n')
  const all = {
    Package: values.name,
    Version: [values.version, values.iteration].filter(Boolean).join('-'),
    Architecture: values.architecture,
    Maintainer: values.maintainer,
    'Installed-Size': String(kilobytes),
    Depends: values.depends?.join(', '),
    Recommends: values['deb-recommends']?.join(', '),
    Section: values.category ?? 'utils',
    Priority: values['deb-priority'] ?? 'optional',
    Homepage: values.url,
    Description: [summary, ...details.map((line) => ` ${line.trim() || '.'}`)].join('\n'),
  }
  return Object.entries(all)
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')
}

/** The size of a folder in bytes. @param {string} folder @returns {number} */
function sizeOf(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(path.join(folder, name)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 4096), 0)
}

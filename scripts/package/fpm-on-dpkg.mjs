#!/usr/bin/env node
/**
 * `fpm -s dir -t deb`, by dpkg-deb: for test builds on machines without fpm. electron-builder calls it if
 * CUSTOM_FPM_PATH names it. It accepts the options that electron-builder passes and refuses all others.
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

const text = /** @type {const} */ ({ type: 'string' })
const list = /** @type {const} */ ({ type: 'string', multiple: true })
const flag = /** @type {const} */ ({ type: 'boolean' })

/** @param {string[]} args */
const parse = (args) =>
  parseArgs({
    args,
    allowPositionals: true,
    options: {
      'input-type': { ...text, short: 's' },
      'output-type': { ...text, short: 't' },
      depends: { ...list, short: 'd' },
      'deb-recommends': list,
      'deb-compression': text,
      'deb-priority': text,
      architecture: text,
      'after-install': text,
      'after-remove': text,
      description: text,
      version: text,
      package: text,
      name: text,
      maintainer: text,
      vendor: text,
      url: text,
      category: text,
      license: text,
      iteration: text,
      force: flag,
    },
  })

const { values, positionals } = parse(argv.slice(2))
if (values['input-type'] !== 'dir' || values['output-type'] !== 'deb') throw new Error('only -s dir -t deb')
const needed = /** @type {const} */ (['name', 'version', 'architecture', 'maintainer', 'description', 'package'])
const missing = needed.filter((name) => !values[name])
if (missing.length > 0) throw new Error(`lacks --${missing.join(', --')}`)

const stage = mkdtempSync(path.join(tmpdir(), 'latchkey-deb-'))
try {
  chmodSync(stage, 0o755)
  for (const mapping of positionals) place(mapping)
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
} finally {
  rmSync(stage, { recursive: true, force: true })
}

/** FROM=TO; a FROM that ends in a slash means the folder's content. @param {string} mapping */
function place(mapping) {
  const cut = mapping.lastIndexOf('=')
  if (cut < 1) throw new Error(`not FROM=TO: ${mapping}`)
  const from = mapping.slice(0, cut)
  const to = path.join(stage, mapping.slice(cut + 1))
  const options = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true }
  mkdirSync(path.dirname(to), { recursive: true })
  cpSync(from, to, options)
}

/** deb-control(5). @param {number} kilobytes */
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

/** Bytes. @param {string} folder @returns {number} */
function sizeOf(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(path.join(folder, name)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 4096), 0)
}

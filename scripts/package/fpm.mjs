#!/usr/bin/env node
/**
 * Replaces fpm for test builds on machines without it: `fpm -s dir -t deb` runs dpkg-deb. electron-builder calls this
 * program if CUSTOM_FPM_PATH names it. It accepts the options that electron-builder passes, and no others.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { argv } from 'node:process'
import { parseArgs } from 'node:util'

const text = { type: /** @type {const} */ ('string') }
const list = { ...text, multiple: /** @type {const} */ (true) }
const { values, positionals } = parseArgs({
  args: argv.slice(2),
  allowPositionals: true,
  options: {
    'input-type': { ...text, short: 's' },
    'output-type': { ...text, short: 't' },
    depends: { ...list, short: 'd' },
    ...{ 'deb-recommends': list, 'deb-compression': text, 'deb-priority': text, 'after-install': text },
    ...{ 'after-remove': text, name: text, version: text, iteration: text, architecture: text, description: text },
    ...{ package: text, maintainer: text, vendor: text, url: text, category: text, license: text },
    force: { type: 'boolean' },
  },
})
if (values['input-type'] !== 'dir' || values['output-type'] !== 'deb') throw new Error('only -s dir -t deb')

const stage = mkdtempSync(path.join(tmpdir(), 'latchkey-deb-'))
try {
  chmodSync(stage, 0o755)
  // Each FROM=TO is copied. If a FROM ends in a slash, only the folder's content is copied.
  for (const mapping of positionals) {
    const [, from = '', to = ''] = /^(.+)=(.+)$/.exec(mapping) ?? []
    mkdirSync(path.dirname(path.join(stage, to)), { recursive: true })
    cpSync(from, path.join(stage, to), { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  }
  const [size] = execFileSync('du', ['-sk', '--apparent-size', stage], { encoding: 'utf8' }).split('\t')
  mkdirSync(path.join(stage, 'DEBIAN'))
  writeFileSync(path.join(stage, 'DEBIAN', 'control'), control(size))
  for (const [script, from = ''] of [
    ['postinst', values['after-install']],
    ['postrm', values['after-remove']],
  ]) {
    copyFileSync(from, path.join(stage, 'DEBIAN', `${script}`))
    chmodSync(path.join(stage, 'DEBIAN', `${script}`), 0o755)
  }
  const args = ['--root-owner-group', '-Zgzip', '-z1', '--build', stage, values.package ?? '']
  execFileSync('dpkg-deb', args, { stdio: 'inherit' })
} finally {
  rmSync(stage, { recursive: true, force: true })
}

/** The package's control file (deb-control(5)). @param {string | undefined} kilobytes */
function control(kilobytes) {
  const [summary = '', ...details] = (values.description ?? '').trim().split('\n')
  const fields = {
    Package: values.name,
    Version: values.version,
    Architecture: values.architecture,
    Maintainer: values.maintainer,
    'Installed-Size': kilobytes,
    Depends: values.depends?.join(', '),
    Recommends: values['deb-recommends']?.join(', '),
    Section: values.category,
    Priority: values['deb-priority'],
    Homepage: values.url,
    Description: [summary, ...details.map((line) => ` ${line.trim() || '.'}`)].join('\n'),
  }
  return Object.entries(fields)
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')
}

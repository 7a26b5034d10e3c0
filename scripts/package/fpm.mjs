#!/usr/bin/env node
/**
 * Replaces fpm for test builds on machines without it: `fpm -s dir -t deb` runs dpkg-deb. electron-builder calls this
 * program if CUSTOM_FPM_PATH names it.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { argv } from 'node:process'

const words = argv.slice(2).filter((word) => word !== '--force')
/** @type {Record<string, string>} */
const options = {}
/** @type {string[]} */
const mappings = []
while (words.length > 0) {
  const word = words.shift() ?? ''
  if (!word.startsWith('-')) mappings.push(word)
  else options[word] = [...(options[word] === undefined ? [] : [options[word]]), words.shift()].join(', ')
}
if (options['-s'] !== 'dir' || options['-t'] !== 'deb') throw new Error('only -s dir -t deb')

const stage = mkdtempSync(path.join(tmpdir(), 'latchkey-deb-'))
try {
  chmodSync(stage, 0o755)
  // Each FROM=TO is copied. If a FROM ends in a slash, only the folder's content is copied.
  for (const mapping of mappings) {
    const [, from = '', to = ''] = /^(.+)=(.+)$/.exec(mapping) ?? []
    mkdirSync(path.dirname(path.join(stage, to)), { recursive: true })
    cpSync(from, path.join(stage, to), { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  }
  const [size] = execFileSync('du', ['-sk', '--apparent-size', stage], { encoding: 'utf8' }).split('\t')
  mkdirSync(path.join(stage, 'DEBIAN'))
  writeFileSync(path.join(stage, 'DEBIAN', 'control'), control(size))
  for (const [script, option] of Object.entries({ postinst: '--after-install', postrm: '--after-remove' })) {
    copyFileSync(options[option] ?? '', path.join(stage, 'DEBIAN', script))
    chmodSync(path.join(stage, 'DEBIAN', script), 0o755)
  }
  const args = ['--root-owner-group', '-Zgzip', '-z1', '--build', stage, options['--package'] ?? '']
  execFileSync('dpkg-deb', args, { stdio: 'inherit' })
} finally {
  rmSync(stage, { recursive: true, force: true })
}

/** The package's control file (deb-control(5)). @param {string | undefined} kilobytes */
function control(kilobytes) {
  const [summary = '', ...details] = (options['--description'] ?? '').trim().split('\n')
  const fields = {
    Package: options['--name'],
    Version: options['--version'],
    Architecture: options['--architecture'],
    Maintainer: options['--maintainer'],
    'Installed-Size': kilobytes,
    Depends: options['-d'],
    Recommends: options['--deb-recommends'],
    Section: options['--category'],
    Priority: options['--deb-priority'],
    Homepage: options['--url'],
    Description: [summary, ...details.map((line) => ` ${line.trim() || '.'}`)].join('\n'),
  }
  const lines = Object.entries(fields).map(([name, value]) => (value ? `${name}: ${value}\n` : ''))
  return lines.join('')
}

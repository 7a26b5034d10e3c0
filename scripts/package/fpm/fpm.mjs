#!/usr/bin/env node
/**
 * Replaces fpm for test builds on machines without it: `fpm -s dir -t deb` runs dpkg-deb, and `-t rpm` runs rpmbuild.
 * electron-builder calls this program if CUSTOM_FPM_PATH names it. It accepts the options that electron-builder passes
 * and refuses all others.
 */
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { argv } from 'node:process'
import { parseArgs } from 'node:util'
import { buildDeb } from './deb.mjs'
import { buildRpm } from './rpm.mjs'

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
      directories: list,
      'deb-recommends': list,
      'deb-compression': text,
      'deb-priority': text,
      'rpm-summary': text,
      'rpm-compression': text,
      'rpm-os': text,
      'rpm-rpmbuild-define': list,
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

/** @typedef {ReturnType<typeof parse>['values']} Values */

const builders = new Map([
  ['deb', buildDeb],
  ['rpm', buildRpm],
])

const { values, positionals } = parse(argv.slice(2))
const build = builders.get(values['output-type'] ?? '')
if (values['input-type'] !== 'dir' || build === undefined) throw new Error('only -s dir, and -t deb or rpm')
const needed = /** @type {const} */ (['name', 'version', 'architecture', 'maintainer', 'description', 'package'])
const missing = needed.filter((name) => !values[name])
if (missing.length > 0) throw new Error(`lacks --${missing.join(', --')}`)

const stage = mkdtempSync(path.join(tmpdir(), `latchkey-${values['output-type']}-`))
try {
  chmodSync(stage, 0o755)
  for (const mapping of positionals) place(mapping)
  build(values, stage)
} finally {
  rmSync(stage, { recursive: true, force: true })
}

/** Copies FROM to TO. If FROM ends in a slash, copies the folder's content. @param {string} mapping `FROM=TO`. */
function place(mapping) {
  const cut = mapping.lastIndexOf('=')
  if (cut < 1) throw new Error(`not FROM=TO: ${mapping}`)
  const from = mapping.slice(0, cut)
  const to = path.join(stage, mapping.slice(cut + 1))
  const options = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true }
  mkdirSync(path.dirname(to), { recursive: true })
  cpSync(from, to, options)
}

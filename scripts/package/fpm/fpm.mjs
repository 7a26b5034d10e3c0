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

const TEXTS = `input-type output-type deb-compression deb-priority rpm-summary rpm-compression rpm-os architecture
  after-install after-remove description version package name maintainer vendor url category license iteration`
const LISTS = 'depends directories deb-recommends rpm-rpmbuild-define'
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
 * The values of the options.
 * @typedef {'package' | 'name' | 'version' | 'iteration' | 'architecture' | 'description' | 'maintainer' | 'vendor' |
 *   'url' | 'category' | 'license' | 'after-install' | 'after-remove' | 'input-type' | 'output-type' | 'rpm-summary' |
 *   'rpm-os' | 'deb-compression' | 'deb-priority'} Text
 * @typedef {'depends' | 'directories' | 'deb-recommends' | 'rpm-rpmbuild-define'} List
 * @typedef {{ [N in Text]?: string } & { [N in List]?: string[] }} Values
 */

const builders = new Map([
  ['deb', buildDeb],
  ['rpm', buildRpm],
])

const parsed = parseArgs({
  args: argv.slice(2),
  allowPositionals: true,
  options: { ...options(TEXTS, false), ...options(LISTS, true), force: { type: 'boolean' } },
})
const { positionals } = parsed
const values = /** @type {Values} */ (/** @type {unknown} */ (parsed.values))
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

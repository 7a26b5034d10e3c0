import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** @typedef {import('./fpm.mjs').Values} Values */

/**
 * @param {Values} values
 * @param {string} stage A folder with the package's files.
 */
export function buildRpm(values, stage) {
  const work = mkdtempSync(path.join(tmpdir(), 'latchkey-rpmbuild-'))
  try {
    const spec = path.join(work, 'package.spec')
    mkdirSync(path.join(work, 'BUILD'))
    writeFileSync(spec, specOf(values, entriesOf(values, stage)))
    const defines = [`_topdir ${work}`, '_rpmfilename package.rpm', ...(values['rpm-rpmbuild-define'] ?? [])]
    execFileSync(
      'rpmbuild',
      [
        ...['-bb', '--quiet', '--buildroot', stage],
        ...['--target', `${archOf(values)}-unknown-${values['rpm-os'] ?? 'linux'}`],
        ...defines.flatMap((define) => ['--define', define]),
        spec,
      ],
      { stdio: 'inherit' },
    )
    copyFileSync(path.join(work, 'RPMS', 'package.rpm'), values.package ?? '')
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/**
 * The lines of the package's file list. Like fpm's list, it contains files, links and empty folders. A folder that is
 * not empty is in the list only if `--directories` names this folder or a folder above it.
 * @param {Values} values
 * @param {string} stage
 */
function entriesOf(values, stage) {
  const owned = values.directories ?? []
  /** @type {string[]} */
  const lines = []
  for (const entry of readdirSync(stage, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    const name = `/${path.relative(stage, file)}`
    const isOwned = owned.some((folder) => name === folder || name.startsWith(`${folder}/`))
    if (entry.isDirectory() && !isOwned && readdirSync(file).length > 0) continue
    lines.push(`${entry.isDirectory() ? '%dir ' : ''}"${literal(name)}"`)
  }
  return lines
}

/**
 * The spec file (rpm.org: Spec file format). Like fpm's spec file, it turns off rpmbuild's own steps, which would strip
 * programs and compress the manual. It also turns off the search for libraries that the programs need.
 * @param {Values} values
 * @param {readonly string[]} entries
 */
function specOf(values, entries) {
  const steps = ['prep', 'build', 'install', 'clean']
  const [summary = '', ...details] = (values.description ?? '').trim().split('\n')
  const fields = {
    Name: values.name,
    Version: values.version,
    Release: values.iteration ?? '1',
    Summary: values['rpm-summary'] ?? summary,
    AutoReqProv: 'no',
    Group: values.category,
    License: values.license ?? 'unknown',
    Vendor: values.vendor,
    URL: values.url,
    Packager: values.maintainer,
  }
  return [
    ...steps.flatMap((step) => [`%define __spec_${step}_pre true`, `%define __spec_${step}_post true`]),
    // Not compressed, because a test build doesn't need to be small.
    '%define _binary_payload w0.gzdio',
    ...Object.entries(fields).flatMap(([name, value]) => (value ? [`${name}: ${literal(value)}`] : [])),
    ...(values.depends ?? []).map((name) => `Requires: ${name}`),
    '%description',
    literal([summary, ...details].join('\n')),
    ...steps.map((step) => `%${step}`),
    ...script('post', values['after-install']),
    ...script('postun', values['after-remove']),
    '%files',
    '%defattr(-,root,root,-)',
    ...entries,
    '',
  ].join('\n')
}

/**
 * electron-builder passes Debian's name for the architecture. This function returns rpm's name, as fpm does.
 * @param {Values} values
 */
const archOf = ({ architecture }) => (architecture === 'amd64' ? 'x86_64' : architecture)

/** @param {string} section @param {string | undefined} file */
const script = (section, file) => (file === undefined ? [] : [`%${section}`, literal(readFileSync(file, 'utf8'))])

/** Escapes text so that rpmbuild sees no macros in it. @param {string} text */
const literal = (text) => text.replaceAll('%', '%%')

import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** @typedef {import('./fpm.mjs').Values} Values */

/**
 * @param {Values} values
 * @param {string} stage A folder with the package's files. This function changes the folder.
 */
export function buildDeb(values, stage) {
  const control = path.join(stage, 'DEBIAN')
  const size = Math.ceil(sizeOf(stage) / 1024)
  mkdirSync(control)
  writeFileSync(path.join(control, 'control'), fields(values, size))
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

/** The fields of the package's control file (deb-control(5)). @param {Values} values @param {number} kilobytes */
function fields(values, kilobytes) {
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

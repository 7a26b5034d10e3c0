import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { debianOnly } from '../../../test/support/systems.ts'

const FPM = fileURLToPath(new URL('fpm.mjs', import.meta.url))

/** @type {string} */
let folder
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'latchkey-fpm-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** @param {string[]} args */
const fpm = (...args) => spawnSync(process.execPath, [FPM, ...args], { encoding: 'utf8' })

it('the replacement for fpm refuses an unknown option instead of ignoring it', () => {
  const { status, stderr } = fpm('-s', 'dir', '-t', 'deb', '--deb-systemd', 'x')
  expect(status).not.toBe(0)
  expect(stderr).toContain('--deb-systemd')
  expect(fpm('-s', 'dir', '-t', 'apk').stderr).toContain('only -s dir, and -t deb or rpm')
  expect(fpm('-s', 'dir', '-t', 'deb', '--name', 'latchkey').stderr).toContain('lacks --version')
})

it(
  'the replacement for fpm makes a .deb with the given fields, scripts, files and links; root owns the files and links',
  debianOnly('only Debian and its derivatives have dpkg-deb; on other systems no .deb is made'),
  () => {
    const app = path.join(folder, 'app')
    mkdirSync(app)
    writeFileSync(path.join(app, 'program'), '#!/bin/sh\n', { mode: 0o755 })
    symlinkSync('program', path.join(app, 'link'))
    const script = path.join(folder, 'after')
    writeFileSync(script, '#!/bin/sh\nexit 0\n')
    const made = path.join(folder, 'made.deb')
    const control = [
      '--name',
      'example',
      '--version',
      '1.0~test',
      '--architecture',
      'amd64',
      '--maintainer',
      'ana <a@b.example>',
    ]
    const more = ['--description', 'Short\n Long it is', '-d', 'libc6', '-d', 'curl', '--deb-recommends', 'a | b']
    const scripts = ['--after-install', script, '--after-remove', script]
    const files = [`${app}/=/opt/Example`, `${script}=/usr/bin/example`]
    const { status, stderr } = fpm(
      ...['-s', 'dir', '--force', '-t', 'deb', '--deb-compression', 'gz', '--package', made],
      ...[...control, ...more, ...scripts, ...files],
    )
    expect([stderr, status]).toEqual(['', 0])
    const field = (/** @type {string} */ name) =>
      execFileSync('dpkg-deb', ['-f', made, name], { encoding: 'utf8' }).trim()
    expect(field('Depends')).toBe('libc6, curl')
    expect(field('Recommends')).toBe('a | b')
    expect(field('Version')).toBe('1.0~test')
    expect(field('Description')).toBe('Short\n Long it is')
    const listed = execFileSync('dpkg-deb', ['-c', made], { encoding: 'utf8' })
    expect(listed).toMatch(/^-rwxr-xr-x root\/root .* \.\/opt\/Example\/program$/m)
    expect(listed).toMatch(/^lrwxrwxrwx root\/root .* \.\/opt\/Example\/link -> program$/m)
    expect(listed).toMatch(/ \.\/usr\/bin\/example$/m)
    expect(execFileSync('dpkg-deb', ['-I', made], { encoding: 'utf8' })).toMatch(/postinst[\s\S]*postrm/)
  },
)

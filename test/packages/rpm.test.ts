/** Reads, installs, updates and removes the rpm with the program rpm, in a root folder of its own. */
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inProject } from '../../scripts/run/project.mjs'
import { ROOT } from '../support/app.ts'
import { leaveOut, rootOnly } from '../support/systems.ts'
import { config, expectApp, expectAround, manifest, output, packages } from './packages.ts'
import { provide } from './provide.ts'

const PROGRAM = '/opt/Latchkey/latchkey-desktop'
/** The programs that the package's scripts call. Fedora and RHEL install all of them. */
const CALLED = ['sh', 'cat', 'chmod', 'ln', 'rm', 'setpriv', 'unshare', 'true']

const isPublished = process.env['LATCHKEY_TEST_PACKAGES'] !== inProject('dist/test/shipped')
it(
  'there is an rpm to test',
  leaveOut(!isPublished, 'test builds have no rpm: release.yml tests those that it publishes'),
  () => expect(packages('.rpm')).not.toEqual([]),
)

describe.each(packages('.rpm'))('$name', ({ file, arch }) => {
  const query = (...args: readonly string[]) => output('rpm', '-qp', ...args, file).trimEnd()
  const lines = (...args: readonly string[]) => query(...args).split('\n')
  const field = (name: string) => query('--qf', `%{${name}}`)
  const files = lines('--qf', '[%{FILENAMES}\\n]')

  it('has the app’s metadata', () => {
    expect(field('NAME')).toBe('latchkey')
    expect(field('VERSION').replace(/~test$/, '')).toBe(manifest.version)
    expect(field('ARCH')).toBe(arch === 'x64' ? 'x86_64' : 'aarch64')
    expect(field('LICENSE')).toBe(manifest.license)
    expect(field('VENDOR')).toBe(config.linux?.vendor)
    expect(field('URL')).toBe('https://latchkey.example/')
    expect(field('SUMMARY')).toBe(config.linux?.synopsis)
    expect(field('DESCRIPTION')).toContain(manifest.description)
  })

  it('requires the packages in electron-builder.yml, and a shell for its scripts', () => {
    const required = lines('--requires').filter((line) => !line.startsWith('rpmlib('))
    expect([...new Set(required)].sort()).toEqual(['/bin/sh', ...(config.rpm?.depends ?? [])].sort())
  })

  it('has no scripts but those in packaging, which run after installation and removal', () => {
    const named = (name: string) =>
      readFileSync(path.join(ROOT, 'packaging', name), 'utf8')
        .replaceAll(/\$\{(sanitizedProductName|executable)\}/g, (_, each) =>
          each === 'executable' ? 'latchkey-desktop' : 'Latchkey',
        )
        .trimEnd()
    const tags = ['PRETRANS', 'PREIN', 'POSTIN', 'PREUN', 'POSTUN', 'POSTTRANS', 'TRIGGERSCRIPTS']
    const scripts = tags.map((tag) => [tag, field(tag).trimEnd()]).filter(([, text]) => text !== '(none)')
    expect(scripts).toEqual([
      ['POSTIN', named('after-install.sh')],
      ['POSTUN', named('after-remove.sh')],
    ])
  })

  it('has the app, its licences, its libraries and the command, and no sources', () => {
    const app = files.map((name) => path.relative('/opt/Latchkey', name)).filter((name) => !name.startsWith('..'))
    expectAround(
      app.filter((name) => name !== ''),
      arch,
    )
  })

  // rpm refuses a package whose files conflict with another package's.
  it('has only the files of the command, the desktop entry and the licence outside its folder', () => {
    const allowed = [
      /^\/opt\/Latchkey(\/|$)/,
      /^\/usr\/bin\/latchkey$/,
      /^\/usr\/share\/licenses\/latchkey(\/LICENSE)?$/,
      /^\/usr\/share\/man\/man1\/latchkey\.1$/,
      /^\/usr\/share\/(bash-completion\/completions\/latchkey\.bash|bash-completion\/completions\/latchkey)$/,
      /^\/usr\/share\/(zsh\/site-functions\/_latchkey|fish\/vendor_completions\.d\/latchkey\.fish)$/,
      /^\/usr\/share\/(applications\/latchkey-desktop\.desktop|icons\/hicolor\/\d+x\d+\/apps\/latchkey-desktop\.png)$/,
    ]
    expect(files.filter((name) => !allowed.some((pattern) => pattern.test(name)))).toEqual([])
  })

  // SECURITY: users must not be able to replace programs that root runs.
  it('has files that belong to root, and that only root can change', () => {
    const entries = lines('--qf', '[%{FILEUSERNAME} %{FILEGROUPNAME} %{FILEMODES:perms} %{FILENAMES}\\n]')
    const wrong = entries.filter((line) => !/^root root (l\S{9}|[d-]\S{4}-\S{2}-\S) /.test(line))
    expect(wrong).toEqual([])
  })

  describe('in a separate root folder', rootOnly('only root can install packages'), () => {
    let root: string
    beforeAll(() => {
      root = mkdtempSync(path.join(tmpdir(), 'latchkey-rpm-'))
      provide(root, CALLED)
      rpm('--initdb')
    })
    afterAll(() => rmSync(root, { recursive: true, force: true }))

    const rpm = (...args: readonly string[]) => output('rpm', '--root', root, ...args)
    const within = (name: string) => path.join(root, name)
    const ofLatchkey = () =>
      readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /latchkey/i.test(name))

    it('the rpm installs the app on the PATH, with the rights that Chromium’s helper needs', async () => {
      rpm('--install', '--nodeps', '--ignorearch', file)
      expect(lstatSync(within('usr/bin/latchkey-desktop')).isSymbolicLink()).toBe(true)
      expect(existsSync(within(PROGRAM))).toBe(true)
      expect([0o755, 0o4755]).toContain(statSync(within('opt/Latchkey/chrome-sandbox')).mode & 0o7777)
      await expectApp(within('opt/Latchkey'), arch)
    })

    it('the desktop entry is valid, and the command runs', () => {
      expect(output('desktop-file-validate', within('usr/share/applications/latchkey-desktop.desktop'))).toBe('')
      expect(output('sh', within('usr/bin/latchkey'), '--version')).toBe(`latchkey ${manifest.version}\n`)
    })

    it('an update keeps the program on the PATH', () => {
      rpm('--upgrade', '--nodeps', '--ignorearch', '--force', file)
      expect(lstatSync(within('usr/bin/latchkey-desktop')).isSymbolicLink()).toBe(true)
    })

    it('removing the rpm leaves only the administrator’s folder /etc/latchkey', () => {
      mkdirSync(within('etc/latchkey'), { recursive: true })
      rpm('--erase', 'latchkey')
      expect(ofLatchkey()).toEqual(['etc/latchkey'])
    })
  })
})

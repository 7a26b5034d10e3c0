import { lstatSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { inProject } from '../../scripts/run/project.mjs'
import { leaveOut } from '../support/systems.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { config, expectAround, output, packages } from './packages.ts'

const isPublished = process.env['LATCHKEY_TEST_PACKAGES'] !== inProject('dist/test/shipped')
it(
  'there is an rpm to test',
  leaveOut(!isPublished, 'test builds have no rpm: release.yml tests those that it publishes'),
  () => expect(packages('.rpm')).not.toEqual([]),
)

describe.each(packages('.rpm'))('$name', ({ file, arch }) => {
  const query = (...args: readonly string[]) => output('rpm', '-qp', ...args, file).trimEnd()
  const lines = (...args: readonly string[]) => query(...args).split('\n')
  const files = lines('--qf', '[%{FILENAMES}\\n]')

  it('requires the packages in electron-builder.yml, and a shell for its scripts', () => {
    const required = lines('--requires').filter((line) => !line.startsWith('rpmlib('))
    expect([...new Set(required)].sort()).toEqual(['/bin/sh', ...(config.rpm?.depends ?? [])].sort())
  })

  it('has the app, its licences, its libraries and the command, and no sources', () => {
    const app = files.filter((name) => name.startsWith('/opt/Latchkey/'))
    expectAround(
      app.map((name) => path.relative('/opt/Latchkey', name)),
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
      /^\/usr\/share\/(bash-completion|zsh|fish)\/[\w-]+\/_?latchkey(\.bash|\.fish)?$/,
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

  // At an update, this script of the old version runs after the new version's scripts.
  it('stays on the PATH when it is updated, and leaves the PATH when it is removed', () => {
    const link = path.join(temporaryFolder(), 'latchkey-desktop')
    const script = query('--qf', '%{POSTUN}').replaceAll('/usr/bin/latchkey-desktop', link)
    const isThere = () => lstatSync(link, { throwIfNoEntry: false }) !== undefined
    symlinkSync('/opt/Latchkey/latchkey-desktop', link)
    output('sh', '-c', script, 'sh', '1')
    expect(isThere()).toBe(true)
    output('sh', '-c', script, 'sh', '0')
    expect(isThere()).toBe(false)
  })
})

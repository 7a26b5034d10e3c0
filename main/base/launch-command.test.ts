import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { posixOnly } from '../../test/support/systems.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import {
  checkoutCommand,
  type HowStarted,
  isStartedFromDesktop,
  launchProgram,
  printingOf,
  startsHidden,
} from './launch-command.ts'

const installed: HowStarted = {
  platform: 'linux',
  isPackaged: true,
  execPath: '/opt/Latchkey/latchkey-desktop',
  env: {},
}

describe('the program that starts the app again', () => {
  it('is the running program in an installed app, and none in a development run', () => {
    expect(launchProgram(installed)).toBe('/opt/Latchkey/latchkey-desktop')
    expect(launchProgram({ ...installed, isPackaged: false })).toBeUndefined()
  })

  it(
    'SECURITY: is the AppImage only if its folder has the running program',
    posixOnly('AppImages are Linux’ own'),
    () => {
      const APPIMAGE = '/home/ana/Latchkey.AppImage'
      const folder = temporaryFolder()
      const [mount, other, link] = [path.join(folder, 'mount'), path.join(folder, 'other'), path.join(folder, 'link')]
      mkdirSync(mount)
      mkdirSync(other)
      symlinkSync(mount, link)
      const execPath = path.join(mount, 'latchkey-desktop')
      writeFileSync(execPath, '')
      const programFor = (env: NodeJS.ProcessEnv) => launchProgram({ ...installed, execPath, env })
      for (const APPDIR of [mount, `${mount}/`, link]) expect(programFor({ APPIMAGE, APPDIR })).toBe(APPIMAGE)
      // Another program's AppImage may have started the app, which then has that program's variables.
      const relative = path.relative(process.cwd(), mount)
      for (const APPDIR of ['', folder, other, path.join(folder, 'missing'), relative]) {
        expect(programFor({ APPIMAGE, APPDIR })).toBe(execPath)
      }
      expect(programFor({ APPIMAGE: 'planted', APPDIR: mount })).toBe(execPath)
    },
  )
})

it.each([
  ['linux', ['latchkey-desktop', '--hidden'], false, true],
  ['linux', ['latchkey-desktop'], true, false],
  ['darwin', ['Latchkey'], true, true],
  ['darwin', ['Latchkey', '--hidden'], false, false],
] as const)('on %s with %j, opened at login: %s, the app starts hidden: %s', (platform, argv, isAtLogin, hidden) => {
  expect(startsHidden(platform, argv, () => isAtLogin)).toBe(hidden)
})

it('the app was started from a desktop if there is a display and no terminal', () => {
  const linux = { platform: 'linux', env: { DISPLAY: ':0' } } as const
  expect(isStartedFromDesktop(linux, false)).toBe(true)
  expect(isStartedFromDesktop({ platform: 'win32', env: {} }, false)).toBe(true)
  expect(isStartedFromDesktop(linux, true)).toBe(false)
  expect(isStartedFromDesktop({ ...linux, env: { DISPLAY: '' } }, false)).toBe(false)
})

it.each([
  [['latchkey-desktop'], undefined],
  [['latchkey-desktop', '--hidden', '--doctor'], { kind: 'doctor' }],
  [['latchkey-desktop', '--doctor-log'], { kind: 'log' }],
  [['latchkey-desktop', '--check-policy'], { kind: 'policy', file: undefined }],
  [['latchkey-desktop', '--check-policy=a b=c.json'], { kind: 'policy', file: 'a b=c.json' }],
])('the arguments %j make the app print this instead of starting: %o', (argv, printing) => {
  expect(printingOf(argv)).toEqual(printing)
})

it.each([
  ['/home/ana/latchkey', path.join('/home/ana/latchkey', 'cli', 'latchkey')],
  ["/home/ana/o'neill; x", 'cli/latchkey'],
])('in the checkout %s, the command is %s, which needs no quotes in a shell', (folder, command) => {
  expect(checkoutCommand(folder)).toBe(command)
})

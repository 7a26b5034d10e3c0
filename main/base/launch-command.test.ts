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

describe('launchProgram', () => {
  it('is the running program in an installed app', () =>
    expect(launchProgram(installed)).toBe('/opt/Latchkey/latchkey-desktop'))

  describe('from an AppImage', posixOnly('AppImages are Linux’ own'), () => {
    const APPIMAGE = '/home/ana/Latchkey.AppImage'
    /** `mount` contains the app's program, like a mounted AppImage; `other` is empty; `link` leads to `mount`. */
    function mounted() {
      const folder = temporaryFolder()
      const [mount, other, link] = ['mount', 'other', 'link'].map((name) => path.join(folder, name)) as [
        string,
        string,
        string,
      ]
      mkdirSync(mount)
      mkdirSync(other)
      symlinkSync(mount, link)
      const execPath = path.join(mount, 'latchkey-desktop')
      writeFileSync(execPath, '')
      return { folder, mount, other, link, execPath }
    }

    it('is the AppImage, not the program in it', () => {
      const { execPath, mount, link } = mounted()
      for (const APPDIR of [mount, `${mount}/`, link]) {
        expect(launchProgram({ ...installed, execPath, env: { APPIMAGE, APPDIR } })).toBe(APPIMAGE)
      }
    })

    it('SECURITY: isn’t the AppImage of another program that has started the app', () => {
      const { execPath, folder, other } = mounted()
      for (const env of [
        { APPIMAGE },
        { APPIMAGE, APPDIR: '' },
        { APPIMAGE, APPDIR: '/' },
        { APPIMAGE, APPDIR: folder },
        { APPIMAGE, APPDIR: other },
        { APPIMAGE, APPDIR: path.join(folder, 'missing') },
        { APPIMAGE, APPDIR: path.relative(process.cwd(), path.dirname(execPath)) },
        { APPIMAGE: 'planted', APPDIR: path.dirname(execPath) },
      ]) {
        expect(launchProgram({ ...installed, execPath, env })).toBe(execPath)
      }
    })
  })

  it('is undefined in a development run', () => {
    expect(launchProgram({ ...installed, isPackaged: false })).toBeUndefined()
  })
})

describe('startsHidden', () => {
  const atLogin = () => true
  const byHand = () => false

  it.each([
    ['linux', ['latchkey-desktop', '--hidden'], byHand, true],
    ['linux', ['latchkey-desktop'], atLogin, false],
    ['win32', ['Latchkey.exe', '--hidden'], byHand, true],
    ['win32', ['Latchkey.exe'], atLogin, false],
    ['darwin', ['Latchkey'], atLogin, true],
    ['darwin', ['Latchkey', '--hidden'], byHand, false],
  ] as const)(
    'depends on --hidden or, on macOS, on whether the system opened the app at login: %s %j',
    (platform, argv, wasOpenedAtLogin, hidden) => {
      expect(startsHidden(platform, argv, wasOpenedAtLogin)).toBe(hidden)
    },
  )
})

it.each<[boolean, boolean, NodeJS.Platform, NodeJS.ProcessEnv]>([
  [true, false, 'linux', { DISPLAY: ':0' }],
  [true, false, 'linux', { WAYLAND_DISPLAY: 'wayland-0' }],
  [true, false, 'win32', {}],
  [false, true, 'linux', { DISPLAY: ':0' }],
  [false, false, 'linux', { DISPLAY: '' }],
])(
  '`isStartedFromDesktop` is %s (in a terminal: %s, platform: %s, environment: %o)',
  (expected, isInTerminal, platform, env) => {
    expect(isStartedFromDesktop({ platform, env }, isInTerminal)).toBe(expected)
  },
)

it.each([
  [['latchkey-desktop'], undefined],
  [['--doctor'], undefined],
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

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import type { HowStarted } from '../base/launch-command.ts'
import { autostartEntry, autostartFolder, autostartItem, createLoginItem, isInEffect } from './login-item.ts'

const installed: HowStarted = { platform: 'win32', isPackaged: true, execPath: 'C:\\Latchkey.exe', env: {} }

/** Fakes the system's list of login items, in which Electron finds an entry by its program and arguments. */
function system({ isVetoed = false } = {}) {
  const entries = new Set<string>()
  const keyOf = ({ path, args }: { path?: string; args?: string[] }) => JSON.stringify([path, args])
  const app = {
    getLoginItemSettings: (asked: { path?: string; args?: string[] } = {}) => {
      const openAtLogin = entries.has(keyOf(asked))
      return { openAtLogin, executableWillLaunchAtLogin: openAtLogin && !isVetoed }
    },
    setLoginItemSettings: (settings: { openAtLogin?: boolean; path?: string; args?: string[] }) => {
      if (settings.openAtLogin) entries.add(keyOf(settings))
      else entries.delete(keyOf(settings))
    },
  }
  return { app, entries }
}

describe.each(['win32', 'darwin'] as const)('start at login on %s', (platform) => {
  it('can be turned on and off any number of times', () => {
    const { app } = system()
    const item = createLoginItem({ ...installed, platform }, app)
    expect(item?.isEnabled()).toBe(false)
    item?.set(true)
    item?.set(true)
    expect(item?.isEnabled()).toBe(true)
    item?.set(false)
    expect(item?.isEnabled()).toBe(false)
  })
})

it('on Windows, the app starts hidden, and start at login is off if its entry is disabled in the Task Manager', () => {
  const { app, entries } = system({ isVetoed: true })
  const item = createLoginItem(installed, app)
  item?.set(true)
  expect([...entries]).toEqual([JSON.stringify(['C:\\Latchkey.exe', ['--hidden']])])
  expect(item?.isEnabled()).toBe(false)
})

it.each(['linux', 'win32', 'darwin'] as const)('a development run can’t start at login on %s', (platform) => {
  expect(createLoginItem({ ...installed, platform, isPackaged: false }, system().app)).toBeUndefined()
})

const PROGRAM = '/opt/Latchkey/latchkey-desktop'

describe('the autostart entry', () => {
  it('starts the app hidden, and does nothing once the app is uninstalled', () => {
    expect(autostartEntry(PROGRAM)).toBe(`[Desktop Entry]
Type=Application
Name=Latchkey
TryExec=/opt/Latchkey/latchkey-desktop
Exec="/opt/Latchkey/latchkey-desktop" --hidden
Terminal=false
StartupNotify=false
`)
  })

  it.each([
    ['a space', '/home/ana/My Apps/Latchkey.AppImage', '"/home/ana/My Apps/Latchkey.AppImage"'],
    ['a percent sign, which would be a field code', '/opt/100%u/app', '"/opt/100%%u/app"'],
    ['a dollar', '/opt/$HOME/app', '"/opt/\\\\$HOME/app"'],
    ['a quotation mark', '/opt/a"b', '"/opt/a\\\\"b"'],
    ['a backtick', '/opt/a`b', '"/opt/a\\\\`b"'],
    ['a backslash', '/opt/a\\b', '"/opt/a\\\\\\\\b"'],
  ])('quotes a path with %s', (_, program, quoted) => {
    expect(autostartEntry(program)).toContain(`\nExec=${quoted} --hidden\n`)
  })

  it('keeps a path with a line break on one line', () => {
    expect(autostartEntry('/opt/a\nHidden=true').split('\n')).toHaveLength(8)
  })
})

it.each([
  ['Type=Application', true],
  ['Hidden=true', false],
  ['Hidden = true', false],
  ['Hidden=false', true],
  ['X-GNOME-Autostart-enabled=false', false],
  ['X-GNOME-Autostart-enabled=true', true],
])('an autostart entry with %s is enabled: %s', (line, expected) => {
  expect(isInEffect(`[Desktop Entry]\n${line}\nExec=x\n`)).toBe(expected)
})

it.each([
  [{ XDG_CONFIG_HOME: '/home/ana/etc' }, '/home/ana/etc/autostart'],
  [{ XDG_CONFIG_HOME: '' }, '/home/ana/.config/autostart'],
  [{ XDG_CONFIG_HOME: 'etc' }, '/home/ana/.config/autostart'],
  [{}, '/home/ana/.config/autostart'],
])('with %j, autostart entries go into %s', (env, folder) => {
  expect(autostartFolder(env, '/home/ana')).toBe(folder)
})

describe('start at login on Linux', () => {
  let home: string
  let file: string
  beforeEach(() => {
    home = temporaryFolder()
    file = path.join(home, 'autostart/latchkey-desktop.desktop')
  })
  const item = (program = PROGRAM) => autostartItem(path.dirname(file), program)

  it('can be turned on and off, any number of times', () => {
    const { isEnabled, set } = item()
    expect(isEnabled()).toBe(false)
    set(false)
    set(true)
    set(true)
    expect(isEnabled()).toBe(true)
    expect(readFileSync(file, 'utf8')).toBe(autostartEntry(PROGRAM))
    set(false)
    expect(isEnabled()).toBe(false)
  })
})

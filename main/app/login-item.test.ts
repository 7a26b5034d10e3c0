import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import type { LoginItem } from '../features/login-item.ts'
import { autostartEntry, autostartFolder, autostartItem, createLoginItem, isInEffect } from './login-item.ts'

const PROGRAM = '/opt/Latchkey/latchkey-desktop'

/** Fakes the system's list of login items, in which Electron finds an entry by its program and arguments. */
function itemOf(platform: NodeJS.Platform, { isPackaged = true, isVetoed = false } = {}) {
  const entries = new Set<string>()
  const keyOf = ({ path, args }: { path?: string; args?: string[] }) => JSON.stringify([path, args])
  const item = createLoginItem(
    { platform, isPackaged, execPath: PROGRAM, env: {} },
    {
      getLoginItemSettings: (asked) => {
        const openAtLogin = entries.has(keyOf(asked))
        return { openAtLogin, executableWillLaunchAtLogin: openAtLogin && !isVetoed }
      },
      setLoginItemSettings: ({ openAtLogin, ...entry }) =>
        void (openAtLogin ? entries.add(keyOf(entry)) : entries.delete(keyOf(entry))),
    },
  )
  return { item, entries }
}

it.each<[string, () => LoginItem | undefined]>([
  ['Linux', () => autostartItem(path.join(temporaryFolder(), 'autostart'), PROGRAM)],
  ['Windows', () => itemOf('win32').item],
  ['macOS', () => itemOf('darwin').item],
])('on %s, start at login can be turned on and off, any number of times', (_, make) => {
  const item = make()
  for (const enabled of [false, true, true, false]) {
    item?.set(enabled)
    expect(item?.isEnabled()).toBe(enabled)
  }
})

it('on Windows, the app starts hidden, and start at login is off if its entry is disabled in the Task Manager', () => {
  const { item, entries } = itemOf('win32', { isVetoed: true })
  item?.set(true)
  expect([...entries]).toEqual([JSON.stringify([PROGRAM, ['--hidden']])])
  expect(item?.isEnabled()).toBe(false)
  expect(itemOf('win32', { isPackaged: false }).item).toBeUndefined()
})

it('on Linux, the entry starts the app hidden, and does nothing once the app is uninstalled', () => {
  const folder = temporaryFolder()
  autostartItem(folder, PROGRAM).refresh()
  expect(readFileSync(path.join(folder, 'latchkey-desktop.desktop'), 'utf8')).toBe(`[Desktop Entry]
Type=Application
Name=Latchkey
TryExec=/opt/Latchkey/latchkey-desktop
Exec="/opt/Latchkey/latchkey-desktop" --hidden
Terminal=false
StartupNotify=false
`)
})

it.each([
  ['a space', '/home/ana/My Apps/app', '"/home/ana/My Apps/app"'],
  ['a percent sign, which would be a field code', '/opt/100%u/app', '"/opt/100%%u/app"'],
  ['characters that a shell would interpret', '/opt/$HOME"`\\', '"/opt/\\\\$HOME\\\\"\\\\`\\\\\\\\"'],
  ['a line break', '/opt/a\nHidden=true', '"/opt/a\\nHidden=true"'],
])('the autostart entry quotes a path with %s', (_, program, quoted) => {
  expect(autostartEntry(program)).toContain(`\nExec=${quoted} --hidden\n`)
})

it.each([
  ['Type=Application', true],
  ['Hidden = true', false],
  ['Hidden=false', true],
  ['X-GNOME-Autostart-enabled=false', false],
])('an autostart entry with %s is enabled: %s', (line, expected) => {
  expect(isInEffect(`[Desktop Entry]\n${line}\nExec=x\n`)).toBe(expected)
})

it('autostart entries go into XDG_CONFIG_HOME if it is an absolute path, or else into .config', () => {
  expect(autostartFolder({ XDG_CONFIG_HOME: '/home/ana/etc' }, '/home/ana')).toBe('/home/ana/etc/autostart')
  expect(autostartFolder({ XDG_CONFIG_HOME: 'etc' }, '/home/ana')).toBe('/home/ana/.config/autostart')
})

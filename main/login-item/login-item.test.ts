import { describe, expect, it } from 'vitest'
import type { HowStarted } from '../base/launch-command.ts'
import { createLoginItem } from './login-item.ts'

const installed: HowStarted = { platform: 'win32', isPackaged: true, execPath: 'C:\\Latchkey.exe', env: {} }

/**
 * Fakes the system's list of the programs that start at login, as Electron reports the list. Electron finds an entry by
 * its program and arguments.
 */
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
  it('is turned on and off in the system’s list, any number of times', () => {
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

it('on Windows the app starts hidden, and an entry that the Task Manager disabled counts as off', () => {
  const { app, entries } = system({ isVetoed: true })
  const item = createLoginItem(installed, app)
  item?.set(true)
  expect([...entries]).toEqual([JSON.stringify(['C:\\Latchkey.exe', ['--hidden']])])
  expect(item?.isEnabled()).toBe(false)
})

it.each(['linux', 'win32', 'darwin'] as const)('a development run can’t start at login on %s', (platform) => {
  expect(createLoginItem({ ...installed, platform, isPackaged: false }, system().app)).toBeUndefined()
})

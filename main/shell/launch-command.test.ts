import { describe, expect, it } from 'vitest'
import { type HowStarted, launchProgram, startsHidden } from './launch-command.ts'

const installed: HowStarted = {
  platform: 'linux',
  isPackaged: true,
  execPath: '/opt/Latchkey/latchkey-desktop',
  env: {},
}

describe('the program that starts the app again', () => {
  it('is the one that runs', () => expect(launchProgram(installed)).toBe('/opt/Latchkey/latchkey-desktop'))

  it('is the AppImage, not what is in it', () => {
    const env = { APPIMAGE: '/home/ana/Latchkey.AppImage' }
    expect(launchProgram({ ...installed, env })).toBe('/home/ana/Latchkey.AppImage')
  })

  it('is not somebody else’s AppImage variable on another platform', () => {
    const started: HowStarted = {
      ...installed,
      platform: 'win32',
      execPath: 'C:\\Latchkey.exe',
      env: { APPIMAGE: '/x' },
    }
    expect(launchProgram(started)).toBe('C:\\Latchkey.exe')
  })

  it('is none in a development run', () => {
    expect(launchProgram({ ...installed, isPackaged: false })).toBeUndefined()
  })
})

describe('the app starts without its window', () => {
  const atLogin = () => true
  const byHand = () => false

  it.each([
    ['linux', ['latchkey-desktop', '--hidden'], byHand, true],
    ['linux', ['latchkey-desktop'], atLogin, false],
    ['win32', ['Latchkey.exe', '--hidden'], byHand, true],
    ['win32', ['Latchkey.exe'], atLogin, false],
    ['darwin', ['Latchkey'], atLogin, true],
    ['darwin', ['Latchkey', '--hidden'], byHand, false],
  ] as const)('%s %j', (platform, argv, wasOpenedAtLogin, hidden) => {
    expect(startsHidden(platform, argv, wasOpenedAtLogin)).toBe(hidden)
  })
})

import { describe, expect, test } from 'vitest'
import { locate } from './location.ts'

const desk = (
  platform: NodeJS.Platform,
  env: Record<string, string>,
  isDefaultDataFolder = true,
  dataFolder?: string,
) =>
  locate({
    platform,
    env,
    isDefaultDataFolder,
    dataFolder:
      dataFolder ??
      (platform === 'win32' ? 'C:\\Users\\ana\\AppData\\Roaming\\Latchkey' : '/home/ana/.config/Latchkey'),
  })
const socket = (path: string) => ({ kind: 'socket', path })
const pipe = (file: string) => ({ kind: 'pipe', file })
const runtime = { XDG_RUNTIME_DIR: '/run/user/1000' }

describe('on Linux', () => {
  test('the runtime folder, with the default data folder', () => {
    expect(desk('linux', runtime)).toEqual(socket('/run/user/1000/latchkey/agent.sock'))
  })

  test('the data folder, with another data folder', () => {
    expect(desk('linux', runtime, false, '/tmp/other')).toEqual(socket('/tmp/other/agent.sock'))
  })

  test.each([{}, { XDG_RUNTIME_DIR: '' }, { XDG_RUNTIME_DIR: 'run' }])(
    'the data folder, without a runtime folder: %j',
    (env) => {
      expect(desk('linux', env)).toEqual(socket('/home/ana/.config/Latchkey/agent.sock'))
    },
  )
})

test('on macOS the data folder, whatever runtime folder is named', () => {
  expect(desk('darwin', runtime)).toEqual(socket('/home/ana/.config/Latchkey/agent.sock'))
})

describe('LATCHKEY_SOCKET', () => {
  test.each(['linux', 'darwin'] as const)('overrides all on %s', (platform) => {
    expect(desk(platform, { ...runtime, LATCHKEY_SOCKET: '/srv/ana/a.sock' })).toEqual(socket('/srv/ana/a.sock'))
  })

  test('that is empty counts as unset', () => {
    expect(desk('linux', { ...runtime, LATCHKEY_SOCKET: '' })).toEqual(socket('/run/user/1000/latchkey/agent.sock'))
  })

  test('is an absolute path', () => {
    expect(desk('linux', { LATCHKEY_SOCKET: 'a.sock' })).toEqual({ kind: 'pathNotAbsolute', path: 'a.sock' })
    expect(desk('win32', { LATCHKEY_SOCKET: 'agent.json' })).toEqual({ kind: 'pathNotAbsolute', path: 'agent.json' })
  })
})

describe('a path', () => {
  const ofBytes = (bytes: number) => `/${'ü'.repeat((bytes - 1) / 2)}`

  test('of 103 bytes is taken', () => {
    expect(desk('linux', { LATCHKEY_SOCKET: ofBytes(103) })).toEqual(socket(ofBytes(103)))
  })

  test('of more is a clear error, counted in bytes', () => {
    const path = ofBytes(105)
    expect(desk('linux', { LATCHKEY_SOCKET: path })).toEqual({ kind: 'pathTooLong', path, bytes: 105 })
    expect(desk('darwin', {}, false, path)).toMatchObject({ kind: 'pathTooLong' })
  })
})

describe('on Windows', () => {
  const local = { LOCALAPPDATA: 'C:\\Users\\ana\\AppData\\Local' }

  test('a file in the profile that does not roam, with the default data folder', () => {
    expect(desk('win32', local)).toEqual(pipe('C:\\Users\\ana\\AppData\\Local\\Latchkey\\agent.json'))
  })

  test('a file in the data folder, with another or without a profile', () => {
    expect(desk('win32', local, false, 'D:\\other')).toEqual(pipe('D:\\other\\agent.json'))
    expect(desk('win32', {})).toEqual(pipe('C:\\Users\\ana\\AppData\\Roaming\\Latchkey\\agent.json'))
  })

  test('LATCHKEY_SOCKET names that file', () => {
    expect(desk('win32', { ...local, LATCHKEY_SOCKET: 'D:\\ana\\a.json' })).toEqual(pipe('D:\\ana\\a.json'))
  })
})

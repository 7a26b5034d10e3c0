import { describe, expect, test } from 'vitest'
import { locate } from './location.ts'

const placeOf = (
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

describe('the socket on Linux', () => {
  test('is in the runtime folder if the data folder is the default one', () => {
    expect(placeOf('linux', runtime)).toEqual(socket('/run/user/1000/latchkey/agent.sock'))
  })

  test('is in the data folder if that is not the default one', () => {
    expect(placeOf('linux', runtime, false, '/tmp/other')).toEqual(socket('/tmp/other/agent.sock'))
  })

  test.each([{}, { XDG_RUNTIME_DIR: '' }, { XDG_RUNTIME_DIR: 'run' }])(
    'is in the data folder if there is no usable runtime folder: %j',
    (env) => {
      expect(placeOf('linux', env)).toEqual(socket('/home/ana/.config/Latchkey/agent.sock'))
    },
  )
})

test('on macOS, the socket is in the data folder, even if there is a runtime folder', () => {
  expect(placeOf('darwin', runtime)).toEqual(socket('/home/ana/.config/Latchkey/agent.sock'))
})

describe('LATCHKEY_SOCKET', () => {
  test.each(['linux', 'darwin'] as const)('overrides every default on %s', (platform) => {
    expect(placeOf(platform, { ...runtime, LATCHKEY_SOCKET: '/srv/ana/a.sock' })).toEqual(socket('/srv/ana/a.sock'))
  })

  test('an empty value is ignored', () => {
    expect(placeOf('linux', { ...runtime, LATCHKEY_SOCKET: '' })).toEqual(socket('/run/user/1000/latchkey/agent.sock'))
  })

  test('the value must be an absolute path', () => {
    expect(placeOf('linux', { LATCHKEY_SOCKET: 'a.sock' })).toEqual({ kind: 'pathNotAbsolute', path: 'a.sock' })
    expect(placeOf('win32', { LATCHKEY_SOCKET: 'agent.json' })).toEqual({ kind: 'pathNotAbsolute', path: 'agent.json' })
  })
})

describe('the path of a socket', () => {
  const ofBytes = (bytes: number) => `/${'ü'.repeat((bytes - 1) / 2)}`

  test('may have 103 bytes', () => {
    expect(placeOf('linux', { LATCHKEY_SOCKET: ofBytes(103) })).toEqual(socket(ofBytes(103)))
  })

  test('is refused if it has more than 103 bytes, even with fewer characters', () => {
    const path = ofBytes(105)
    expect(placeOf('linux', { LATCHKEY_SOCKET: path })).toEqual({ kind: 'pathTooLong', path, bytes: 105 })
    expect(placeOf('darwin', {}, false, path)).toMatchObject({ kind: 'pathTooLong' })
  })
})

describe('the agent’s file on Windows', () => {
  const local = { LOCALAPPDATA: 'C:\\Users\\ana\\AppData\\Local' }

  test('is in the local profile if the data folder is the default one', () => {
    expect(placeOf('win32', local)).toEqual(pipe('C:\\Users\\ana\\AppData\\Local\\Latchkey\\agent.json'))
  })

  test('is in the data folder if that is not the default one, or if there is no local profile', () => {
    expect(placeOf('win32', local, false, 'D:\\other')).toEqual(pipe('D:\\other\\agent.json'))
    expect(placeOf('win32', {})).toEqual(pipe('C:\\Users\\ana\\AppData\\Roaming\\Latchkey\\agent.json'))
  })

  test('is at the path in LATCHKEY_SOCKET', () => {
    expect(placeOf('win32', { ...local, LATCHKEY_SOCKET: 'D:\\ana\\a.json' })).toEqual(pipe('D:\\ana\\a.json'))
  })
})

import { expect, test } from 'vitest'
import { locate } from './location.ts'

const HOME = '/home/ana/.config/Latchkey'

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
    dataFolder: dataFolder ?? (platform === 'win32' ? 'C:\\Users\\ana\\AppData\\Roaming\\Latchkey' : HOME),
  })
const socket = (path: string) => ({ kind: 'socket', path }) as const
const pipe = (file: string) => ({ kind: 'pipe', file }) as const
const runtime = { XDG_RUNTIME_DIR: '/run/user/1000' }

const LONGEST = `/${'ü'.repeat(51)}`
const TOO_LONG = `/${'ü'.repeat(52)}`
const local = { LOCALAPPDATA: 'C:\\Users\\ana\\AppData\\Local' }

test.each<[string, ReturnType<typeof locate>, Parameters<typeof placeOf>]>([
  ['Linux: the runtime folder', socket('/run/user/1000/latchkey/agent.sock'), ['linux', runtime]],
  ['Linux: another data folder', socket('/tmp/other/agent.sock'), ['linux', runtime, false, '/tmp/other']],
  ['macOS: the data folder', socket(`${HOME}/agent.sock`), ['darwin', runtime]],
  ['LATCHKEY_SOCKET', socket('/srv/a.sock'), ['linux', { ...runtime, LATCHKEY_SOCKET: '/srv/a.sock' }]],
  ['a relative path', { kind: 'pathNotAbsolute', path: 'a.sock' }, ['linux', { LATCHKEY_SOCKET: 'a.sock' }]],
  ['the longest path', socket(LONGEST), ['linux', { LATCHKEY_SOCKET: LONGEST }]],
  ['too long a path', { kind: 'pathTooLong', path: TOO_LONG, bytes: 105 }, ['linux', { LATCHKEY_SOCKET: TOO_LONG }]],
  ['Windows: the local profile', pipe(`${local.LOCALAPPDATA}\\Latchkey\\agent.json`), ['win32', local]],
  ['Windows: no LOCALAPPDATA', pipe('C:\\Users\\ana\\AppData\\Roaming\\Latchkey\\agent.json'), ['win32', {}]],
])('where the agent listens: %s', (_, place, given) => {
  expect(placeOf(...given)).toEqual(place)
})

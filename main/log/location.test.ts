import { expect, test } from 'vitest'
import { type LogHome, logFolder } from './location.ts'

const HOME: LogHome = {
  platform: 'linux',
  env: {},
  home: '/home/ana',
  dataFolder: '/home/ana/.config/Latchkey',
  isDefaultDataFolder: true,
}
const WINDOWS = { platform: 'win32', dataFolder: 'C:\\Users\\ana\\AppData\\Roaming\\Latchkey' } as const

test.each<[string, Partial<LogHome>, string]>([
  ['Linux', {}, '/home/ana/.local/state/latchkey'],
  ['Linux with a state folder', { env: { XDG_STATE_HOME: '/state' } }, '/state/latchkey'],
  ['Linux with a relative state folder', { env: { XDG_STATE_HOME: 'state' } }, '/home/ana/.local/state/latchkey'],
  ['macOS', { platform: 'darwin', home: '/Users/ana' }, '/Users/ana/Library/Logs/Latchkey'],
  ['Windows', { ...WINDOWS, env: { LOCALAPPDATA: 'C:\\L' } }, 'C:\\L\\Latchkey\\logs'],
  ['Windows without a local folder', WINDOWS, 'C:\\Users\\ana\\AppData\\Roaming\\Latchkey\\logs'],
  ['another data folder', { isDefaultDataFolder: false, dataFolder: '/tmp/x' }, '/tmp/x/logs'],
])('the log’s folder depends on the system and on the data folder: %s', (_, desktop, folder) => {
  expect(logFolder({ ...HOME, ...desktop })).toBe(folder)
})

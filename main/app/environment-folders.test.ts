import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { posixOnly } from '../../test/support/systems.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { foldersOf, settleFolders } from './environment-folders.ts'

const settled = (env: NodeJS.ProcessEnv, listed: readonly string[] = ['/home/ana']) => {
  const copy = { ...env }
  settleFolders(copy, { listedHome: () => listed[0], isWritable: (folder) => folder === '/tmp/own' })
  return copy
}

it.each(['XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR'])(
  '%s is ignored unless it is an absolute path',
  (name) => {
    for (const value of ['', 'config', './config', '~', '~/.config']) {
      expect(settled({ HOME: '/home/ana', [name]: value })).toEqual({ HOME: '/home/ana' })
    }
    expect(settled({ HOME: '/home/ana', [name]: '/other' })).toEqual({ HOME: '/home/ana', [name]: '/other' })
  },
)

it.each([[undefined], [''], ['~'], ['home/ana'], ['.']])(
  'HOME=%s is replaced by the home in the system’s user list',
  (HOME) => {
    expect(settled(HOME === undefined ? {} : { HOME })).toEqual({ HOME: '/home/ana' })
  },
)

it('without a usable HOME, the data folder is below /, not in the current folder', () => {
  const env = settled({ HOME: '~' }, [])
  expect(env).toEqual({})
  expect(foldersOf(env, 'Latchkey')).toEqual({ home: '/', appData: '/.config', userData: '/.config/Latchkey' })
})

it.each([
  ['/tmp/own', '/tmp/own'],
  ['/tmp/missing', undefined],
  ['own', undefined],
  ['~/tmp', undefined],
  ['', undefined],
])('TMPDIR=%s becomes %s', (given, expected) => {
  expect(settled({ HOME: '/', TMPDIR: given })['TMPDIR']).toBe(expected)
})

it('TMPDIR is ignored if it names a file', posixOnly('Windows has other variables'), () => {
  const folder = temporaryFolder()
  const file = path.join(folder, 'file')
  writeFileSync(file, '')
  const env: NodeJS.ProcessEnv = { TMPDIR: file }
  settleFolders(env)
  expect(env['TMPDIR']).toBeUndefined()
  env['TMPDIR'] = folder
  settleFolders(env)
  expect(env['TMPDIR']).toBe(folder)
})

it('the data folder is in XDG_CONFIG_HOME, or else in .config in the home folder', () => {
  expect(foldersOf({ HOME: '/home/ana' }, 'Latchkey').userData).toBe('/home/ana/.config/Latchkey')
  expect(foldersOf({ HOME: '/home/ana', XDG_CONFIG_HOME: '/c' }, 'Latchkey').userData).toBe('/c/Latchkey')
})

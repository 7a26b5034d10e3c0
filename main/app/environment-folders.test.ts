import { writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { posixOnly } from '../../test/support/systems.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { foldersOf, settleFolders } from './environment-folders.ts'

const settled = (env: NodeJS.ProcessEnv) => {
  const copy = { ...env }
  settleFolders(copy)
  return copy
}

describe('on POSIX systems', posixOnly('Windows has other variables'), () => {
  it.each(['', 'config', './config', '~/.config'])(
    'a variable for a folder is ignored if its value is "%s"',
    (value) => {
      const names = [
        'XDG_CONFIG_HOME',
        'XDG_CACHE_HOME',
        'XDG_DATA_HOME',
        'XDG_STATE_HOME',
        'XDG_RUNTIME_DIR',
        'TMPDIR',
      ]
      const all = Object.fromEntries(names.map((name) => [name, value]))
      expect(settled({ ...all, HOME: value })).toEqual({ HOME: userInfo().homedir })
    },
  )

  it('TMPDIR is ignored if it names a file or nothing', () => {
    const folder = temporaryFolder()
    const file = path.join(folder, 'file')
    writeFileSync(file, '')
    const kept = [file, `${file}.none`, folder].map((TMPDIR) => settled({ TMPDIR })['TMPDIR'])
    expect(kept).toEqual([undefined, undefined, folder])
  })
})

it('the data folder is in XDG_CONFIG_HOME, or else in HOME, and never in the current folder', () => {
  const of = (env: NodeJS.ProcessEnv) => foldersOf(env, 'Latchkey').userData
  expect(of({ HOME: '/home/ana', XDG_CONFIG_HOME: '/c' })).toBe('/c/Latchkey')
  expect(of({ HOME: '/home/other' })).toBe('/home/other/.config/Latchkey')
  expect(of({})).toBe('/.config/Latchkey')
})

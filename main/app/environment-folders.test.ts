import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { posixOnly } from '../../test/support/systems.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { foldersOf, settleFolders } from './environment-folders.ts'

const settled = (env: NodeJS.ProcessEnv, listedHome: string | undefined = '/home/ana') => {
  const copy = { ...env }
  settleFolders(copy, { listedHome: () => listedHome, isWritable: (folder) => folder === '/tmp/own' })
  return copy
}

it.each(['', 'config', './config', '~/.config'])('a variable for a folder is ignored if its value is "%s"', (value) => {
  const names = ['XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR', 'TMPDIR']
  const all = Object.fromEntries(names.map((name) => [name, value]))
  expect(settled({ ...all, HOME: value })).toEqual({ HOME: '/home/ana' })
})

it('the data folder is in XDG_CONFIG_HOME, or else in HOME, and never in the current folder', () => {
  const of = (env: NodeJS.ProcessEnv) => foldersOf(settled(env), 'Latchkey').userData
  expect(of({ HOME: '/home/ana', XDG_CONFIG_HOME: '/c' })).toBe('/c/Latchkey')
  expect(of({ HOME: '/home/other' })).toBe('/home/other/.config/Latchkey')
  const env = { HOME: '~' }
  settleFolders(env, { listedHome: () => undefined, isWritable: () => true })
  expect(foldersOf(env, 'Latchkey').userData).toBe('/.config/Latchkey')
})

it('TMPDIR is ignored if it names a file or nothing', posixOnly('Windows has other variables'), () => {
  const folder = temporaryFolder()
  const file = path.join(folder, 'file')
  writeFileSync(file, '')
  for (const [given, kept] of [[file], [`${file}.none`], [folder, folder]]) {
    const env: NodeJS.ProcessEnv = { TMPDIR: given }
    settleFolders(env)
    expect(env['TMPDIR']).toBe(kept)
  }
})

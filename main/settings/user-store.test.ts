import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { posixOnly } from '../../test/support/systems.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import type { KeyValueStore } from '../base/key-value-store.ts'
import { openUserStore, readUserStore } from './user-store.ts'

const uid = process.getuid?.()
let folder: string
let file: string
beforeEach(() => {
  folder = temporaryFolder()
  file = path.join(folder, 'config.json')
})

/** Like electron-store, which needs Electron, reads a missing file as empty, and throws if the file is damaged. */
function open(): KeyValueStore {
  const read = () => (readdirSync(folder).includes('config.json') ? JSON.parse(readFileSync(file, 'utf8')) : {})
  read()
  return {
    get: (key) => read()[key],
    set: (key, value) => writeFileSync(file, JSON.stringify({ ...read(), [key]: value })),
  }
}

it.each([
  ['damaged', '{"connection":'],
  ['nested too deeply to be written again', `{"window":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
])('SECURITY: a settings file that is %s is set aside and reported, never deleted', (_, text) => {
  writeFileSync(file, text)
  const aside = path.join(folder, 'config.damaged-7.json')
  const { store, problems } = openUserStore(file, uid, open, 7)
  expect(problems).toEqual([{ source: 'user', where: aside, problem: 'damaged' }])
  expect(readFileSync(aside, 'utf8')).toBe(text)
  store.set('agent', false)
  expect(readFileSync(file, 'utf8')).toBe('{"agent":false}')
})

it('on Windows only, the start waits for a settings file that another program has open', () => {
  const opening = (user: number | undefined, code: string) => {
    let tries = 0
    const held = () => {
      tries += 1
      if (tries < 3) throw Object.assign(new Error('held'), { code })
      return open()
    }
    return () => openUserStore(file, user, held, 7)
  }
  expect(opening(undefined, 'EBUSY')().problems).toEqual([])
  expect(opening(1000, 'EBUSY')).toThrow('held')
  expect(opening(undefined, 'EIO')).toThrow('held')
})

it('a settings file that can’t be read is neither set aside nor treated as missing', () => {
  // Even root can't read a folder as a file.
  mkdirSync(file)
  const opening = () => expect.unreachable()
  expect(() => openUserStore(file, uid, opening, 7)).toThrow(/EISDIR|EPERM/)
  expect(readUserStore(file, uid).problems).toEqual([{ source: 'user', where: file, problem: 'unreadable' }])
  expect(readdirSync(folder)).toEqual(['config.json'])
})

it('a settings file that is only opened for reading is never changed, even if it is damaged', () => {
  expect(readUserStore(file, uid).problems).toEqual([])
  for (const [text, agent, problems] of [
    ['{"agent":false}', false, []],
    ['{"agent":', undefined, [{ source: 'user', where: file, problem: 'damaged' }]],
    ['7', undefined, [{ source: 'user', where: file, problem: 'damaged' }]],
  ]) {
    writeFileSync(file, `${text}`)
    const read = readUserStore(file, uid)
    read.store.set('agent', true)
    expect([read.store.get('agent'), read.problems]).toEqual([agent, problems])
    expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual([text, ['config.json']])
  }
})

describe('on POSIX systems', posixOnly('Windows has no modes'), () => {
  it.each([
    ['everyone can change', 0o666, uid],
    ['belongs to another user', 0o644, (uid ?? 0) + 1],
    ['is a link', undefined, uid],
  ])(
    'SECURITY: a settings file that %s is set aside and reported, not used, and readable by the user alone',
    (_, mode, own) => {
      const target = mode === undefined ? path.join(folder, 'elsewhere') : file
      writeFileSync(target, '{"agent":true}')
      if (mode === undefined) symlinkSync('elsewhere', file)
      else chmodSync(file, mode)
      const aside = path.join(folder, 'config.unsafe-7.json')
      for (const [{ store, problems }, where] of [
        [readUserStore(file, own), file],
        [openUserStore(file, own, open, 7), aside],
      ] as const) {
        expect(problems).toEqual([{ source: 'user', where, problem: 'notPrivate' }])
        expect(store.get('agent')).toBeUndefined()
      }
      expect(readFileSync(aside, 'utf8')).toBe('{"agent":true}')
      if (mode !== undefined) expect(statSync(aside).mode & 0o777).toBe(0o600)
    },
  )

  it('SECURITY: only the user can read a settings file that others could read, even if it is damaged', () => {
    for (const [text, name] of [
      ['{"agent":true}', 'config.json'],
      ['{"agent":', 'config.damaged-7.json'],
    ] as const) {
      writeFileSync(file, text)
      chmodSync(file, 0o664)
      openUserStore(file, uid, open, 7)
      expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o600)
    }
  })
})

describe('while the app runs', () => {
  it('damaging or deleting the file changes no value, and the next change restores the file', () => {
    writeFileSync(file, '{"agent":true,"zoom":1}')
    const { store } = openUserStore(file, uid, open, 7)
    for (const harm of [() => writeFileSync(file, '{"agent":'), () => rmSync(file)]) {
      harm()
      expect([store.get('agent'), store.get('zoom')]).toEqual([true, 1])
      store.set('language', 'de')
      expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ agent: true, zoom: 1, language: 'de' })
    }
  })

  it('a change that can’t be written fails with an error, and the earlier value stays', () => {
    writeFileSync(file, '{"agent":true}')
    let isFull = true
    const refusing = (): KeyValueStore => ({
      ...open(),
      set(key, value) {
        if (isFull) throw new Error('ENOSPC')
        open().set(key, value)
      },
    })
    const { store } = openUserStore(file, uid, refusing, 7)
    const held = () => [store.get('agent'), readFileSync(file, 'utf8')]
    expect(() => store.set('agent', false)).toThrow('ENOSPC')
    expect(held()).toEqual([true, '{"agent":true}'])
    isFull = false
    store.set('agent', false)
    expect(held()).toEqual([false, '{"agent":false}'])
  })

  it('if a change was only written in part, the whole file is written again', () => {
    writeFileSync(file, '{"agent":true}')
    const cutting = (): KeyValueStore => ({ ...open(), set: () => writeFileSync(file, '{"agent":true,"zo') })
    openUserStore(file, uid, cutting, 7).store.set('zoom', 2)
    expect(readFileSync(file, 'utf8')).toBe('{"agent":true,"zoom":2}')
    expect(readdirSync(folder)).toEqual(['config.json'])
  })
})

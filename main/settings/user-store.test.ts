import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { KeyValueStore } from '../key-value-store.ts'
import { openUserStore, readUserStore } from './user-store.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'store-'))
  file = path.join(folder, 'config.json')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Behaves like electron-store, which needs Electron: a missing file is empty, and a damaged one throws. */
function open(): KeyValueStore {
  const read = () => (readdirSync(folder).includes('config.json') ? JSON.parse(readFileSync(file, 'utf8')) : {})
  read()
  return {
    get: (key) => read()[key],
    set: (key, value) => writeFileSync(file, JSON.stringify({ ...read(), [key]: value })),
  }
}

it('a missing settings file is created', () => {
  const { store, problems } = openUserStore(file, open, 7)
  expect(problems).toEqual([])
  expect(store.get('agent')).toBeUndefined()
  store.set('agent', false)
  expect(readFileSync(file, 'utf8')).toBe('{"agent":false}')
})

it('an intact settings file is read, and written when a value is set', () => {
  writeFileSync(file, '{"agent":true,"zoom":1}')
  const { store, problems } = openUserStore(file, open, 7)
  expect([problems, store.get('agent')]).toEqual([[], true])
  store.set('agent', false)
  expect(readFileSync(file, 'utf8')).toBe('{"agent":false,"zoom":1}')
})

it('a damaged settings file is set aside and reported, never deleted', () => {
  writeFileSync(file, '{"connection":')
  const aside = path.join(folder, 'config.damaged-7.json')
  const { store, problems } = openUserStore(file, open, 7)
  expect(problems).toEqual([{ source: 'user', where: aside, problem: 'damaged' }])
  expect(store.get('connection')).toBeUndefined()
  expect(readFileSync(aside, 'utf8')).toBe('{"connection":')
})

it('SECURITY: a settings file nested too deeply to be written back is set aside', () => {
  writeFileSync(file, `{"window":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)
  const { store, problems } = openUserStore(file, open, 7)
  expect(problems).toMatchObject([{ problem: 'damaged' }])
  store.set('agent', false)
  expect(readFileSync(file, 'utf8')).toBe('{"agent":false}')
})

it('if a missing settings file can’t be created, the error is thrown and no damaged file is reported', () => {
  const refuse = () => {
    throw new Error('EACCES')
  }
  expect(() => openUserStore(file, refuse, 7)).toThrow('EACCES')
})

it('a read-only open changes nothing, even if the file is damaged', () => {
  expect(readUserStore(file)).toMatchObject({ problems: [] })
  writeFileSync(file, '{"agent":false}')
  const { store } = readUserStore(file)
  store.set('agent', true)
  expect(store.get('agent')).toBe(false)
  expect(readFileSync(file, 'utf8')).toBe('{"agent":false}')

  for (const damaged of ['{"agent":', '7']) {
    writeFileSync(file, damaged)
    const read = readUserStore(file)
    expect(read.problems).toEqual([{ source: 'user', where: file, problem: 'damaged' }])
    expect(read.store.get('agent')).toBeUndefined()
    expect(readdirSync(folder)).toEqual(['config.json'])
  }
})

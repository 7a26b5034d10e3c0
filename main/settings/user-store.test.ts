import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { KeyValueStore } from './user-settings.ts'
import { openUserStore, readOnce, readUserStore } from './user-store.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'store-'))
  file = path.join(folder, 'config.json')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** As electron-store does: what isn't there is empty, and what is damaged throws. */
function open(): KeyValueStore {
  const read = () => (readdirSync(folder).includes('config.json') ? JSON.parse(readFileSync(file, 'utf8')) : {})
  read()
  return {
    get: (key) => read()[key],
    set: (key, value) => writeFileSync(file, JSON.stringify({ ...read(), [key]: value })),
  }
}

it('a settings file that isn’t there is begun', () => {
  const { store, problems } = openUserStore(file, open, 7)
  expect(problems).toEqual([])
  expect(store.get('agent')).toBeUndefined()
  store.set('agent', false)
  expect(readFileSync(file, 'utf8')).toBe('{"agent":false}')
})

it('one that is well is read, and opened once something is set', () => {
  writeFileSync(file, '{"agent":true,"zoom":1}')
  let opened = 0
  const counted = () => {
    opened += 1
    return open()
  }
  const { store, problems } = openUserStore(file, counted, 7)
  expect([problems, store.get('agent'), store.get('constructor'), opened]).toEqual([[], true, undefined, 0])
  store.set('agent', false)
  store.set('zoom', 2)
  expect([store.get('agent'), opened, readFileSync(file, 'utf8')]).toEqual([false, 1, '{"agent":false,"zoom":2}'])
})

it('one that was damaged since it was read is left as it is, and nothing is set', () => {
  writeFileSync(file, '{"agent":true}')
  const { store } = openUserStore(file, open, 7)
  writeFileSync(file, '{"agent":')
  expect(() => store.set('agent', false)).toThrow(SyntaxError)
  expect([store.get('agent'), readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([
    true,
    ['config.json'],
    '{"agent":',
  ])
})

it('a damaged settings file is set aside, never deleted, and said so', () => {
  writeFileSync(file, '{"connection":')
  const aside = path.join(folder, 'config.damaged-7.json')
  const { store, problems } = openUserStore(file, open, 7)
  expect(problems).toEqual([{ source: 'user', where: aside, problem: 'damaged' }])
  expect(store.get('connection')).toBeUndefined()
  expect(readFileSync(aside, 'utf8')).toBe('{"connection":')
})

it('what goes wrong without a file is no damaged file', () => {
  const refuse = () => {
    throw new Error('EACCES')
  }
  expect(() => openUserStore(file, refuse, 7)).toThrow('EACCES')
})

it('a settings file is looked at without changing anything, damaged or not', () => {
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

it('each value is read once, until something is set', () => {
  const asked: string[] = []
  const values: Record<string, unknown> = { agent: true }
  let isFull = false
  const store = readOnce({
    get(key) {
      asked.push(key)
      return values[key]
    },
    set(key, value) {
      if (isFull) throw new Error('ENOSPC')
      values[key] = value
    },
  })
  expect([store.get('agent'), store.get('agent'), store.get('zoom'), store.get('zoom')]).toEqual([
    true,
    true,
    undefined,
    undefined,
  ])
  expect(asked).toEqual(['agent', 'zoom'])
  store.set('agent', false)
  // Somebody else wrote there as well.
  values['zoom'] = 2
  expect([store.get('agent'), store.get('agent'), store.get('zoom')]).toEqual([false, false, 2])
  expect(asked).toEqual(['agent', 'zoom', 'agent', 'zoom'])
  isFull = true
  expect(() => store.set('agent', true)).toThrow('ENOSPC')
  expect(store.get('agent')).toBe(false)
})

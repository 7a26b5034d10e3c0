import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire, Module } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { constants, Script } from 'node:vm'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { useCodeCache } from './code-cache.ts'

const require = createRequire(import.meta.url)
const own = require.extensions['.cjs']
let folder: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'latchkey-code-'))
  useCodeCache()
})

afterEach(() => {
  rmSync(folder, { recursive: true })
  if (own === undefined) delete require.extensions['.cjs']
  else require.extensions['.cjs'] = own
})

/** As scripts/package/code-cache-maker.cjs makes it. */
const cacheOf = (code: string) =>
  new Script(Module.wrap(code), {
    filename: 'a.cjs',
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }).createCachedData()

function load(code: string, cache?: Uint8Array): unknown {
  const file = path.join(folder, 'a.cjs')
  writeFileSync(file, code)
  if (cache !== undefined) writeFileSync(`${file}.code-cache`, cache)
  return require(file)
}

it('a file is taken from its cache: V8 doesn’t read code of the same length again', () => {
  expect(load("exports.said = 'one'", cacheOf("exports.said = 'two'"))).toEqual({ said: 'two' })
})

it('without a cache, or with one that V8 refuses, it is compiled', () => {
  expect(load("exports.said = 'one'")).toEqual({ said: 'one' })
})

it.each([
  ['of code of another length', cacheOf("exports.said = 'another'")],
  ['cut off', cacheOf("exports.said = 'two'").subarray(0, 40)],
  ['empty', new Uint8Array()],
  ['of another V8', cacheOf("exports.said = 'two'").fill(0, 0, 32)],
])('a cache %s is refused, and the file is compiled', (_, cache) => {
  expect(load("exports.said = 'one'", cache)).toEqual({ said: 'one' })
})

it('code from a cache has what other code has: its folder, and its siblings', () => {
  writeFileSync(path.join(folder, 'b.cjs'), "exports.name = 'b'")
  const code = "module.exports = [__filename, __dirname, require('./b.cjs').name, require.resolve('./b.cjs')]"
  expect(load(code, cacheOf(code))).toEqual([path.join(folder, 'a.cjs'), folder, 'b', path.join(folder, 'b.cjs')])
})

/**
 * `electron code-cache-maker.cjs FOLDER...`, in the very Electron that a package is made of: version and flags of its V8 are
 * part of a code cache. Makes one of each file of the app in these folders, beside it (main/code-cache.ts reads them),
 * looks whether V8 takes it, and ends before Electron has shown anything.
 */
const { readdirSync, readFileSync, writeFileSync, writeSync } = require('node:fs')
const { Module } = require('node:module')
const path = require('node:path')
const { constants, Script } = require('node:vm')

/** The first has nobody before it who could read one. */
const FIRST = 'start.cjs'

function make(/** @type {string} */ folder, /** @type {string} */ name) {
  const file = path.join(folder, name)
  const code = Module.wrap(readFileSync(file, 'utf8'))
  // By its name alone: it is part of the cache, and another folder is to give the same. V8 names it anew as it reads.
  const options = { filename: name, importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER }
  const cachedData = new Script(code, options).createCachedData()
  if (new Script(code, { ...options, cachedData }).cachedDataRejected)
    throw new Error(`V8 refuses what it made of ${file}`)
  writeFileSync(`${file}.code-cache`, cachedData)
}

try {
  for (const folder of process.argv.slice(process.argv.indexOf(__filename) + 1)) {
    const files = readdirSync(folder).filter((name) => name.endsWith('.cjs') && name !== FIRST)
    for (const name of files) make(folder, name)
  }
  process.exit(0)
} catch (error) {
  writeSync(2, `${error}\n`)
  process.exit(1)
}

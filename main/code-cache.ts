/**
 * V8's code cache of the app's own files: what V8 made of them when the package was made, so that a start needn't
 * (Node: vm.Script, cachedData). The files lie beside the code, in the archive and under its integrity check, and not in
 * a folder that the user can write (Node's own, module.enableCompileCache).
 */
import { readFileSync } from 'node:fs'
import { createRequire, Module } from 'node:module'
import path from 'node:path'
import { constants, Script } from 'node:vm'

/** What is added to a file's name: scripts/package/code-cache-maker.cjs makes them. */
const CODE_CACHE = '.code-cache'

/**
 * From now on a file is taken from its cache where it has one. V8 refuses a cache that another V8 has made, or of code
 * of another length: then, as where there is none, the file is compiled.
 */
export function useCodeCache(): void {
  const { extensions } = createRequire(import.meta.url)
  const compile = extensions['.js']
  extensions['.cjs'] = (module, file) => {
    const cachedData = read(`${file}${CODE_CACHE}`)
    if (cachedData === undefined) return compile(module, file)
    const script = new Script(Module.wrap(readFileSync(file, 'utf8')), {
      filename: file,
      cachedData,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    })
    script.runInThisContext()(module.exports, createRequire(file), module, file, path.dirname(file))
  }
}

function read(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

/** How much code the window loads before it shows anything. */
import { gzipSync } from 'node:zlib'

/** The most it may be: bytes of gzipped JavaScript. */
export const LIMIT = 30_000

/** @typedef {{ type: string, fileName: string, code?: string, isEntry?: boolean, imports?: string[], facadeModuleId?: string | null }} Output */

/** What the entry imports once a page that came with its view has been painted. */
const SHOW = /\/renderer\/show\.tsx$/

/**
 * The entry, what shows the view, what they import statically, and the largest catalogue of texts with its own.
 * @param {Output[]} outputs
 */
export function firstView(outputs) {
  const chunks = new Map(outputs.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]))
  const size = (/** @type {string} */ name) => gzipSync(chunks.get(name)?.code ?? '').length
  const total = (/** @type {Set<string>} */ names) => [...names].reduce((sum, name) => sum + size(name), 0)
  const withImports = (/** @type {string} */ name, /** @type {Set<string>} */ seen) => {
    if (!chunks.has(name) || seen.has(name)) return seen
    seen.add(name)
    for (const imported of chunks.get(name)?.imports ?? []) withImports(imported, seen)
    return seen
  }
  const entries = [...chunks.values()].filter(({ isEntry }) => isEntry)
  const shows = [...chunks.values()].filter(({ facadeModuleId }) => SHOW.test(facadeModuleId ?? ''))
  const catalogues = [...chunks.values()].filter(({ facadeModuleId }) =>
    /\/text\/[a-z]{2}(\/[^/]+)?\.ts$/.test(facadeModuleId ?? ''),
  )
  if ([entries, shows, catalogues].some(({ length }) => length === 0)) {
    throw new Error('no entry, nothing that shows the view or no catalogue of texts was built')
  }
  const first = new Set()
  for (const { fileName } of [...entries, ...shows]) withImports(fileName, first)
  return Math.max(...catalogues.map(({ fileName }) => total(withImports(fileName, new Set(first)))))
}

/** Prints the size, and fails the build where it is over the limit. @returns {import('vite').Plugin} */
export const firstViewSize = () => ({
  name: 'first-view-size',
  apply: 'build',
  writeBundle(_, bundle) {
    const size = firstView(/** @type {Output[]} */ (Object.values(bundle)))
    const told = `First view: ${(size / 1000).toFixed(1)} kB of JavaScript gzipped, of at most ${LIMIT / 1000} kB.`
    if (size > LIMIT) this.error(told)
    console.log(told)
  },
})

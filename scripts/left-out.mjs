/**
 * What well-kept packages bring along and Latchkey has no use for, where a start would pay for it: read, compiled and
 * run before there is a token. Whoever touches what was left out is told, or answered, where it is a stranger who asks;
 * where a package no longer is as it is described here, the build fails.
 */
import { inProject } from './run/project.mjs'

/** Modules left out, by the package that imports them. */
const MODULES = {
  // Schemas and migrations of the settings: half of what was read before the icon.
  conf: ['ajv/dist/2020.js', 'ajv-formats', 'semver'],
  // A cache of answers, and HTTP/2: half of got.
  got: ['cacheable-request', './utils/http2-client.js'],
}

/** Lines written otherwise: the file, what stands there, and what stands there instead. */
const LINES = /** @type {const} */ ([
  // Node reads and runs 4 ms of HTTP/2 for the class of a stream that there can't be.
  {
    file: '/got/dist/source/core/index.js',
    line: "import { Http2ServerResponse, constants as http2Constants } from 'node:http2';",
    instead: 'class Http2ServerResponse {} const http2Constants = {};',
  },
  // Node reads and runs 3 ms of its assertions for one that can't fail: a signature of one type has one.
  {
    file: '/@jellybrick/dbus-next/dist/index.mjs',
    line: 'import assert from "node:assert";',
    instead: "const assert = (is) => { if (!is) throw new Error('dbus-next: an assertion failed') };",
  },
  // XML, in which objects of the bus describe themselves: half of dbus-next. Latchkey asks for no description, and has
  // nothing on the bus that could be described.
  {
    file: '/@jellybrick/dbus-next/dist/index.mjs',
    line: 'import BuilderExport from "fast-xml-builder";',
    instead: "class BuilderExport { build() { return '<node/>' } }",
  },
  {
    file: '/@jellybrick/dbus-next/dist/index.mjs',
    line: 'import { XMLParser } from "fast-xml-parser";',
    instead: "class XMLParser { constructor() { throw new Error('left out by scripts/left-out.mjs') } }",
  },
  // Words for errors of got's callers: 7 ms for the system's languages, at each start.
  .../** @type {const} */ ([
    ['andFormatter', 'conjunction'],
    ['orFormatter', 'disjunction'],
  ]).map(([name, type]) => ({
    file: '/@sindresorhus/is/distribution/index.js',
    line: `const ${name} = new Intl.ListFormat('en', { style: 'long', type: '${type}' });`,
    instead: `const ${name} = { format: (list) => new Intl.ListFormat('en', { type: '${type}' }).format(list) };`,
  })),
])

/** The main process writes the window's first view: what the window loads later it never loads. */
const PAGE = `${inProject('renderer').replaceAll('\\', '/')}/`

const LEFT_OUT = '\0left-out'
const told = "() => { throw new Error('left out by scripts/left-out.mjs') }"

/** @param {string} id @param {string} name */
const isOf = (id, name) => id.includes(`/node_modules/${name}/`)

/** For the main process. @returns {import('vite').Plugin} */
export function leaveOut() {
  const rest = new Set([...Object.values(MODULES).flat(), ...LINES.map(({ line }) => line), PAGE])
  return {
    name: 'leave-out',
    enforce: 'pre',
    resolveDynamicImport(_, importer) {
      if (importer?.startsWith(PAGE) !== true) return undefined
      rest.delete(PAGE)
      return LEFT_OUT
    },
    resolveId(source, importer) {
      const from = Object.entries(MODULES).find(([name]) => importer !== undefined && isOf(importer, name))
      if (!from?.[1].includes(source)) return undefined
      rest.delete(source)
      return LEFT_OUT
    },
    load: (id) =>
      id === LEFT_OUT
        ? `const leftOut = new Proxy(function () {}, { get: ${told}, construct: ${told} })
           export { leftOut as default, leftOut as Ajv2020 }
           export class CacheError extends Error {}`
        : undefined,
    transform(code, id) {
      const lines = LINES.filter(({ file, line }) => id.endsWith(file) && code.includes(line))
      for (const { line } of lines) rest.delete(line)
      return lines.length === 0
        ? undefined
        : lines.reduce((text, { line, instead }) => text.replace(line, instead), code)
    },
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
      // What is built for itself (electron-vite: modulePath) has none of them, and may be done before they are read.
      const hasThem = modules.some(
        (id) => Object.keys(MODULES).some((name) => isOf(id, name)) || LINES.some(({ file }) => id.endsWith(file)),
      )
      if (hasThem && rest.size > 0)
        this.error(`scripts/left-out.mjs names what is no longer there: ${[...rest].join(', ')}`)
    },
  }
}

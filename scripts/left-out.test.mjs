import { expect, it } from 'vitest'
import { leaveOut } from './left-out.mjs'
import { inProject } from './run/project.mjs'

const failing = {
  error(/** @type {string} */ message) {
    throw new Error(message)
  },
}

const plugin = () => /** @type {any} */ (leaveOut())

/** @param {...string} moduleIds */
const bundleOf = (...moduleIds) => ({
  'licences.txt': { type: 'asset' },
  'start.cjs': { type: 'chunk', moduleIds: ['/project/main/start.ts'] },
  'main.cjs': { type: 'chunk', moduleIds },
})

it('a build in which something named is no longer there fails, and says what', () => {
  const bundle = bundleOf('/project/main/main.ts', '/project/node_modules/got/dist/source/index.js')
  const check = () => plugin().generateBundle.call(failing, {}, bundle)
  expect(check).toThrow(/ajv-formats.*cacheable-request.*ListFormat.*renderer/)
})

it('a file that is built for itself without these packages may be done first', () => {
  plugin().generateBundle.call(failing, {}, bundleOf('/project/main/keychain/keytar-child.ts'))
})

it('what is left out is so for the package alone that is named', () => {
  const { resolveId } = plugin()
  expect(resolveId('semver', '/project/node_modules/conf/dist/source/index.js')).toBeDefined()
  expect(resolveId('semver', '/project/node_modules/electron-updater/out/main.js')).toBeUndefined()
  expect(resolveId('semver', undefined)).toBeUndefined()
})

it('what the window loads later is left out where the window’s first view is written, and nothing else', () => {
  const { resolveDynamicImport } = plugin()
  expect(resolveDynamicImport('./views/settings/settings.tsx', inProject('renderer', 'app.tsx'))).toBeDefined()
  expect(resolveDynamicImport('./main.ts', '/home/ana/renderer/latchkey/main/start.ts')).toBeUndefined()
  expect(resolveDynamicImport('./en.ts', '/project/text/index.ts')).toBeUndefined()
  expect(resolveDynamicImport('./en.ts', undefined)).toBeUndefined()
})

it('whoever touches it is told', () => {
  const { resolveId, load } = plugin()
  const code = load(resolveId('cacheable-request', '/project/node_modules/got/dist/source/core/index.js'))
  // Not imported: Vitest would touch it.
  const names = code.replace(/^.*export \{.*$/m, '').replace('export class', 'class')
  const { leftOut: CacheableRequest, CacheError } = new Function(`${names}; return { leftOut, CacheError }`)()
  expect(() => new CacheableRequest()).toThrow('left out')
  expect(() => CacheableRequest.onResponse).toThrow('left out')
  // An error is asked whether it is one of these, and none is.
  expect(new Error('another') instanceof CacheError).toBe(false)
})

it('a line is written otherwise where it stands, and nothing else is touched', () => {
  const { transform } = plugin()
  const line = "const andFormatter = new Intl.ListFormat('en', { style: 'long', type: 'conjunction' });"
  const file = '/project/node_modules/@sindresorhus/is/distribution/index.js'
  const written = transform(`before\n${line}\nafter`, file)
  expect(written).toMatch(/^before\nconst andFormatter = \{ format: .*\};\nafter$/)
  const { format } = new Function(`${written.slice(7, -5)}; return andFormatter`)()
  expect(format(['a', 'b', 'c'])).toBe('a, b, and c')
  expect(transform(line, '/project/main/main.ts')).toBeUndefined()
  expect(transform('something else', file)).toBeUndefined()
})

it('of dbus-next what describes objects in XML is left out, and who asks for a description gets an empty one', () => {
  const { transform } = plugin()
  const imports = [
    'assert from "node:assert"',
    'BuilderExport from "fast-xml-builder"',
    '{ XMLParser } from "fast-xml-parser"',
  ]
  const code = imports.map((each) => `import ${each};`).join('\n')
  const written = transform(code, '/project/node_modules/@jellybrick/dbus-next/dist/index.mjs')
  const { assert, BuilderExport, XMLParser } = new Function(`${written}; return { assert, BuilderExport, XMLParser }`)()
  expect(() => assert(true)).not.toThrow()
  expect(() => assert(false)).toThrow('assertion')
  expect(new BuilderExport({}).build({ node: {} })).toBe('<node/>')
  expect(() => new XMLParser()).toThrow('left out')
})

/**
 * The app creates its parts one after another. Each part receives the earlier parts that it needs. The compiler accepts
 * a function that uses a part created later, but if that function runs too early, the part doesn't exist yet. So no
 * function may use a later part.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { inProject } from './run/project.mjs'
import { nodesIn, parse } from './syntax.mjs'

/** @typedef {import('./syntax.mjs').Node} Node */

/** The names in a node that aren't variables: the `b` of `a.b` or `{ b: 1 }`. @param {Node} node @returns {Node[]} */
const namesOnly = (node) => {
  if (node.computed || node.shorthand) return []
  if (node.type === 'MemberExpression') return [node.property]
  return ['Property', 'MethodDefinition', 'PropertyDefinition'].includes(node.type) ? [node.key] : []
}

/** False for types, which don't exist at run time. True for `a as T`, `a!` and `a satisfies T`. @param {Node} node */
const isCode = ({ type }) => !type.startsWith('TS') || /^TS(?:As|NonNull|Satisfies)/.test(type)

/** The variables in a node. @param {unknown} node @returns {string[]} */
function variablesIn(node) {
  const nodes = [...nodesIn(node, isCode)]
  const names = new Set(nodes.flatMap(namesOnly))
  return nodes.filter((each) => each.type === 'Identifier' && !names.has(each)).map(({ name }) => name)
}

/** The variables and parameters that a node declares. @param {Node} node @returns {string[]} */
const declaredBy = ({ type, declarations, params }) =>
  variablesIn(type === 'VariableDeclaration' ? declarations.map((/** @type {Node} */ { id }) => id) : params)

/** The variables that a block uses in one statement and declares in a later one. @param {string} code */
function forwardReferences(code) {
  const blocks = [...nodesIn(parse(code, 'file.ts'))].filter(({ type }) => type === 'BlockStatement')
  return blocks.flatMap(({ body }) =>
    body.flatMap((/** @type {Node} */ statement, /** @type {number} */ at) => {
      const own = [...nodesIn(statement)].flatMap(declaredBy)
      const later = body.slice(at + 1).flatMap(declaredBy)
      return [...new Set(variablesIn(statement))].filter((name) => later.includes(name) && !own.includes(name))
    }),
  )
}

const files = [
  ...readdirSync(inProject('main')).map((name) => `main/${name}`),
  ...readdirSync(inProject('main', 'features')).map((name) => `main/features/${name}`),
  'main/surfaces/surfaces.ts',
].filter((file) => /(?<!\.test|\.d)\.ts$/.test(file))

it.each(files)('%s uses no part before that part is created', (file) => {
  expect(forwardReferences(readFileSync(inProject(file), 'utf8'))).toEqual([])
})

it.each([
  ['a function that uses a later part', 'const window = make(() => tray.show()); const tray = make(window)'],
  ['a later part in a shorthand property', 'const window = make({ show: () => ({ tray }) }); const tray = make()'],
  ['one of several later parts', 'const a = make(() => tray); const { window, panel: tray } = make(a)'],
  ['a part that is assigned later', 'const a = () => tray.show(); let tray'],
])('a forward reference is found: %s', (_, body) => {
  expect(forwardReferences(`function build() { ${body} }`)).toEqual(['tray'])
})

it.each([
  ['a property', 'const ports = make({ tray: 1 }); use(ports.tray, { tray() {} }); const tray = make()'],
  ['a type', 'const ports: tray = make<tray>(a as tray); const tray = make()'],
  ['a local variable', 'make((tray) => tray); if (a) { const tray = 1; use(tray) }; const tray = make()'],
])('%s with the name of a later part is not a forward reference', (_, body) => {
  expect(forwardReferences(`function build() { ${body} }`)).toEqual([])
})

/** Parses TypeScript into a syntax tree, for checks that a regular expression would get wrong. */
import { parseAst } from 'vite'

/**
 * A node, with the properties that the checks read.
 * @typedef {{ readonly type: string, readonly start: number, readonly end: number } & NodeParts} Node
 * @typedef {{ readonly [P in
 *   'arguments' | 'callee' | 'computed' | 'declarations' | 'exportKind' | 'expression' | 'id' | 'importKind' | 'key' |
 *   'name' | 'params' | 'property' | 'quasis' | 'shorthand' | 'source' | 'value' | 'body'
 * ]?: any }} NodeParts
 */

/** @param {string} code @param {string} file JSX is allowed if this name ends in x. @returns {Node} */
export const parse = (code, file) => /** @type {any} */ (parseAst(code, { lang: /x$/.test(file) ? 'tsx' : 'ts' }, file))

/**
 * A node and all nodes in it. If `enters` returns false for a node, the nodes in that node are left out.
 * @param {unknown} node
 * @param {(node: Node) => boolean} [enters]
 * @returns {Generator<Node>}
 */
export function* nodesIn(node, enters = () => true) {
  if (typeof node !== 'object' || node === null) return
  const isNode = 'type' in node && typeof node.type === 'string'
  if (isNode) {
    const self = /** @type {Node} */ (node)
    yield self
    if (!enters(self)) return
  }
  for (const child of Object.values(node)) yield* nodesIn(child, enters)
}

import { parseSync } from 'vite'

/**
 * The prose of a file: its paragraphs, comments and test titles, without the code in them.
 * @typedef {{ readonly line: number, readonly text: string }} Piece Line breaks and comment marks become single spaces.
 */

const MARKDOWN = /\.md$/
const SCRIPT = /\.(ts|tsx|mjs|cjs|js)$/
const STYLE = /\.css$/
const HASH = /\.(py|R|sh|ps1|yml|toml|fish|bash)$|^cli\/(latchkey|completions\/_latchkey)$/

/** True if `proseOf` can read this kind of file. @param {string} file */
export const hasProse = (file) => [MARKDOWN, SCRIPT, STYLE, HASH].some((kind) => kind.test(file))

/** @param {string} file @param {string} text @returns {Piece[]} */
export function proseOf(file, text) {
  const [pieces, marks] = piecesOf(file, text)
  return pieces.map(({ start, end }) => ({
    line: text.slice(0, start).split('\n').length,
    text: text
      .slice(start, end)
      .replace(/```[\s\S]*?```|`[^`\n]*`|\]\([^)]*\)|<!--[\s\S]*?-->/g, '``')
      .replace(marks, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  }))
}

/** @typedef {{ start: number, end: number }} Range */

/** The ranges of the prose, and a pattern for the comment marks in it. @param {string} file @param {string} text @returns {[Range[], RegExp]} */
function piecesOf(file, text) {
  if (MARKDOWN.test(file))
    return [matches(text, /(?:^```[\s\S]*?^```|.+(?:\n(?!\s*(?:\n|[-*|#>]|\d+\.)).+)*)/gm), /^#+ /g]
  if (STYLE.test(file)) return [matches(text, /\/\*[\s\S]*?\*\//g), MARKS]
  if (HASH.test(file)) {
    const blocks = matches(text, file.endsWith('.py') ? /"""[\s\S]*?"""/g : /<#[\s\S]*?#>/g)
    return [[...blocks, ...matches(text, /(?<=^|\s)#(?!!|>).*(?:\n[ \t]*#.*)*/gm)], /"""|<#|#>|^[ \t]*#+'?/gm]
  }
  return [[...comments(file, text), ...matches(text, TITLE, 2), ...matches(text, TABLE_TITLE, 2)], MARKS]
}

/** The marks of comments in scripts and style sheets. */
const MARKS = /^[ \t]*(?:\/\*\*?|\*\/|\*|\/\/)|\*\/$/gm

/** The title of a test. In this pattern and the next, the second group contains the text. */
const TITLE = /^\s*(?:describe|it|test)\b[^'"`\n]*(['"`])(.*?)(?<!\\)\1/gm
/** The title of a test with a table. */
const TABLE_TITLE = /^\s*\]\)\(\s*(['"`])(.*?)(?<!\\)\1/gm

/** `//` comments on successive lines count as one. @param {string} file @param {string} text */
function comments(file, text) {
  /** @type {Range[]} */
  const found = []
  for (const { type, start, end } of parseSync(file, text).comments) {
    const last = found.at(-1)
    const isNext = type === 'Line' && last !== undefined && /^\n[ \t]*$/.test(text.slice(last.end, start))
    if (isNext && text.startsWith('//', last.start)) last.end = end
    else found.push({ start, end })
  }
  return found
}

/** @param {string} text @param {RegExp} pattern @param {number} [group] */
const matches = (text, pattern, group = 0) =>
  [...text.matchAll(pattern)].map((match) => {
    const start = match.index + match[0].lastIndexOf(match[group] ?? '')
    return { start, end: start + (match[group] ?? '').length }
  })

/** Tables as text: two or more spaces between the columns, and comments after `#`. */

/** One object a line, with keys from the first line. Throws if a line has more or fewer cells. */
export function parseTable<Column extends string>(text: string): Readonly<Record<Column, string>>[] {
  const lines = text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '')
  const [columns = [], ...rows] = lines.map((line) => line.split(/ {2,}/))
  return rows.map((cells) => {
    if (cells.length !== columns.length) throw new Error(`Not ${columns.length} cells: ${cells.join(' | ')}`)
    return Object.fromEntries(cells.map((cell, index) => [columns[index], cell])) as Record<Column, string>
  })
}

/** Tables as text, because a table is read best as one. Columns stand two spaces or more apart; `#` begins a comment. */

/** One object a line, its keys from the first line. Throws where a line has more or fewer cells than the first. */
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

/** Markdown that is a table to the naked eye, too. */
export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map((column, index) =>
    Math.max(...[column, ...rows.map((row) => row[index] ?? '')].map((cell) => cell.length)),
  )
  const line = (cells: readonly string[], fill = ' ') =>
    `| ${widths.map((width, index) => (cells[index] ?? '').padEnd(width, fill)).join(' | ')} |`
  return [
    line(columns),
    line(
      columns.map(() => ''),
      '-',
    ),
    ...rows.map((row) => line(row)),
  ].join('\n')
}

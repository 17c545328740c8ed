/** Formats rows as a table, each column as wide as its widest cell. The first row is the heading. */
export const formatTable = (rows: readonly (readonly string[])[]): string => {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? []
  const lines = rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '))
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`
}

/** Formats a value as JSON for programs. */
export const formatJson = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

const widest = 100

/** Formats words separated by commas, in lines that start in the same column. */
export const formatWords = (words: readonly string[], column: number): string => {
  let width = 0
  const parts = words.map((word, at) => {
    const isOver = width + word.length > widest
    width = isOver ? word.length : width + word.length + 2
    return `${at === 0 ? '' : isOver ? `,\n${' '.repeat(column)}` : ', '}${word}`
  })
  return parts.join('')
}

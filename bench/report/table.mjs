/**
 * What a bench found, as rows under a head; the first column names what was measured.
 * @typedef {{ title: string, head: string[], rows: string[][], notes?: string[] }} Table
 */

/**
 * A bench: its name, and what it finds when it is run.
 * @typedef {{ name: string, run(): Promise<Table[]> }} Bench
 */

/** @param {string} text */
const widthOf = (text) => [...text].length

/**
 * @param {string} text
 * @param {number} width
 * @param {number} column figures stand at the right, so that their digits do too
 */
const pad = (text, width, column) => {
  const space = ' '.repeat(width - widthOf(text))
  return column === 0 ? text + space : space + text
}

/**
 * Writes a table in Markdown that lines up in a terminal too.
 * @param {Table} table
 */
export const formatTable = ({ title, head, rows, notes = [] }) => {
  const widths = head.map((name, column) =>
    Math.max(3, widthOf(name), ...rows.map((row) => widthOf(row[column] ?? ''))),
  )
  const line = (/** @type {string[]} */ cells) =>
    `| ${widths.map((width, column) => pad(cells[column] ?? '', width, column)).join(' | ')} |`
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [
    `### ${title}`,
    '',
    line(head),
    `| ${rule.join(' | ')} |`,
    ...rows.map(line),
    ...(notes.length > 0 ? ['', ...notes.map((note) => `- ${note}`)] : []),
    '',
  ].join('\n')
}

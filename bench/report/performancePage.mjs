import { readFileSync, writeFileSync } from 'node:fs'

/** @param {string} name */
const marksOf = (name) => /** @type {const} */ ([`<!-- bench ${name} -->`, `<!-- end of ${name} -->`])

/**
 * Puts what a bench found in the place of what it found last time; everything else on the page stays.
 * @param {string} path
 * @param {string} name of the bench
 * @param {string} text
 */
export const writeFindings = (path, name, text) => {
  const page = readFileSync(path, 'utf8')
  const [open, close] = marksOf(name)
  const [from, to] = [page.indexOf(open), page.indexOf(close)]
  if (from < 0 || to < from)
    throw new Error(`${path} has no place for ${name}, between ${open} and ${close}.`)
  writeFileSync(path, `${page.slice(0, from + open.length)}\n\n${text.trim()}\n\n${page.slice(to)}`)
}

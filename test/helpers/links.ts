import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { withoutCode } from './documents.js'
import { readSource, root } from './sources.js'

/** The anchors of a document: of its headings, as GitHub makes them, and those it sets itself. */
const listAnchors = (text: string): string[] => {
  const counts = new Map<string, number>()
  const headings = [...withoutCode(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = words.replace(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-')
    const count = counts.get(anchor) ?? 0
    counts.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  })
  return [...headings, ...[...text.matchAll(/<a id="([^"]+)"/g)].map(([, id = '']) => id)]
}

/** Links of a document to files that are not there, or to headings that their file lacks. */
export const findDeadLinks = (file: string, text = readSource(file)): string[] =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)]
    .map(([, inText, inTag]) => inText ?? inTag ?? '')
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? file : join(dirname(file), path)
      if (path !== '' && !existsSync(join(root, target))) return true
      if (anchor === undefined) return false
      const found = target.endsWith('.md') ? listAnchors(path === '' ? text : readSource(target)) : []
      return !found.includes(anchor)
    })

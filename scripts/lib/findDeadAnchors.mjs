import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative } from 'node:path'

/** @param {string} text */
const decode = (text) => decodeURIComponent(text.replaceAll('&amp;', '&'))

/**
 * Links of the pages in a folder to pages or anchors that are not there, as `page: link`.
 * @param {string} folder
 * @returns {string[]}
 */
export const findDeadAnchors = (folder) => {
  const pages = new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.html'))
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
      .map((file) => [relative(folder, file).replaceAll('\\', '/'), readFileSync(file, 'utf8')]),
  )
  /** @param {string | undefined} page */
  const listIds = (page = '') =>
    new Set([...page.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => decode(id)))
  const ids = new Map([...pages].map(([name, page]) => [name, listIds(page)]))
  return [...pages].flatMap(([name, page]) =>
    [...page.matchAll(/<a [^>]*href="([^"]+)"/g)]
      .map(([, href = '']) => href)
      .filter((href) => !/^([a-z]+:|\/\/)/.test(href))
      .filter((href) => {
        const [path = '', anchor] = decode(href).split('#')
        const target = path === '' ? name : posix.join(path.startsWith('/') ? '' : posix.dirname(name), path)
        const file = target.replace(/^\//, '').replace(/(^|\/)$/, '$1index.html')
        const found = ids.get(file) ?? ids.get(`${file}.html`)
        return !found || (anchor !== undefined && anchor !== '' && !found.has(anchor))
      })
      .map((href) => `${name}: ${href}`),
  )
}

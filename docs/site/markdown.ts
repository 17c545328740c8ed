import { posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { renderMermaidSVG } from 'beautiful-mermaid'
import type { MarkdownRenderer } from 'vitepress'
import { findPage } from './pages.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Returns the anchor of a heading as GitHub makes it, so that links lead to the same place on both. */
export const toSlug = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')

/** Where a link of a document leads on the site. Files of the repository that are no page have no link. */
const findTarget = (file: string, href: string): string | undefined => {
  const [path = '', anchor] = href.split('#')
  const page = findPage(posix.join(posix.dirname(file), path))
  return page && `/${page}${anchor === undefined ? '' : `#${anchor}`}`
}

/** Makes the links between documents lead to their pages. */
export const followLinks = (md: MarkdownRenderer): void => {
  md.core.ruler.push('kassa-links', ({ tokens, env }) => {
    const path: string | undefined = env.realPath ?? env.path
    // Titles are read once more, without a page.
    if (path === undefined) return
    const file = relative(root, path).replaceAll('\\', '/')
    let isDropped = false
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null
      if (href !== null && !/^([a-z]+:|#|\/)/.test(href)) {
        const target = findTarget(file, href)
        if (target) token.attrSet('href', target)
        else token.attrs = null
        isDropped = !target
      }
      if (isDropped && token.type.startsWith('link_')) token.tag = 'span'
      if (token.type === 'link_close') isDropped = false
    }
  })
}

/** Draws diagrams while the site is built, so that a page needs no script for them. */
export const drawDiagrams = (md: MarkdownRenderer): void => {
  const { fence } = md.renderer.rules
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const token = tokens[index]
    if (token?.info.trim() !== 'mermaid') return fence?.(tokens, index, ...rest) ?? ''
    // Its own style names a font of another site. The theme has the rest of the style.
    const svg = renderMermaidSVG(token.content).replace(/<style>[\s\S]*?<\/style>| style="[^"]*"/g, '')
    return `<DiagramFigure><div v-pre>${svg}</div></DiagramFigure>\n`
  }
}

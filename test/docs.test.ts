import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compileBlocks, readCodeBlocks, readExports } from './helpers/documents.js'
import { errorCodes } from './helpers/errorCodes.js'
import { listSources, readSource, root } from './helpers/sources.js'

const sources = [...listSources('src', /\.tsx?$/), ...listSources('service/src', /\.tsx?$/)]
const pages = listSources('errors', /\.md$/)
const guides = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md']
const documents = [...guides, ...pages]

/** Exports without a doc comment, or with one whose first sentence never ends. */
const findUndocumented = (file: string, text?: string): string[] =>
  readExports(file, text)
    .filter(({ comment }) => !comment || !/[.?:](\s|$)/.test(comment.replace(/^@[\s\S]*/m, '')))
    .map(({ line, name }) => `${file}:${line} ${name}`)

/** Scripts that a document tells the reader to run and package.json lacks. */
const findUnknownScripts = (text: string): string[] => {
  const scripts: Record<string, string> = JSON.parse(readSource('package.json')).scripts
  const builtIn = ['install', 'ci']
  return [...text.matchAll(/\bnpm (?:run )?([a-z][a-z:-]*)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !(name in scripts) && !builtIn.includes(name))
}

/** Links of a document to files that are not there. */
const findDeadLinks = (file: string, text = readSource(file)): string[] =>
  [...text.replace(/```[\s\S]*?```/g, '').matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)]
    .map(([, inText, inTag]) => (inText ?? inTag ?? '').replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
    .filter((target) => !existsSync(join(root, dirname(file), target)))

/** Blocks that say they are a file's, and are not, as `document:line file`. */
const findStaleExamples = (document: string, text = readSource(document)): string[] =>
  readCodeBlocks(document, text).flatMap(({ line, code }) => {
    const file = /^<!-- from (\S+) -->$/.exec(text.split('\n')[line - 3] ?? '')?.[1]
    return file && code !== readSource(file) ? [`${document}:${line} ${file}`] : []
  })

describe('doc comments', () => {
  test('behavior: every export has one whose first sentence ends', () => {
    expect(sources.length).toBeGreaterThan(50)
    expect(sources.flatMap((file) => findUndocumented(file))).toEqual([])
  })

  test('behavior: an export without one, or with an unfinished one, is found', () => {
    const text = [
      'export const a = 1',
      '/** Half a sentence */',
      'export function b() {}',
      '/** A whole one. */',
      'export type C = string',
    ].join('\n')
    expect(findUndocumented('x.ts', text)).toEqual(['x.ts:1 a', 'x.ts:3 b'])
  })

  test('behavior: every example compiles', () => {
    const blocks = sources
      .filter((file) => file.startsWith('src/'))
      .flatMap((file) => readCodeBlocks(file))
      .filter(({ language }) => /^tsx?$/.test(language))
    expect(blocks.length).toBeGreaterThan(2)
    expect(compileBlocks('examples', blocks)).toEqual([])
  })
})

describe('error pages', () => {
  test('behavior: every code has a page, and every page a code', () => {
    expect(pages).toEqual(errorCodes.map((code) => `errors/${code}.md`).sort())
  })

  test.each(pages)('behavior: %s names its code, the cause and the remedy', (page) => {
    const headings = [...readSource(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading)
    expect(headings).toEqual([page.slice('errors/'.length, -'.md'.length), 'Cause', 'Remedy'])
  })
})

describe('documents', () => {
  test('behavior: every block of TypeScript compiles against the library', () => {
    const blocks = documents
      .flatMap((file) => readCodeBlocks(file))
      .filter(({ language }) => /^tsx?$/.test(language))
    expect(blocks.length).toBeGreaterThan(4)
    expect(compileBlocks('documents', blocks)).toEqual([])
  })

  test('behavior: README shows the examples of the stories, every one as it is', () => {
    const readme = readSource('README.md')
    const shown = [...readme.matchAll(/^<!-- from (\S+) -->\n\n```tsx$/gm)].map(([, file]) => file)
    expect(shown).toEqual(
      ['Providers', 'ByHooks', 'FromParts', 'OneLine'].map((name) => `stories/checkout/examples/${name}.tsx`),
    )
    expect(findStaleExamples('README.md')).toEqual([])
    expect(findStaleExamples('README.md', readme.replace('<Checkout.Total />', '<Checkout.Sum />'))).toEqual([
      expect.stringMatching(/^README\.md:\d+ stories\/checkout\/examples\/FromParts\.tsx$/),
    ])
  })

  test('behavior: the storefront shows an example of the stories', () => {
    const page = readSource('examples/next/app/checkout/[orderId]/panel/page.tsx')
    expect(page).toContain("/stories/checkout/examples/OneLine'")
  })

  test('behavior: a block that does not compile is told by its document and line', () => {
    const blocks = readCodeBlocks(
      'x.md',
      'text\n```ts\nexport const a = 1\nexport const b: string = a\n```\n',
    )
    expect(compileBlocks('broken', blocks)).toEqual([expect.stringMatching(/^x\.md:4: error TS2322/)])
  })

  test.each(guides)('behavior: %s names only scripts that exist', (guide) => {
    expect(findUnknownScripts(readSource(guide))).toEqual([])
    expect(findUnknownScripts('run `npm run no-such-script`')).toEqual(['no-such-script'])
  })

  test.each(documents)('behavior: the links of %s lead to files', (document) => {
    expect(findDeadLinks(document)).toEqual([])
    expect(findDeadLinks(document, '[x](./no-such-file.md)')).toEqual(['./no-such-file.md'])
  })
})

import { basename, dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findPage } from '../docs/site/pages.js'
import { sidebar } from '../docs/site/sidebar.js'
import { createDocument } from '../service/src/interface/openapi/createDocument.js'
import { routes } from '../service/src/interface/routes/index.js'
import { members } from '../src/schema/index.js'
import { compileBlocks } from './helpers/compileBlocks.js'
import { readCodeBlocks, readCommands, readPackage, withoutCode } from './helpers/documents.js'
import { errorCodes } from './helpers/errorCodes.js'
import { findDeadLinks } from './helpers/links.js'
import { findUnknownCommands, listOperatorCommands } from './helpers/operatorCommands.js'
import { isParsed, parseBlock } from './helpers/parseBlock.js'
import { listPartNames } from './helpers/partNames.js'
import { readExports } from './helpers/readExports.js'
import { listSources, readSource } from './helpers/sources.js'

const sources = [...listSources('src', /\.tsx?$/), ...listSources('service/src', /\.tsx?$/)]
const pages = listSources('errors', /\.md$/)
const guides = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'service/README.md',
  ...listSources('docs', /\.md$/).filter((file) => dirname(file) === 'docs'),
]
const documents = [...guides, ...pages]
const blocks = documents.flatMap((file) => readCodeBlocks(file))
type SampledDocument = {
  paths: Record<
    string,
    Record<string, { operationId: string; 'x-codeSamples': { label: string; source: string }[] }>
  >
}
const isCompiled = (language: string): boolean => /^tsx?$/.test(language)
/** Whether a block is held against a file, which is compiled or run where it is. */
const isFromFile = (mark: string): boolean => mark.startsWith('from ')
const isOnReadersMachine = (mark: string): boolean => mark === 'on your machine'

/** Exports without a doc comment, or with one whose first sentence never ends. */
const findUndocumented = (file: string, text?: string): string[] =>
  readExports(file, text)
    .filter(({ comment }) => !comment || !/[.?:](\s|$)/.test(comment.replace(/^@[\s\S]*/m, '')))
    .map(({ line, name }) => `${file}:${line} ${name}`)

/** Scripts that the words of a document tell the reader to run and package.json lacks. */
const findUnknownScripts = (text: string): string[] =>
  [...withoutCode(text).matchAll(/\bnpm run ([a-z][\w:-]*)|`npm (start|test)\b/g)]
    .map(([, named, short]) => named ?? short ?? '')
    .filter((name) => !(name in readPackage().scripts))

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
    const examples = sources
      .filter((file) => file.startsWith('src/'))
      .flatMap((file) => readCodeBlocks(file))
      .filter(({ language }) => isCompiled(language))
    expect(examples.length).toBeGreaterThan(2)
    expect(compileBlocks('examples', examples)).toEqual([])
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

describe('blocks of code', () => {
  test('behavior: every one is compiled, parsed, run, drawn, a file, or the reader’s own', () => {
    const known = ({ language, mark }: (typeof blocks)[number]): boolean =>
      isCompiled(language) || isParsed(language) || ['sh', 'mermaid'].includes(language) || isFromFile(mark)
    const others = blocks.filter((block) => !known(block) && !isOnReadersMachine(block.mark))
    expect(others.map(({ file, line, language }) => `${file}:${line} ${language}`)).toEqual([])
  })

  test('behavior: TypeScript compiles against the library', () => {
    const written = blocks.filter(({ language, mark }) => isCompiled(language) && !isFromFile(mark))
    expect(written.length).toBeGreaterThan(20)
    expect(compileBlocks('documents', written)).toEqual([])
  })

  test('behavior: the samples of the interface compile, one for each operation', () => {
    const { paths } = createDocument(routes, 'http://localhost:4000') as SampledDocument
    const samples = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .map(({ operationId, 'x-codeSamples': written }) => {
        expect(written.map(({ label }) => label)).toEqual(['curl', 'TypeScript'])
        const code = written.find(({ label }) => label === 'TypeScript')?.source ?? ''
        return { file: operationId, line: 0, language: 'ts', mark: '', code }
      })
    // Three are paid for by x402, which needs no key.
    expect(samples).toHaveLength(routes.length + 3)
    expect(compileBlocks('samples', samples)).toEqual([])
  })

  test('behavior: a block that does not compile is reported by its document and line', () => {
    const broken = readCodeBlocks(
      'x.md',
      'text\n```ts\nexport const a = 1\nexport const b: string = a\n```\n',
    )
    expect(compileBlocks('broken', broken)).toEqual([expect.stringMatching(/^x\.md:4: error TS2322/)])
  })

  test('behavior: CSS, JSON, YAML and settings parse', async () => {
    expect((await Promise.all(blocks.map(parseBlock))).flat()).toEqual([])
    const broken = readCodeBlocks('x.md', '```json\n{\n```\n```css\na {\n```\n')
    expect(await Promise.all(broken.map(parseBlock))).toEqual([
      [expect.stringMatching(/^x\.md:1: /)],
      [expect.stringMatching(/^x\.md:4: /)],
    ])
  })

  test('behavior: README and the guide of the parts show the examples of the stories', () => {
    const shownIn = (file: string) =>
      readCodeBlocks(file).flatMap(({ mark }) => /^from (.*)$/.exec(mark)?.[1] ?? [])
    const toFile = (name: string) => `stories/checkout/examples/${name}.tsx`
    expect(shownIn('README.md')).toEqual([toFile('OneLine')])
    expect(shownIn('docs/checkout.md')).toEqual(['Providers', 'ByHooks', 'FromParts', 'OneLine'].map(toFile))
    const page = readSource('examples/next/app/checkout/[orderId]/panel/page.tsx')
    expect(page).toContain("/stories/checkout/examples/OneLine'")
  })
})

describe('commands', () => {
  test('behavior: those of the operator are the ones that its own help knows', async () => {
    const commands = await listOperatorCommands()
    const texts = [
      // The reference is made of these.
      ...documents,
      ...sources,
      'docs/reference/introductions.mjs',
      ...['.changeset', 'errors', 'examples'].flatMap((folder) => listSources(folder, /\.(md|tsx?)$/)),
    ]
    expect(commands.length).toBeGreaterThan(15)
    expect(texts.flatMap((file) => findUnknownCommands(commands, file, readSource(file)))).toEqual([])
    const broken = '`kassa keys` `kassa-service fly` `kassa-service keys fly` `kassa-service keys create x`'
    expect(
      findUnknownCommands(commands, 'x.md', `${broken}\n\`\`\`sh\nnpx kassa-service walk\n\`\`\`\n`),
    ).toEqual(
      ['npx kassa-service walk', 'kassa keys', 'kassa-service fly', 'kassa-service keys fly'].map(
        (typed) => `x.md: ${typed}`,
      ),
    )
  })

  test('behavior: both packages are installed at once, from a clone beside the app', () => {
    const installs = blocks
      .filter(({ language }) => language === 'sh')
      .flatMap(readCommands)
      .filter((command) => /^npm install .*\.tgz/.test(command))
    const packed = ['kassa', 'kassa-service'].map((name) => `../kassa/.kassa/packages/${name}.tgz`)
    expect(installs.length).toBeGreaterThan(2)
    for (const command of installs)
      expect(command.split(' ').filter((word) => word.endsWith('.tgz'))).toEqual(packed)
  })

  test.each(guides)('behavior: %s names only scripts that exist', (guide) => {
    expect(findUnknownScripts(readSource(guide))).toEqual([])
    expect(findUnknownScripts('run `npm run no-such-script`')).toEqual(['no-such-script'])
  })
})

describe('links', () => {
  test.each(documents)('behavior: those of %s lead somewhere', (document) => {
    expect(findDeadLinks(document)).toEqual([])
  })

  test('behavior: one to a file or a heading that is not there is found', () => {
    const text = '# A b\n[x](./no-such-file.md) [y](#a-b) [z](#a-c) [w](LICENSE) [v](README.md#no-heading)'
    expect(findDeadLinks('x.md', text)).toEqual(['./no-such-file.md', '#a-c', 'README.md#no-heading'])
  })
})

describe('lists', () => {
  const namesIn = (file: string, pattern: RegExp): string[] =>
    [...readSource(file).matchAll(pattern)].map(([, name = '']) => name)

  test('behavior: every guide is in the table of contents', () => {
    const listed = namesIn('docs/README.md', /\]\((?!\.\.)([^)]+)\)/g)
    const written = guides.filter((file) => dirname(file) === 'docs').map((file) => basename(file))
    expect([...listed, 'README.md'].sort()).toEqual(written.sort())
  })

  test('behavior: every page of the site is in its sidebar', () => {
    type Item = { link?: string; items?: Item[] }
    const linksOf = ({ link, items = [] }: Item): string[] => [
      ...(link ? [link] : []),
      ...items.flatMap(linksOf),
    ]
    const listed = sidebar.flatMap(linksOf).map((link) => link.replace(/^\/|\.html$/g, ''))
    const written = documents.flatMap((file) => findPage(file)?.replace(/\.md$/, '') ?? [])
    expect(written.length).toBeGreaterThan(50)
    expect(written.filter((page) => page !== 'index' && !listed.includes(page))).toEqual([])
  })

  test('behavior: styling lists every property of the stylesheet and every part', () => {
    const properties = namesIn('src/theme.css', /^ \* {3}(--kassa-[\w-]+)/gm)
    expect(namesIn('docs/styling.md', /^\| `(--kassa-[\w-]+)`/gm)).toEqual(properties)
    const told = readSource('docs/styling.md')
    expect(listPartNames().filter((name) => !told.includes(`\`${name}\``))).toEqual([])
  })

  test('behavior: one line imports the stylesheet beside Tailwind', () => {
    const written = guides.flatMap(
      (file) => readSource(file).match(/@import ["']kassa[^;]*;|@layer theme[^;]*;/g) ?? [],
    )
    expect(written.length).toBeGreaterThan(1)
    expect(new Set(written)).toEqual(new Set(['@import "kassa/theme.css" layer(components);']))
  })

  test('behavior: webhooks lists every type of event', () => {
    const told = namesIn('docs/webhooks.md', /`((?:collections|nfts|orders|wallets)\.(?:\w+\.\w+|shipped))`/g)
    expect([...new Set(told)].sort()).toEqual([...members.webhookEventTypes].sort())
  })
})

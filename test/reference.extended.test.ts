import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { Checkout } from '../src/index.js'
import { readPackage } from './helpers/documents.js'
import { findDeadLinks } from './helpers/links.js'
import { listSources, readSource, root } from './helpers/sources.js'

const folder = '.kassa/reference'
const entries = Object.entries(readPackage().exports).flatMap(([entry, targets]) => {
  const source = typeof targets === 'string' ? undefined : targets['@kassa/source']
  return source?.endsWith('.ts') && !entry.includes('*') ? [{ entry, source }] : []
})

/** The page of an entry: `kassa` for the first, its last word for any other. */
const pageOf = (entry: string): string => `${entry === '.' ? 'kassa' : entry.slice('./'.length)}.md`

/** Names that a source gives away, types too, without those of whole modules. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) =>
    list.split(',').flatMap((item) => /(\w+)\s*$/.exec(item)?.[1] ?? []),
  )

beforeAll(() => {
  execFileSync(process.execPath, ['scripts/reference.mjs', folder], {
    cwd: root,
    env: { ...process.env, KASSA_QUIET: '1' },
  })
})

describe('default', () => {
  test('there is a page for each entry, and one that lists them', () => {
    const made = listSources(folder, /\.md$/).map((path) => path.slice(folder.length + 1))
    expect(made).toEqual([...entries.map(({ entry }) => pageOf(entry)), 'README.md'].sort())
  })

  test.each(entries)(
    'the page of $entry has every name that the entry exports',
    async ({ entry, source }) => {
      const page = readSource(`${folder}/${pageOf(entry)}`)
      const values: string[] = Object.keys(await import(join(root, source)))
      const parts = entry === '.' ? Object.keys(Checkout).map((part) => `Checkout.${part}`) : []
      const names = new Set([...values, ...parts, ...namesIn(readSource(source.slice('./'.length)))])
      expect(names.size).toBeGreaterThan(0)
      const headings = [...page.matchAll(/^### ([\w.]+)/gm)].map(([, name]) => name)
      // A page introduces the namespaces of its entry at its top.
      const namespaces = ['Checkout', 'fields', 'members', 'operations']
      expect([...names].filter((name) => !headings.includes(name) && !namespaces.includes(name))).toEqual([])
    },
  )
})

test('behavior: every link of a page leads somewhere', () => {
  const pages = listSources(folder, /\.md$/)
  expect(pages.flatMap((page) => findDeadLinks(page))).toEqual([])
  expect(findDeadLinks(`${folder}/kassa.md`, '[a](schema.md#no-heading)')).toEqual(['schema.md#no-heading'])
})

/** What a page says a function takes and gives. */
const signaturesIn = (page: string): string[] =>
  [...page.matchAll(/^```ts\n(function [\s\S]*?)^```/gm)].map(([, signature = '']) => signature)

test('behavior: a signature shows its types, and links those that have an entry', () => {
  const signatures = listSources(folder, /\.md$/).flatMap((page) => signaturesIn(readSource(page)))
  expect(signatures.length).toBeGreaterThan(80)
  const vague = /\[key: string\]: unknown|[:&] object\b|^function \w+(?:<.*>)?\(\w+\??[,)]/
  expect(signatures.filter((signature) => vague.test(signature))).toEqual([])
  expect(
    ['function a(b): c', 'function a(): object[]', 'function a(b: B & object): c'].every((text) =>
      vague.test(text),
    ),
  ).toBe(true)
  expect(signatures.join()).toContain('parameters: GetOrderParameters): Promise<Order>')
})

test('behavior: of the fixtures there are only the names', () => {
  const [section = ''] = /^### orders$[\s\S]*?(?=^### )/m.exec(readSource(`${folder}/testing.md`)) ?? []
  expect(section).toContain('awaitingPaymentNative')
  expect(section).not.toContain('lineItems.')
})

test('behavior: nothing of a machine and no unfinished comment is on a page', () => {
  for (const page of listSources(folder, /\.md$/)) {
    const text = readSource(page)
    expect(text).not.toContain(root)
    expect(text).not.toMatch(/Defined in|\{@\w+|\bundefined\]|github\.com/)
  }
})

import { expect, test } from 'vitest'
import { listSources, readSource } from './helpers/sources.js'

const documents = ['README.md', ...listSources('docs', /^[\w-]+\.md$/)]

/** Fills each block of code under `<!-- from path -->` with that file. */
const fill = (text: string): string =>
  text.replace(
    /(<!-- from (\S+) -->\n+```\w*\n)[\s\S]*?(?=^```$)/gm,
    (_, start: string, path: string) => start + readSource(path),
  )

test.each(documents)('the files that %s shows', async (document) => {
  await expect(fill(readSource(document))).toMatchFileSnapshot(`../${document}`)
})

test('behavior: a block is filled with its file, and what follows stays', () => {
  const filled = fill('<!-- from LICENSE -->\n\n```txt\nold\n```\n\nAfter it.\n')
  expect(filled).toContain(readSource('LICENSE'))
  expect(filled).toMatch(/\n```\n\nAfter it\.\n$/)
})

import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { cidOf } from '../../src/storage/cidOf.js'

const pictures = new URL('../../src/sandbox/pictures/', import.meta.url)
const readme = new URL('../../../README.md', import.meta.url)

test('behavior: the picture of the first token in README is one that the sandbox holds', async () => {
  const [, cid] = /"image": "ipfs:\/\/(\w+)"/.exec(await readFile(readme, 'utf8')) ?? []
  const files = (await readdir(pictures)).map((name) => readFile(new URL(name, pictures)))
  expect(await Promise.all(files.map(async (bytes) => cidOf(await bytes)))).toContain(cid)
})

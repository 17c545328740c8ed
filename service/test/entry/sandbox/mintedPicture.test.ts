import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { cidOf } from '#adapters/storage/cidOf.js'

const pictures = new URL('../../../src/entry/sandbox/pictures/', import.meta.url)
const guide = new URL('../../../../docs/minting.md', import.meta.url)

test('behavior: the sandbox has the picture of the first token in docs/minting.md', async () => {
  const [, cid] = /"image": "ipfs:\/\/(\w+)"/.exec(await readFile(guide, 'utf8')) ?? []
  expect(cid).toBeDefined()
  const files = (await readdir(pictures)).map((name) => readFile(new URL(name, pictures)))
  expect(await Promise.all(files.map(async (bytes) => cidOf(await bytes)))).toContain(cid)
})

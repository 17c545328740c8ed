import { expect, test } from 'vitest'
import type { Deps } from '#base/deps.js'
import { readTokenMetadata } from '#holdings/tokens/readTokenMetadata.js'

const encode = (value: unknown) =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))

const createDeps = (files: Record<string, unknown>) => {
  const asked: string[] = []
  const find = (name: string) => (name in files ? encode(files[name]) : undefined)
  const clock = { nowMs: 1_800_000_000_000 }
  const deps: Pick<Deps, 'storage' | 'safeFetch' | 'now'> = {
    now: () => clock.nowMs,
    storage: {
      put: async () => '',
      describe: async (cid) => {
        const bytes = find(cid)
        return bytes && { contentType: 'application/json', size: bytes.length }
      },
      get: async (cid) => {
        const bytes = find(cid)
        return bytes && { contentType: 'application/json', bytes }
      },
    },
    safeFetch: async (url, most = Number.POSITIVE_INFINITY) => {
      asked.push(url)
      const bytes = find(url)
      if (most > mebibyte) throw new Error(`asks for ${most} bytes`)
      if (files[url] === 'never') return new Promise(() => {})
      if (!bytes) throw new Error('answered with status 404')
      return { contentType: 'application/json', bytes }
    },
  }
  const read = async (uri: string | undefined, tokenId = '1') =>
    (await readTokenMetadata(deps, [{ tokenId, token: { uri } }]))[0]
  return { asked, clock, deps, read }
}

const mebibyte = 1024 * 1024
const one = { name: 'One', image: 'ipfs://one' }

test.each([
  ['the storage', 'ipfs://bafyone', one],
  ['the storage, by a path of gateways', 'ipfs://ipfs/bafyone', one],
  ['a server', 'https://shop.example/1.json', one],
  ['itself', `data:application/json,${encodeURIComponent(JSON.stringify(one))}`, one],
  [
    'itself, in base64',
    `data:application/json;charset=utf-8;base64,${Buffer.from(JSON.stringify(one)).toString('base64')}`,
    one,
  ],
  ['nowhere', undefined, {}],
  ['a file that there is not', 'ipfs://bafytwo', {}],
  ['a server that has nothing', 'https://shop.example/2.json', {}],
  ['a file of this machine', 'file:///etc/passwd', {}],
  ['what is no URI', '\u0000{', {}],
  ['half an escape', 'data:application/json,%', {}],
])('parameters: uri, of %s', async (_what, uri, expected) => {
  const { read } = createDeps({ bafyone: one, 'https://shop.example/1.json': one })
  expect(await read(uri)).toEqual(expected)
})

test('parameters: uri, of a contract whose tokens share one', async () => {
  const id = 'a'.padStart(64, '0')
  const { read } = createDeps({ [`https://shop.example/${id}.json`]: one })
  expect(await read('https://shop.example/{id}.json', '10')).toEqual(one)
})

test.each([
  ['no object', '"One"', {}],
  ['no JSON', '<html>', {}],
  ['other kinds', { name: 1, image: null, attributes: 'many' }, {}],
  ['too much of it', { name: 'n'.repeat(2_000), image: 'ipfs://one' }, { image: 'ipfs://one' }],
  [
    'attributes of all kinds',
    { attributes: [{ trait_type: 'Size', value: 7 }, 'loose', null, { value: 'x'.repeat(9_000) }] },
    { attributes: [{ trait_type: 'Size', value: 7 }] },
  ],
  ['more than is shown', { ...one, owner: 'Ada', collection: { name: 'Not theirs' } }, one],
  ['pages of it', { name: 'One', rest: 'x'.repeat(1_100_000) }, {}],
])('behavior: metadata with %s show what is good of them', async (_what, json, expected) => {
  const { read } = createDeps({ bafyone: json })
  expect(await read('ipfs://bafyone')).toEqual(expected)
})

test('behavior: a name that turns the line round, or hides something, is shown as it is read', async () => {
  const strange = { name: 'Fr\u202Eee\u200B', description: 'One\ntwo\u2066' }
  const { read } = createDeps({ 'https://shop.example/1.json': strange })
  expect(await read('https://shop.example/1.json')).toMatchObject({ name: 'Free', description: 'One\ntwo' })
})

test('behavior: what a server has is not fetched again for every reader', async () => {
  const { read, asked } = createDeps({ 'https://shop.example/1.json': one })
  await Promise.all([read('https://shop.example/1.json'), read('https://shop.example/1.json')])
  await read('https://shop.example/1.json')
  expect(asked).toHaveLength(1)
})

test('behavior: it is fetched anew after five minutes, and what could not be had sooner', async () => {
  const files: Record<string, unknown> = { 'https://shop.example/1.json': one }
  const { read, asked, clock } = createDeps(files)
  const both = async () => [
    await read('https://shop.example/1.json'),
    await read('https://shop.example/2.json'),
  ]
  expect(await both()).toEqual([one, {}])
  files['https://shop.example/1.json'] = { name: 'New' }
  files['https://shop.example/2.json'] = { name: 'Two' }
  clock.nowMs += 29_999
  expect(await both()).toEqual([one, {}])
  clock.nowMs += 1
  expect(await both()).toEqual([one, { name: 'Two' }])
  clock.nowMs += 5 * 60_000
  expect(await both()).toEqual([{ name: 'New' }, { name: 'Two' }])
  expect(asked).toHaveLength(5)
})

test('behavior: a server that does not answer keeps no list waiting', async () => {
  const { deps } = createDeps({ 'https://slow.example': 'never', bafyone: one })
  const token = (uri: string) => ({
    contract: '0x',
    tokenId: '1',
    token: { standard: 'ERC-721' as const, uri, expiresAt: undefined },
  })
  const tokens = [token('https://slow.example'), token('ipfs://bafyone')]
  expect(await readTokenMetadata(deps, tokens)).toEqual([{}, one])
})

import { expect, test } from 'vitest'
import { cidOf } from '#adapters/storage/cidOf.js'
import { ipfsCid, wrappedLeaf } from '../../helpers/ipfsCid.js'

const chunkBytes = 262_144
const mebibyte = 1024 * 1024

/** As published: by Kubo's own tests for `ipfs add --cid-version=1`, and for the empty file. */
const published = [
  ['hello\n', 'bafkreicysg23kiwv34eg2d7qweipxwosdo2py4ldv42nbauguluen5v6am'],
  ['hello world', 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e'],
  ['', 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'],
] as const

test.each(published)('default, %j', async (text, cid) => {
  const bytes = new TextEncoder().encode(text)
  expect(await cidOf(bytes)).toBe(cid)
  expect(ipfsCid(bytes)).toBe(cid)
})

test('behavior: the tests work out a tree of blocks as the published vector of js-unixfs has it', () => {
  const bytes = Uint8Array.from({ length: 3 * chunkBytes }, (_, index) => Math.floor(index / chunkBytes) + 1)
  expect(ipfsCid(bytes, wrappedLeaf)).toBe('bafybeiegda62p2cdi5sono3h3hqjnxwc56z4nocynrj44rz7rtc2p246cy')
})

test.each([1, chunkBytes - 1, chunkBytes, chunkBytes + 1, mebibyte, mebibyte + 1, 7_654_321, 20 * mebibyte])(
  'parameters: %i bytes',
  async (size) => {
    const bytes = Uint8Array.from({ length: size }, (_, index) => (index * 31 + (index >> 10)) % 256)
    const cid = await cidOf(bytes)
    expect(cid).toBe(ipfsCid(bytes))
    expect(cid).toMatch(size > chunkBytes ? /^bafybei[a-z2-7]{52}$/ : /^bafkrei[a-z2-7]{52}$/)
  },
)

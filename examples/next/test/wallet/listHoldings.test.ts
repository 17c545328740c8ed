import { beforeEach, expect, test, vi } from 'vitest'
import { GET } from '../../app/api/holdings/route'

const address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const edition = { id: 'dunes', locator: 'kassa:dunes', chain: 'base-sepolia', price: '1', currency: 'eth' }
const token = (id: string, collection: object) => ({
  chain: 'base-sepolia',
  contractAddress: address,
  tokenId: id,
  locator: `base-sepolia:${address}:${id}`,
  metadata: { name: `No. ${id}`, collection },
})

let pages: unknown[]
let asked: string[]
beforeEach(() => {
  pages = [[token('1', { id: 'dunes' }), token('2', { id: 'tickets' }), token('3', {})], []]
  asked = []
  vi.stubEnv('KASSA_SERVER_KEY', `sk_staging_${'k'.repeat(43)}`)
  vi.stubGlobal('fetch', async (input: RequestInfo | URL) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.pathname === '/sandbox')
      return Response.json({ chains: { 'base-sepolia': { rpcPath: '/rpc' } }, collections: [edition] })
    asked.push(decodeURIComponent(url.pathname))
    const page = pages.shift()
    return page ? Response.json(page) : Response.json({ error: true, message: 'Chain away' }, { status: 503 })
  })
})

const get = async (query: string) => {
  const { NextRequest } = await import('next/server')
  return GET(new NextRequest(`http://localhost/api/holdings?${query}`))
}

test('default: the editions of this shop, and no other tokens', async () => {
  const answer = await get(`chain=base-sepolia&address=${address}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(await answer.json()).toMatchObject([{ tokenId: '1' }])
  expect(asked[0]).toContain(`/wallets/base-sepolia:${address}/nfts`)
})

test.each([
  ['chain=nowhere&address=0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC', 400],
  ['chain=base-sepolia&address=me%3Abase', 400],
  ['chain=base-sepolia', 400],
])('error: %s is not passed on', async (query, status) => {
  expect((await get(query)).status).toBe(status)
  expect(asked).toEqual([])
})

test('error: a chain that does not answer', async () => {
  pages = []
  expect((await get(`chain=base-sepolia&address=${address}`)).status).toBe(503)
})

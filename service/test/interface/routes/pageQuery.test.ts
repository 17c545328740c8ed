import { Wallet } from 'kassa/schema'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createShop, testPayer } from '../../helpers/createShop.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const shop = openBeforeAll(createShop)
let wallet: Wallet
beforeAll(async () => {
  const body = { type: 'evm-smart-wallet' }
  wallet = z.parse(Wallet, await (await shop.send('POST', '/api/2022-06-09/wallets', { body })).json())
})

test.each([
  ['collections', () => '/collections', { results: [] }],
  ['NFTs', () => '/collections/prints/nfts', []],
  ['templates', () => '/collections/prints/templates', []],
  ['transactions', () => `/wallets/${wallet.address}/transactions`, { transactions: [] }],
  ['tokens in a wallet', () => `/wallets/base-sepolia:${testPayer}/nfts`, []],
])('parameters: page of %s: past the end, it is empty', async (_, path, empty) => {
  const list = async (page: string) => {
    const response = await shop.send('GET', `/api/2022-06-09${path()}?page=${page}&perPage=100`)
    return [response.status, await response.json()]
  }
  for (const page of ['1000000000', '9'.repeat(40), '9'.repeat(100)]) {
    expect(await list(page)).toEqual([200, empty])
  }
  const [status, refusal] = await list('9'.repeat(101))
  expect(status).toBe(400)
  expect(JSON.stringify(refusal)).toContain('"page: expected 100 digits or fewer"')
})

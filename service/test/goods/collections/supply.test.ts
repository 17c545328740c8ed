import { eq } from 'drizzle-orm'
import { getCollection, mintNft } from 'kassa/api'
import { expect, test } from 'vitest'
import { collections } from '#base/db/tables/index.js'
import { createShop } from '../../helpers/createShop.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const shop = openBeforeAll(createShop)

test('behavior: a collection says what is minted, and what is kept for paid orders', async () => {
  const read = async () => (await getCollection(shop.client, { collectionId: 'prints' })).supply
  expect(await read()).toEqual({ minted: 0, reserved: 0 })
  const metadata = {
    name: 'First',
    image: 'ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy',
  }
  const body = { recipient: 'email:ada@example.com:base-sepolia', metadata }
  await mintNft(shop.client, { collectionId: 'prints', body })
  expect(await read()).toEqual({ minted: 1, reserved: 0 })
  await shop.deps.db.update(collections).set({ reservedCount: 2 }).where(eq(collections.id, 'prints'))
  expect(await read()).toEqual({ minted: 1, reserved: 2 })
})

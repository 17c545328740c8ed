import { type EvmChainName, evmChains } from 'kassa/schema'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { createMint } from '../../helpers/createMint.js'
import { createTestChain } from '../../helpers/createTestChain.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'

let database: OpenDatabase
const operatorKey = generatePrivateKey()

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

test.each(Object.keys(evmChains) as EvmChainName[])('default: %s', async (name) => {
  const world = await createTestChain(name, { database, operatorKey })
  try {
    expect(await world.client.getChainId()).toBe(evmChains[name].chainId)
    const { collection, contractAddress } = await world.createCollection()
    const token = createMint()
    const result = await world.chain.mint(`mint:${collection.key}`, { collection, tokens: [token] })
    expect(result.status).toBe('succeeded')
    expect(await world.chain.ownerOf({ contractAddress, tokenId: 1n })).toBe(token.recipient)
    expect(world.chain.currencies[0]?.currency).toBe(evmChains[name].nativeCurrency)
  } finally {
    await world.close()
  }
})

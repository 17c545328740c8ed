import { eq } from 'drizzle-orm'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Collection721 } from '#adapters/chains/evm/artifacts/Collection721.js'
import { Collection1155 } from '#adapters/chains/evm/artifacts/Collection1155.js'
import { chainTransactions } from '#base/db/tables/chainTransactions.js'
import type { TokenMint } from '#base/ports/collections.js'
import { attemptKey } from '#base/ports/write.js'
import { createMint } from '../../../helpers/createMint.js'
import { createTestChain } from '../../../helpers/createTestChain.js'

let world: Awaited<ReturnType<typeof createTestChain>>

beforeAll(async () => {
  world = await createTestChain()
})
afterAll(() => world.close())

const standards = ['erc-721', 'erc-1155', 'erc-5643'] as const

const forget = (key: string) =>
  world.db.delete(chainTransactions).where(eq(chainTransactions.key, `base-sepolia:${key}`))

const createUpdated = async (
  change: Parameters<typeof world.createCollection>[0] = {},
  ...tokens: TokenMint[]
) => {
  const { collection, terms, contractAddress } = await world.createCollection(change)
  await world.chain.mint(`mint:${collection.key}`, { collection, tokens: [createMint(), ...tokens] })
  const at = { address: contractAddress, ...Collection721 }
  return {
    at,
    key: (name: string) => `${name}:${collection.key}`,
    read: (functionName: 'name' | 'symbol' | 'contractURI' | 'supplyLimit' | 'revision' | 'transferable') =>
      world.client.readContract({ ...at, functionName }),
    update: (name: string, revision: bigint, changed: Partial<typeof terms>) =>
      world.chain.updateCollection(`${name}:${collection.key}`, {
        collection,
        revision,
        terms: { ...terms, ...changed },
      }),
    updateToken: (name: string, revision: bigint, uri: string, tokenId = 1n) =>
      world.chain.updateToken(`${name}:${collection.key}`, { collection, tokenId, revision, uri }),
    readUri: () =>
      collection.standard === 'erc-1155'
        ? world.client.readContract({
            address: contractAddress,
            ...Collection1155,
            functionName: 'uri',
            args: [1n],
          })
        : world.client.readContract({ ...at, functionName: 'tokenURI', args: [1n] }),
  }
}

describe('updateCollection', () => {
  test.each(standards)('default: %s', async (standard) => {
    const { at, update, read } = await createUpdated({ standard })
    const changed = { name: 'Tea', symbol: 'TEA', uri: 'ipfs://tea', supplyLimit: 5n }
    expect((await update('one', 1n, changed)).status).toBe('succeeded')
    expect(await read('name')).toBe('Tea')
    expect(await read('symbol')).toBe('TEA')
    expect(await read('contractURI')).toBe('ipfs://tea')
    expect(await read('supplyLimit')).toBe(5n)
    expect(await read('revision')).toBe(1n)
    const events = { ...at, fromBlock: 0n, eventName: 'ContractURIUpdated' } as const
    expect(await world.client.getContractEvents(events)).toHaveLength(1)
  })

  test('behavior: a late update undoes nothing, and counts as done by the newer one', async () => {
    const { update, read } = await createUpdated()
    const third = await update('third', 3n, { name: 'Third' })
    expect(third.status).toBe('succeeded')
    expect(await update('second', 2n, { name: 'Second' })).toEqual(third)
    expect(await read('name')).toBe('Third')
  })

  test('behavior: many concurrent updates end with the newest, and all succeed', async () => {
    const { update, read } = await createUpdated()
    const revisions = [3n, 1n, 5n, 2n, 4n]
    const results = await Promise.all(
      revisions.map((revision) => update(`many${revision}`, revision, { name: `Name ${revision}` })),
    )
    expect(results.map(({ status }) => status)).toEqual(revisions.map(() => 'succeeded'))
    expect(await read('name')).toBe('Name 5')
  })

  test('behavior: an update whose record is lost is found under any key', async () => {
    const { update, key } = await createUpdated()
    const first = await update('one', 1n, { name: 'Tea' })
    await forget(key('one'))
    expect(await update('one', 1n, { name: 'Tea' })).toEqual(first)
    expect(await update('two', 1n, { name: 'Tea' })).toEqual(first)
  })

  test('error: a supply limit below the minted supply, followed by an attempt with another', async () => {
    const { update, read } = await createUpdated({}, createMint({ tokenId: 2n }))
    expect(await update('low', 1n, { supplyLimit: 1n })).toMatchObject({
      status: 'failed',
      reason: 'SupplyLimitTooLow(2)',
      call: { functionName: 'update', arguments: ['1', { name: 'Dunes', supplyLimit: '1' }] },
    })
    expect((await update(attemptKey('low', 2), 1n, { supplyLimit: 2n })).status).toBe('succeeded')
    expect(await read('supplyLimit')).toBe(2n)
    expect((await update('none', 2n, { supplyLimit: 0n })).status).toBe('succeeded')
  })

  test('behavior: a collection becomes soulbound and transferable again', async () => {
    const { at, update } = await createUpdated()
    const isLocked = () => world.client.readContract({ ...at, functionName: 'locked', args: [1n] })
    await update('bind', 1n, { transferable: false })
    expect(await isLocked()).toBe(true)
    await update('renamed', 2n, { transferable: false, name: 'Dust' })
    await update('free', 3n, { transferable: true })
    expect(await isLocked()).toBe(false)
    const { abi } = Collection721
    const told = await world.client.getContractEvents({
      ...at,
      abi,
      eventName: 'BatchMetadataUpdate',
      fromBlock: 0n,
    })
    expect(told).toHaveLength(2)
  })

  test('error: nothing is changed while the contract is missing', async () => {
    const collection = { key: crypto.randomUUID(), standard: 'erc-721' as const }
    const terms = { name: '', symbol: '', uri: '', supplyLimit: 0n, transferable: true }
    const early = world.chain.updateCollection(`early:${collection.key}`, { collection, revision: 1n, terms })
    await expect(early).rejects.toMatchObject({ code: 'chain-unavailable' })
  })
})

describe('updateToken', () => {
  test.each(standards)('default: %s', async (standard) => {
    const { at, updateToken, readUri } = await createUpdated({ standard })
    const result = await updateToken('one', 1n, 'ipfs://new')
    expect(result.status).toBe('succeeded')
    expect(await readUri()).toBe('ipfs://new')
    const { logs } = await world.client.getTransactionReceipt({ hash: result.txId as Hex })
    const abi = standard === 'erc-1155' ? Collection1155.abi : Collection721.abi
    const told = await world.client.getContractEvents({ ...at, abi, fromBlock: logs[0]?.blockNumber ?? 0n })
    const notice = standard === 'erc-1155' ? 'URI' : 'MetadataUpdate'
    expect(told.map(({ eventName }) => eventName)).toEqual([notice, 'TokenUpdated'])
  })

  test('behavior: a late update undoes nothing, and counts as done by the newer one', async () => {
    const { updateToken, readUri } = await createUpdated()
    const second = await updateToken('second', 2n, 'ipfs://second')
    expect(await updateToken('first', 1n, 'ipfs://first')).toEqual(second)
    expect(await readUri()).toBe('ipfs://second')
  })

  test('behavior: each token counts its own updates', async () => {
    const { updateToken, readUri } = await createUpdated({}, createMint({ tokenId: 2n }))
    await updateToken('other', 7n, 'ipfs://other', 2n)
    expect((await updateToken('one', 1n, 'ipfs://new')).status).toBe('succeeded')
    expect(await readUri()).toBe('ipfs://new')
  })

  test('behavior: an update whose record is lost is found', async () => {
    const { updateToken, key } = await createUpdated()
    const first = await updateToken('one', 1n, 'ipfs://new')
    await forget(key('one'))
    expect(await updateToken('one', 1n, 'ipfs://new')).toEqual(first)
  })

  test.each([
    ['erc-721', 'ERC721NonexistentToken(9)'],
    ['erc-1155', 'NoSuchToken(9)'],
  ] as const)('error: no such token of %s', async (standard, reason) => {
    const { updateToken } = await createUpdated({ standard })
    expect(await updateToken('none', 1n, 'ipfs://new', 9n)).toMatchObject({
      status: 'failed',
      reason,
      call: { functionName: 'updateToken', arguments: ['9', '1', 'ipfs://new', '0'] },
    })
  })
})

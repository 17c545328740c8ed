import { evmChains } from 'kassa/schema'
import { type Address, getAddress, parseAbi } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { type CollectionWorld, createCollectionWorld } from '../../helpers/createCollectionWorld.js'
import { createTestChain } from '../../helpers/createTestChain.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const abi = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function contractURI() view returns (string)',
  'function supplyLimit() view returns (uint256)',
  'function transferable() view returns (bool)',
  'function revision() view returns (uint64)',
  'function supportsInterface(bytes4) view returns (bool)',
])
const interfaceIds = { 'erc-721': '0x80ac58cd', 'erc-1155': '0xd9b67a26', 'erc-5643': '0x8c65f84d' } as const

const chain = openBeforeAll(createTestChain)
let world: CollectionWorld
beforeEach(async () => {
  world = await createCollectionWorld({ db: chain.db, chains: [chain.chain], now: Date.now })
})

/** What the contract itself says, and the JSON that it points at. */
const readContract = async (address: Address) => {
  const [name, symbol, contractUri, supplyLimit, transferable, revision] = await Promise.all(
    (['name', 'symbol', 'contractURI', 'supplyLimit', 'transferable', 'revision'] as const).map(
      (functionName) => chain.client.readContract({ address, abi, functionName }),
    ),
  )
  const json = await world.readJson(String(contractUri))
  return { name, symbol, json, supplyLimit, transferable, revision }
}
const addressOf = ({ onChain }: Awaited<ReturnType<CollectionWorld['put']>>) =>
  getAddress(onChain.contractAddress ?? '')

test('default: the chain says what the interface was told, after an update too', async () => {
  const created = await world.put('tea', { supplyLimit: 7 })
  const address = addressOf(created)
  expect(await chain.client.getCode({ address })).toBeUndefined()
  await world.work()
  expect(await readContract(address)).toEqual({
    name: 'Tea',
    symbol: 'TEA',
    json: { name: 'Tea', symbol: 'TEA', description: 'Leaves', image: 'ipfs://bafytea' },
    supplyLimit: 7n,
    transferable: true,
    revision: 0n,
  })
  const { data, status } = await world.follow(created.actionId)
  expect({ status, chain: data.chain, address: data.collection?.contractAddress }).toEqual({
    status: 'succeeded',
    chain: 'base-sepolia',
    address,
  })
  const hash = data.txId as `0x${string}`
  expect((await chain.client.getTransactionReceipt({ hash })).status).toBe('success')

  const change = {
    metadata: { name: 'Green tea', symbol: 'GRN' },
    supplyLimit: 'unlimited',
    transferable: false,
  }
  const updated = await world.patch('tea', change)
  await world.work()
  expect(await readContract(address)).toEqual({
    name: 'Green tea',
    symbol: 'GRN',
    json: { name: 'Green tea', symbol: 'GRN', description: 'Leaves', image: 'ipfs://bafytea' },
    supplyLimit: 0n,
    transferable: false,
    revision: 1n,
  })
  expect(await world.follow(updated.actionId)).toMatchObject({
    status: 'succeeded',
    data: { changes: ['metadata', 'supplyLimit', 'transferable'], txId: expect.stringMatching(/^0x/) },
  })
})

test('behavior: each standard is what its contract says of itself', async () => {
  const all = [
    await world.put('one', {}),
    await world.put('many', { fungibility: 'semi-fungible', transferable: false }),
    await world.put('news', { subscription: { enabled: true } }),
  ]
  await world.work()
  for (const collection of all) {
    const address = addressOf(collection)
    const type = collection.onChain.type as keyof typeof interfaceIds
    const args = [interfaceIds[type]] as const
    expect(
      await chain.client.readContract({ address, abi, functionName: 'supportsInterface', args }),
      collection.id,
    ).toBe(true)
    expect(await readContract(address)).toMatchObject({ transferable: collection.transferable })
  }
})

test('behavior: changes whose jobs run in the wrong order leave the newest on chain', async () => {
  const address = addressOf(await world.put('tea'))
  await world.work()
  const first = await world.patch('tea', { supplyLimit: 5 })
  await world.work()
  const second = await world.patch('tea', { supplyLimit: 6 })
  const third = await world.patch('tea', { supplyLimit: 8 })
  world.queue.reverse()
  await world.work()
  expect(await readContract(address)).toMatchObject({ supplyLimit: 8n, revision: 3n })
  for (const { actionId } of [first, second, third]) {
    expect(await world.follow(actionId)).toMatchObject({ status: 'succeeded' })
  }
})

test('behavior: a price without a currency is in the chain’s own', async () => {
  const { payments } = await world.put('tea', { payments: { price: '1' } })
  expect(payments?.currency).toBe(evmChains['base-sepolia'].nativeCurrency)
})

import { getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Subscription721 } from '#adapters/chains/evm/artifacts/Subscription721.js'
import { createMint } from '../../../helpers/createMint.js'
import { createTestChain } from '../../../helpers/createTestChain.js'

let world: Awaited<ReturnType<typeof createTestChain>>

beforeAll(async () => {
  world = await createTestChain()
})
afterAll(() => world.close())

const month = 2_592_000n

/** Creates a subscription on chain with its end, its collection and its holder. */
const createSubscription = async (expiresAt: bigint) => {
  // The terms say transferable, which a subscription never is.
  const { collection, terms, contractAddress } = await world.createCollection({ standard: 'erc-5643' })
  const holder = await world.createPayer()
  const token = createMint({ recipient: holder.address, expiresAt })
  await world.chain.mint(`mint:${collection.key}`, { collection, tokens: [token] })
  const at = { address: contractAddress, ...Subscription721 }
  return {
    at,
    collection,
    terms,
    holder: getAddress(holder.address),
    readEnd: () => world.client.readContract({ ...at, functionName: 'expiresAt', args: [1n] }),
    /** Sends a call from the minter, and returns the time of its block. */
    send: async (functionName: 'renewSubscription' | 'cancelSubscription') => {
      const hash = await (functionName === 'renewSubscription'
        ? world.operatorWallet.writeContract({ ...at, functionName, args: [1n, month] })
        : world.operatorWallet.writeContract({ ...at, functionName, args: [1n] }))
      const { blockNumber } = await world.client.waitForTransactionReceipt({ hash })
      return (await world.client.getBlock({ blockNumber })).timestamp
    },
  }
}

const later = async (): Promise<bigint> => (await world.client.getBlock()).timestamp + month

test('default', async () => {
  const end = await later()
  const { at, readEnd } = await createSubscription(end)
  expect(await readEnd()).toBe(end)
  expect(await world.client.readContract({ ...at, functionName: 'isRenewable', args: [1n] })).toBe(true)
  const events = await world.client.getContractEvents({
    ...at,
    eventName: 'SubscriptionUpdate',
    fromBlock: 0n,
  })
  expect(events.map(({ args }) => args)).toEqual([{ tokenId: 1n, expiration: end }])
})

test.each(['expiresAt', 'isRenewable'] as const)('error: %s of no token', async (functionName) => {
  const { at } = await createSubscription(await later())
  await expect(world.client.readContract({ ...at, functionName, args: [2n] })).rejects.toThrow(
    'ERC721NonexistentToken',
  )
})

test('behavior: it is never transferable, whatever the terms say', async () => {
  const { at, collection, terms, holder } = await createSubscription(await later())
  const input = { collection, revision: 1n, terms: { ...terms, transferable: true } }
  expect((await world.chain.updateCollection(`open:${collection.key}`, input)).status).toBe('succeeded')
  expect(await world.client.readContract({ ...at, functionName: 'transferable' })).toBe(false)
  expect(await world.client.readContract({ ...at, functionName: 'locked', args: [1n] })).toBe(true)
  const args = [holder, world.operator, 1n] as const
  await expect(
    world.client.simulateContract({ account: holder, ...at, functionName: 'transferFrom', args }),
  ).rejects.toThrow('NotTransferable')
})

test('behavior: it is renewed from its end, or from now where that is past', async () => {
  const end = await later()
  const running = await createSubscription(end)
  await running.send('renewSubscription')
  expect(await running.readEnd()).toBe(end + month)
  const ended = await createSubscription(1_000n)
  const now = await ended.send('renewSubscription')
  expect(await ended.readEnd()).toBe(now + month)
})

test('behavior: the minter or the holder ends it now, and it stays ended', async () => {
  const subscription = await createSubscription(await later())
  const now = await subscription.send('cancelSubscription')
  expect(await subscription.readEnd()).toBe(now)
  await subscription.send('cancelSubscription')
  expect(await subscription.readEnd()).toBe(now)
  const { at, holder } = subscription
  const call = { ...at, functionName: 'cancelSubscription', args: [1n] } as const
  await world.client.simulateContract({ account: holder, ...call })
  const stranger = getAddress(createMint().recipient)
  await expect(world.client.simulateContract({ account: stranger, ...call })).rejects.toThrow('NotHolder')
})

test('error: the holder cannot renew it, and the contract accepts no payment', async () => {
  const { at, holder } = await createSubscription(await later())
  const renewal = { ...at, functionName: 'renewSubscription', args: [1n, month] } as const
  await expect(world.client.simulateContract({ account: holder, ...renewal })).rejects.toThrow('NotMinter')
  const paid = { account: world.operator, value: 1n }
  await expect(world.client.simulateContract({ ...paid, ...renewal })).rejects.toThrow('NoPaymentTaken')
  const cancellation = { ...at, functionName: 'cancelSubscription', args: [1n] } as const
  await expect(world.client.simulateContract({ ...paid, ...cancellation })).rejects.toThrow('NoPaymentTaken')
})

test('behavior: an update of the token sets its end or keeps it', async () => {
  const end = await later()
  const { collection, readEnd } = await createSubscription(end)
  const change = { collection, tokenId: 1n, uri: 'ipfs://new' }
  const first = { ...change, revision: 1n }
  expect((await world.chain.updateToken(`uri:${collection.key}`, first)).status).toBe('succeeded')
  expect(await readEnd()).toBe(end)
  const third = { ...change, revision: 3n, expiresAt: end + month }
  expect((await world.chain.updateToken(`third:${collection.key}`, third)).status).toBe('succeeded')
  const second = { ...change, revision: 2n, expiresAt: 5n }
  expect((await world.chain.updateToken(`second:${collection.key}`, second)).status).toBe('succeeded')
  expect(await readEnd()).toBe(end + month)
})

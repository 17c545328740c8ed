import { CreateOrderBody } from 'kassa/schema'
import { type Hex, parseTransaction } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { limitChains } from '#adapters/jobs/limitChains.js'
import type { Call } from '#base/call.js'
import { scopes } from '#base/scopes.js'
import { createHandlers } from '#entry/createHandlers.js'
import { insertCollection } from '#goods/collections/insertCollection.js'
import { createOrder } from '#sale/orders/createOrder.js'
import { lookForPayments } from '#sale/payments/lookForPayments.js'
import { defaultWatchOptions } from '#sale/payments/watchPayments.js'
import { createTestChain } from '../../helpers/createTestChain.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { createTestService } from '../../helpers/createTestService.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const buyers = 120
const confirmations = 5

const database = openBeforeAll(createTestDatabase)
const world = openBeforeAll(() =>
  createTestChain('base-sepolia', { database, operatorKey: generatePrivateKey() }),
)
const service = openBeforeAll(() =>
  createTestService({
    database,
    chains: [world.open({ confirmations })],
    handlers: (deps) => {
      const chains = limitChains(deps.chains, deps.now)
      return (slots) => createHandlers({ ...deps, chains: chains(slots) })
    },
  }),
)
let minedCount = 0

beforeAll(async () => {
  await service.deps.chains.get('base-sepolia')?.ready()
})

/** Mines as many blocks as make the first of them final. */
const mineUntilFinal = async (): Promise<void> => {
  await world.client.mine({ blocks: confirmations })
  minedCount += confirmations
}

const count = async (text: string): Promise<number> => {
  const { rows } = await database.executeSql(`select count(*)::int as count from ${text}`, [])
  return (rows[0] as { count: number }).count
}

/** Waits until so many writes of a kind wait for the next block, in a few transactions. */
const expectSent = async (kind: string, writes: number, mostTransactions: number) => {
  const all = `(select key from chain_transactions union all select key from shared_calls) as writes`
  await expect.poll(() => count(`${all} where key like 'base-sepolia:${kind}%'`)).toBe(writes)
  const signed = await count(`chain_transactions where status = 'signed'`)
  expect(signed).toBeLessThanOrEqual(mostTransactions)
  await expect.poll(async () => (await world.client.getTxpoolStatus()).pending).toBe(signed)
}

const pay = async (): Promise<void> => {
  const { deps, projectId } = service
  const actor = { kind: 'server-key' as const, keyId: 'key', projectId, scopes }
  const call: Call = { actor, client: {}, complete: async () => {} }
  const payer = privateKeyToAccount(generatePrivateKey())
  await world.client.setBalance({ address: payer.address, value: 10n ** 20n })
  const body = z.parse(CreateOrderBody, {
    recipient: { walletAddress: payer.address },
    payment: { method: 'base-sepolia', currency: 'eth', payerAddress: payer.address },
    lineItems: { collectionLocator: 'kassa:drop' },
  })
  for (let nonce = 0; nonce < buyers; nonce++) {
    const { order } = await createOrder(deps, call, body)
    const unsigned = order.payment.preparation?.serializedTransaction as Hex
    const { to, value, data } = parseTransaction(unsigned)
    const serializedTransaction = await payer.signTransaction({
      type: 'eip1559',
      chainId: world.chain.chainId,
      nonce,
      to,
      value,
      data,
      gas: 150_000n,
      maxFeePerGas: 10n ** 11n,
      maxPriorityFeePerGas: 10n ** 9n,
    })
    await world.client.sendRawTransaction({ serializedTransaction })
  }
}

test('behavior: many concurrent buyers are served in as many blocks as one buyer, and no job fails', async () => {
  const { deps, projectId } = service
  const collection = { projectId, id: 'drop', chain: 'base-sepolia' as const, symbol: 'DROP' }
  const shown = { name: 'Drop', description: 'A drop', imageUrl: 'ipfs://drop' }
  const payments = { price: '0.01', currency: 'eth' }
  await deps.db.transaction((tx) => insertCollection(tx, { ...collection, ...shown, payments }, deps.now()))
  await world.client.setAutomine(false)
  await pay()
  await mineUntilFinal()
  const chain = deps.chains.get('base-sepolia')
  if (!chain) throw new Error('no chain')
  await lookForPayments(deps, chain, defaultWatchOptions)
  // The contract, then all tokens, then all proceeds: each waits until the previous one is final.
  for (const [kind, writes, mostTransactions] of [
    ['erc-721:', 1, 1],
    ['mint:', buyers, buyers / 4],
    ['sweep:', buyers, buyers / 4],
  ] as const) {
    await expectSent(kind, writes, mostTransactions)
    await mineUntilFinal()
  }
  await expect.poll(() => count(`jobs where name <> 'orders.expire'`)).toBe(0)
  expect(await count(`orders where phase = 'completed' and (document ->> 'isSwept')::boolean`)).toBe(buyers)
  expect(service.logged()).not.toContain('job failed')
  expect(minedCount).toBe(4 * confirmations)
})

import type { Address } from 'viem'
import { getDeployments } from '../../service/src/adapters/chains/evm/connection/addresses.js'
import { createHandlers } from '../../service/src/entry/createHandlers.js'
import { insertCollection } from '../../service/src/goods/collections/insertCollection.js'
import { type PaymentWatcher, watchPayments } from '../../service/src/sale/payments/watchPayments.js'
import { createTestChain } from '../../service/test/helpers/createTestChain.js'
import { createTestService } from '../../service/test/helpers/createTestService.js'
import { createTestSolana } from '../../service/test/helpers/createTestSolana.js'
import type { PaymentRules } from '../../src/chain/index.js'
import type { ShopAddress } from './createBuyer.js'

export type ShopOptions = {
  /** Returns where the service and buyers reach the node, given its own address. */
  openNode?: (nodeUrl: string) => Promise<string>
  /** Whether it also sells for payments on Solana, and how long a slot is there. */
  solana?: { slotMs: number; commitment?: 'confirmed' | 'finalized' }
}

/** The whole service in this process, on a real chain, with one collection to sell at 0.01 eth and one to give away. */
export const createShop = async ({ openNode, solana: solanaOptions }: ShopOptions = {}) => {
  const world = await createTestChain()
  const rpcUrl = (await openNode?.(await world.node.rpcUrl())) ?? (await world.node.rpcUrl())
  const chain = openNode ? world.open({ rpcUrl: async () => rpcUrl }) : world.chain
  const solana = solanaOptions && (await createTestSolana({ ...solanaOptions, database: world.database }))
  let watcher: PaymentWatcher | undefined
  const service = await createTestService({
    chains: [chain, ...(solana ? [solana.chain] : [])],
    database: world.database,
    handlers: (deps) => ({
      ...createHandlers(deps),
      'payments.look': async (data) => watcher?.look(data),
    }),
  })
  const { deps, projectId } = service
  const collection = {
    projectId,
    id: 'dunes',
    chain: 'base-sepolia',
    name: 'Dunes',
    description: 'Sand at dusk',
    imageUrl: 'ipfs://picture',
    symbol: 'DUN',
    payments: { price: '0.01', currency: 'eth' },
  } as const
  await deps.db.transaction((tx) => insertCollection(tx, collection, deps.now()))
  const gift = { ...collection, id: 'gift', payments: { price: '0', currency: 'eth' } } as const
  await deps.db.transaction((tx) => insertCollection(tx, gift, deps.now()))
  if (solana) {
    const tea = { ...collection, id: 'tea', chain: 'solana', name: 'Tea', symbol: 'TEA' } as const
    const payments = { price: '0.5', currency: 'sol' } as const
    await deps.db.transaction((tx) => insertCollection(tx, { ...tea, payments }, deps.now()))
  }
  watcher = watchPayments(deps, { tickMs: 50, fundsEveryMs: 50 })
  const { router, depositFactory } = getDeployments(world.operator, true)
  const rules: PaymentRules = {
    contracts: { router: router.address, depositFactory: depositFactory.address },
    tokens: {
      'base-sepolia': Object.fromEntries(
        world.chain.currencies.flatMap(({ currency, address, decimals }) =>
          address ? [[currency, { address: address as Address, decimals }]] : [],
        ),
      ),
    },
  }
  const closing = new AbortController()
  const address: ShopAddress = {
    closing: closing.signal,
    rules,
    baseUrl: 'http://service.test/api',
    rpcUrl,
    serverKey: service.serverKey,
    // The very functions users call reach the service in this process, with no network in between.
    fetch: async (input, init) => {
      init?.signal?.throwIfAborted()
      return service.app.request(String(input), init)
    },
  }
  return {
    world,
    service,
    /** Present in a shop that takes payments on Solana. */
    solana,
    address,
    mintTokens: async (currency: string, units: bigint, to: `0x${string}`): Promise<void> => {
      const minter = await world.createPayer()
      await minter.mintTokens(currency, units, to)
    },
    close: async () => {
      closing.abort()
      await watcher?.stop()
      await service.close()
      await solana?.close()
      await world.close()
    },
  }
}

export type Shop = Awaited<ReturnType<typeof createShop>>

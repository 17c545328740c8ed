import { encodeFunctionData, erc20Abi, type Hex, parseAbiItem } from 'viem'
import { expect } from 'vitest'
import { PaymentRouter } from '#adapters/chains/evm/artifacts/PaymentRouter.js'
import { getDeployments, toReference } from '#adapters/chains/evm/connection/addresses.js'
import type { ChainPort } from '#base/ports/chain.js'
import { getLedger } from '#sale/ledger/getLedger.js'
import { createOrderWorld } from './createOrderWorld.js'
import { createTestChain } from './createTestChain.js'

/** The price of one `tea`. */
export const price = { usdc: 30_000_000n, eth: 10n ** 16n }

const paidOutEvents = [
  parseAbiItem(
    'event PaidOut(bytes32 indexed orderRef, bytes32 indexed payoutId, address token, address to, uint256 amount)',
  ),
  parseAbiItem(
    'event PaidOut(bytes32 indexed orderRef, bytes32 indexed payoutId, address to, uint256 amount)',
  ),
] as const

/** Orders on a real chain that can be reverted, with buyers who can pay any amount to any target. */
export const createMoneyWorld = async () => {
  const chain = await createTestChain()
  const { client } = chain
  const { router, depositFactory } = getDeployments(chain.operator, true)
  const targetOf = (orderId: string, currency: string) =>
    chain.chain.paymentTarget({ orderId, currency }) as Hex

  /**
   * Returns the call that pays any amount of any currency for an order, whatever the order requests.
   *
   * @param on - The chain that is paid on: tokens may be elsewhere on another.
   */
  const paymentCall = (orderId: string, currency: string, units: bigint, on: ChainPort = chain.chain) => {
    const token = on.currencies.find((known) => known.currency === currency)?.address as Hex
    if (token) {
      const args = [targetOf(orderId, currency), units] as const
      return { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }) }
    }
    const args = [toReference(orderId), 2n ** 40n] as const
    const data = encodeFunctionData({ ...PaymentRouter, functionName: 'pay', args })
    return { to: router.address, value: units, data }
  }

  const createPayer = async () => {
    const payer = await chain.createPayer()
    for (const currency of ['usdc', 'usdxm']) await payer.mintTokens(currency, 10n * price.usdc)
    const mine = async (raw: Hex): Promise<Hex> => {
      const hash = await client.sendRawTransaction({ serializedTransaction: raw })
      await client.waitForTransactionReceipt({ hash })
      return hash
    }
    const signPayment = (orderId: string, currency: string, units: bigint) =>
      payer.sign(paymentCall(orderId, currency, units))
    return {
      ...payer,
      signPayment,
      mine,
      send: async (orderId: string, currency: string, units: bigint): Promise<Hex> =>
        mine(await signPayment(orderId, currency, units)),
      tokens: (currency: 'usdc' | 'usdxm'): Promise<bigint> =>
        client.readContract({
          address: chain.chain.currencies.find((known) => known.currency === currency)?.address as Hex,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [payer.address],
        }),
    }
  }

  /** The shop on this chain. A change of the port simulates what happens to the process. */
  const open = async (
    options: {
      confirmations?: number
      quoteTtlMs?: number
      port?: Partial<ChainPort>
      /** Chains in addition to this one. */
      others?: readonly ChainPort[]
      now?: () => number
    } = {},
  ) => {
    const { confirmations = 1, quoteTtlMs = 600_000, port, others = [], now = Date.now } = options
    const world = await createOrderWorld({
      db: chain.db,
      chains: [{ ...chain.chain, ...port, confirmations }, ...others],
      now,
      config: { quoteTtlMs },
    })
    await world.createCollection({ id: 'tea' })
    const ledger = () => getLedger(world.deps)
    return {
      ...world,
      ledger,
      /** Creates an order from any request. */
      createAny: world.create,
      create: async (
        payer: { address: string },
        currency: string,
        terms: { method?: string; capture?: string } = {},
      ): Promise<string> => {
        const { order } = await world.create({
          lineItems: { collectionLocator: 'kassa:tea' },
          payment: { method: 'base-sepolia', currency, payerAddress: payer.address, ...terms },
        })
        expect(order.payment.status).toBe('awaiting-payment')
        return order.orderId
      },
      /** Searches, runs the jobs, and asserts that every base unit of every order is accounted for. */
      settle: async (orderId: string) => {
        await world.look()
        expect((await ledger()).differing).toEqual([])
        await world.drain()
        expect((await ledger()).differing).toEqual([])
        return world.get(orderId)
      },
    }
  }

  /** Returns the contracts' payouts for an order, according to their own logs. */
  const payOuts = async (orderId: string, on = client): Promise<{ to: string; units: bigint }[]> => {
    const [tokens, coins] = await Promise.all([
      on.getLogs({
        address: depositFactory.address,
        event: paidOutEvents[0],
        args: { orderRef: toReference(orderId) },
        fromBlock: 0n,
        strict: true,
      }),
      on.getLogs({
        address: router.address,
        event: paidOutEvents[1],
        args: { orderRef: toReference(orderId) },
        fromBlock: 0n,
        strict: true,
      }),
    ])
    return [...tokens, ...coins].map(({ args }) => ({ to: args.to, units: args.amount }))
  }

  /** Puts signed transactions into one block, those with higher tips first. */
  const mineTogether = async (raws: readonly Hex[]): Promise<void> => {
    await client.setAutomine(false)
    for (const serializedTransaction of raws) await client.sendRawTransaction({ serializedTransaction })
    await client.mine({ blocks: 1 })
    await client.setAutomine(true)
  }

  return {
    ...chain,
    open,
    /** Opens a second adapter of the chain, as another process would. */
    openPort: chain.open,
    mineTogether,
    createPayer,
    paymentCall,
    payOuts,
    depositOf: (id: string) => targetOf(id, 'usdc'),
  }
}

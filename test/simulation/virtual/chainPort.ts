import type { BlockRef, ChainPort, StatementInput } from '../../../service/src/base/ports/chain.js'
import { firstKey } from '../../../service/src/base/ports/write.js'
import { confirmations } from './blockStore.js'
import type { Chain } from './chain.js'
import type { ServiceCall } from './contracts.js'
import { chainName, makeCall, type OutboxDeps, recoverCalls } from './outbox.js'

/** The currencies that the service takes on it. */
export const currencies = [
  { currency: 'eth', decimals: 18 },
  { currency: 'usdc', decimals: 6, address: '0xusdc' },
]
/** What the merchants' treasury is called on the chain. */
const treasury = 'treasury'
/** The fee of a refund while fees are usual. @units wei */
const refundFeeWei = 10_000_000_000_000n
const spikeFactor = 3_000n

/** Returns where an order is paid in a currency: its reference at the router, or its deposit address. */
export const targetOf = (orderId: string, currency: string): string =>
  `${currency === 'eth' ? 'router' : 'deposit'}:${orderId}`

/** What the simulated chain cannot do. The service never asks for it. */
const unsupported = (): never => {
  throw new Error('the simulated chain cannot do this')
}

type PortDeps = OutboxDeps & {
  /** How many blocks the node of this process is behind. */
  lag(): number
}

const readStatement = ({ contracts }: Chain, asked: StatementInput) => {
  const known = new Set(asked.map(({ orderId }) => orderId))
  const own = <Item extends { orderId: string }>(items: Item[]) =>
    items.filter((item) => known.has(item.orderId))
  const held = [...contracts.held].map(([place, units]) => {
    const [orderId = '', currency = ''] = place.split(' ')
    return { orderId, currency, units }
  })
  const paidOut = own([...contracts.payOuts.values()])
  return {
    held: own(held).filter(({ units }) => units !== 0n),
    unattributedFunds: [],
    paidOut,
    credited: paidOut.filter(({ isCredited }) => isCredited),
  }
}

/** Opens the port of the simulated chain for one process of the service. */
export const openChainPort = (deps: PortDeps): ChainPort => {
  const { chain, request, lag } = deps
  const head = (): number => chain.headNumber - lag()
  const call = async (made: ServiceCall, options?: Parameters<typeof makeCall>[2]) =>
    makeCall(deps, made, options)
  const port = {
    chain: chainName,
    family: 'evm' as const,
    chainId: 84_532,
    isLocal: false,
    searchesAnyRange: false,
    confirmations,
    currencies,
    ready: async () => {},
    checkTokens: async () => {},
    close: async () => {},
    recover: () => recoverCalls(deps),
    getCaip2: async () => 'eip155:84532',
    getFinalBlock: async () => undefined,
    getOperatorBalance: async () => 10n ** 18n,
    inspect: unsupported,
    readRateFeed: unsupported,
    getHead: async (): Promise<BlockRef> => {
      await request()
      return chain.getBlock(head()) ?? unsupported()
    },
    getHeadNumber: async () => {
      await request()
      return BigInt(head())
    },
    getBlock: async (number: bigint) => {
      await request()
      return number > head() ? undefined : chain.getBlock(Number(number))
    },
    findTransactionBlock: async (txId: string) => {
      await request()
      const included = chain.findIncluded(txId)
      return included && included.blockNumber <= head() ? BigInt(included.blockNumber) : undefined
    },
    traceReported: async ({ txId }: { txId: string }) => {
      await request()
      return chain.findIncluded(txId) || chain.waiting.has(txId) ? ('known' as const) : ('unknown' as const)
    },
    paymentTarget: ({ orderId, currency }: { orderId: string; currency: string }) =>
      targetOf(orderId, currency),
    preparePayment: async ({
      orderId,
      currency,
      units,
      deadlineMs,
    }: Parameters<ChainPort['preparePayment']>[0]) => {
      await request()
      const target = targetOf(orderId, currency)
      const payment = { target, currency, units: `${units}`, ...(currency === 'eth' && { deadlineMs }) }
      return { status: 'ready' as const, serializedTransaction: JSON.stringify(payment) }
    },
    readHoldings: async (payers: Parameters<ChainPort['readHoldings']>[0]) => {
      await request()
      return payers.map(() => ({ native: 10n ** 30n, units: 10n ** 30n }))
    },
    findPayments: async ({ fromBlock, toBlock, targets }: Parameters<ChainPort['findPayments']>[0]) => {
      await request()
      const to = Math.min(Number(toBlock), head())
      const found = chain.listPayments(Number(fromBlock), to, new Set(targets))
      return deps.dice.fault('a node hides a payment', 0.01) ? found.slice(1) : found
    },
    collectionAddress: ({ key }: { key: string }) => `0x${key}`,
    tokenAddress: () => undefined,
    countMints: (_collection: unknown, tokens: readonly unknown[]) => Math.min(2, tokens.length),
    createCollection: (key: string, { terms }: Parameters<ChainPort['createCollection']>[1]) =>
      call({ type: 'create-collection', key, supplyLimit: Number(terms.supplyLimit) }),
    updateCollection: unsupported,
    updateToken: unsupported,
    sendUnattributed: unsupported,
    mint: (key: string, { collection, tokens }: Parameters<ChainPort['mint']>[1], options: never) =>
      call({ type: 'mint', key, collection: collection.key, tokens }, options),
    refund: (key: string, input: Parameters<ChainPort['refund']>[1], options: never) =>
      call({ type: 'refund', key, ...input }, options),
    estimateRefundFee: async () => {
      await request()
      return chain.fee > 1 ? refundFeeWei * spikeFactor : refundFeeWei
    },
    isContract: async () => {
      await request()
      return false
    },
    isServiceAddress: () => false,
    payOutCredit: (key: string, input: Parameters<ChainPort['payOutCredit']>[1]) =>
      call({ type: 'pay-out-credit', key, ...input }),
    findCreditPayOut: async (payOutKey: string) => {
      await request()
      return chain.contracts.payOuts.get(firstKey(payOutKey))?.claimedBy
    },
    sweep: (key: string, { recipient = treasury, ...input }: Parameters<ChainPort['sweep']>[1]) =>
      call({ type: 'sweep', key, recipient, ...input }),
    getStatement: async (asked: StatementInput) => readStatement(chain, asked),
    // No world is restored from a backup, so nothing of it is adopted.
    restore: {
      referencesOf: (key: string) => [key],
      orderReferenceOf: (orderId: string) => orderId,
      find: unsupported,
      accept: unsupported,
    },
    parseAddress: (text: string) => (text.startsWith('0x') ? text.toLowerCase() : undefined),
  }
  return port as unknown as ChainPort
}

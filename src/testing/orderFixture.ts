import { parseEther, serializeTransaction } from 'viem'
import { encodeRouterPay } from '../chain/evm/calls.js'
import { toOrderReference } from '../chain/evm/orderAddresses.js'
import { toBase64 } from '../chain/solana/transaction.js'
import type { LineItem } from '../schema/lineItem.js'
import { Order } from '../schema/order.js'
import { pictures } from './pictures.js'
import { nameSolanaAddress } from './solana/network.js'
import { writePayment } from './solana/paymentMessage.js'

/** The time of every fixture. */
export const quotedAt = '2026-03-02T12:00:00.000Z'
/** The expiry of the fixtures' quotes. */
export const expiresAt = '2026-03-02T12:10:00.000Z'

/** The id of the fixtures' order. */
export const orderId = 'b4d1f0f2-6f0f-4a53-9f57-3a1f2c0f7c11'

/** The buyer of the fixtures. */
export const buyer = '0x9F3b6b1C0a4e2cF6d1B27F4E5cD0A1b2C3d4E5F6'
/** The same buyer's Solana address. */
export const solanaBuyer = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU'
/** The contract of the fixtures' tokens. */
export const collection = '0x4c1d2E3f405162738495A6b7c8d9eAFb0C1D2e3F'
/** The contract that takes their payments. */
export const router = '0x52908400098527886E0F7030069857D2E4169EE7'

/** Returns a recognisable transaction id. */
export const txId = (digit: string): string => `0x${digit.repeat(64)}`

const eth = (amount: string) => ({ amount, currency: 'eth' })

/** Returns a line item's charges: the goods, without tax or shipping. */
export const charge = (amount: string, currency = 'eth') => ({
  unit: { amount, currency },
  salesTax: { amount: '0', currency },
  shipping: { amount: '0', currency },
})

/** Differences of a line item from the default one. */
export type ItemDraft = Omit<Partial<LineItem>, 'delivery' | 'quote'> & {
  quote?: Partial<LineItem['quote']>
  delivery?: Partial<LineItem['delivery']>
}

/**
 * Builds a line item for {@link orderFixture}: at a price of `0.012` eth, awaiting payment. `draft` holds its
 * differences.
 *
 * @example
 * ```ts
 * import { itemFixture, orderFixture } from 'kassa/testing'
 *
 * export const failed = orderFixture({ lineItems: [itemFixture({ delivery: { status: 'failed' } })] })
 * ```
 */
export const itemFixture = ({ quote, delivery, ...draft }: ItemDraft = {}): LineItem => ({
  chain: 'base-sepolia',
  quantity: 1,
  callData: { quantity: 1 },
  metadata: { name: 'Night Bloom', description: 'A flower that opens after dark.', imageUrl: pictures.bloom },
  ...draft,
  quote: {
    status: 'valid',
    charges: charge('0.012'),
    totalPrice: eth('0.012'),
    ...quote,
  },
  delivery: {
    status: 'awaiting-payment',
    recipient: { locator: `base-sepolia:${buyer}`, walletAddress: buyer },
    ...delivery,
  },
})

/** Two tides in one line item. */
export const secondItem = (draft: ItemDraft = {}) =>
  itemFixture({
    quantity: 2,
    callData: { quantity: 2 },
    metadata: { name: 'Evening Tide', description: 'Low water, last light.', imageUrl: pictures.tide },
    ...draft,
    quote: { charges: charge('0.03'), totalPrice: eth('0.03'), ...draft.quote },
  })

/**
 * Builds a completed delivery of the tokens with these ids, for {@link itemFixture}.
 *
 * @example
 * ```ts
 * import { delivered, itemFixture, orderFixture } from 'kassa/testing'
 *
 * export const arrived = orderFixture({ phase: 'completed', lineItems: [itemFixture({ delivery: delivered('7') })] })
 * ```
 */
export const delivered = (...tokenIds: string[]) => ({
  status: 'completed' as const,
  txId: txId('d'),
  tokens: tokenIds.map((tokenId) => ({
    locator: `base-sepolia:${collection}:${tokenId}`,
    contractAddress: collection,
    tokenId,
  })),
})

/** Returns a completed delivery on Solana, where only the mint identifies a token. */
export const deliveredOnSolana = (...mintHashes: string[]) => ({
  status: 'completed' as const,
  recipient: { locator: `solana:${solanaBuyer}`, walletAddress: solanaBuyer },
  txId: solanaTxId,
  tokens: mintHashes.map((mintHash) => ({ locator: `solana:${mintHash}`, mintHash })),
})

/** Returns the unsigned transaction that pays `amount` eth on base-sepolia for an order. */
export const prepareNative = (orderId: string, amount = '0.042') => ({
  chain: 'base-sepolia',
  payerAddress: buyer,
  serializedTransaction: serializeTransaction({
    type: 'eip1559',
    chainId: 84532,
    to: router,
    value: parseEther(amount),
    data: encodeRouterPay(toOrderReference(orderId), BigInt(Date.parse(expiresAt) / 1000)),
    gas: 80_000n,
    maxFeePerGas: 2_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  }),
})

/**
 * Returns the message that pays for the {@link orderFixture} on Solana. It passes Kassa's checks with the
 * `operator` and the `tokens` of the test service. @units `units` in base units of `currency`
 */
export const prepareOnSolana = (currency: string, units: bigint) => {
  const blockhash = nameSolanaAddress('block of the fixtures')
  const message = writePayment({ orderId, payer: solanaBuyer, currency, units, blockhash })
  return { chain: 'solana', payerAddress: solanaBuyer, serializedTransaction: toBase64(message) }
}

/** The signature of a transaction on Solana. */
export const solanaTxId =
  '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'

/** The transaction that pays for the {@link orderFixture}. */
export const nativePreparation = prepareNative(orderId)

/** Differences of an order from one that awaits its payment. */
export type OrderDraft = {
  phase?: Order['phase']
  locale?: string
  lineItems?: readonly LineItem[]
  quote?: Partial<Order['quote']>
  payment?: Partial<Order['payment']>
}

/**
 * Builds an order as the service would send it, parsed by its schema. Without a draft it awaits `0.042` eth
 * for three tokens in two line items.
 *
 * @example
 * ```ts
 * import { orderFixture } from 'kassa/testing'
 *
 * export const german = orderFixture({ locale: 'de-DE' })
 * ```
 */
export const orderFixture = ({ quote, payment, ...draft }: OrderDraft = {}): Order =>
  Order.parse({
    orderId,
    phase: 'payment',
    locale: 'en-US',
    lineItems: [itemFixture(), secondItem()],
    ...draft,
    quote: { status: 'valid', quotedAt, expiresAt, totalPrice: eth('0.042'), ...quote },
    payment: { status: 'awaiting-payment', method: 'base-sepolia', currency: 'eth', ...payment },
  })

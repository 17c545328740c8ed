import { ServiceError } from '#base/errors.js'
import { shareInFlight, shareRecent } from './shareInFlight.js'

/** The fees that a transaction offers: EIP-1559 fees, or a gas price on chains without EIP-1559. */
export type Fees =
  | { type: 'eip1559'; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
  | { type: 'legacy'; gasPrice: bigint }

/** The gas limit of a block, and the fees that the chain asks for. */
export type BlockTerms = { gasLimit: bigint; asked: Fees }

/** Returns the smaller of two amounts. */
export const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)
/** Returns the larger of two amounts. */
export const most = (one: bigint, other: bigint): bigint => (one > other ? one : other)

/** Returns the highest possible price of a unit of gas. */
export const priceOf = (fees: Fees): bigint => (fees.type === 'legacy' ? fees.gasPrice : fees.maxFeePerGas)
const tipOf = (fees: Fees): bigint => (fees.type === 'legacy' ? fees.gasPrice : fees.maxPriorityFeePerGas)

const toFees = (type: Fees['type'], price: bigint, tip: bigint): Fees =>
  type === 'legacy'
    ? { type, gasPrice: price }
    : { type, maxFeePerGas: price, maxPriorityFeePerGas: least(tip, price) }

/** Reads the terms of the next block from the latest one. */
export const readBlockTerms = shareInFlight(async (client): Promise<BlockTerms> => {
  const { gasLimit, baseFeePerGas } = await client.getBlock()
  if (baseFeePerGas === null) {
    return { gasLimit, asked: { type: 'legacy', gasPrice: await client.getGasPrice() } }
  }
  const tip = await client.estimateMaxPriorityFeePerGas()
  return { gasLimit, asked: toFees('eip1559', (baseFeePerGas * 6n) / 5n + tip, tip) }
})

/** Reads the terms of a block of the last second, for fees that a wallet may offer minutes later. */
export const readRecentTerms = shareRecent(readBlockTerms)

/** Returns the fees to offer, or `undefined` if the chain asks for more than the ceiling. */
const offer = (asked: Fees, ceiling: bigint | undefined): Fees | undefined => {
  const price = priceOf(asked)
  if (ceiling !== undefined && price > ceiling) return undefined
  // A cap costs only what the block asks, which may have risen by then. A gas price is paid in full.
  const offered = asked.type === 'legacy' ? price : price * 2n
  // Leaves room below the ceiling for a replacement at a higher price.
  const highest = ceiling === undefined ? offered : most(price, (ceiling * 8n) / 9n - 1n)
  return toFees(asked.type, least(offered, highest), tipOf(asked))
}

/** Returns the fees of an unsigned transaction that a wallet may send minutes later. */
export const suggestFees = (asked: Fees): Fees =>
  asked.type === 'legacy' ? asked : { ...asked, maxFeePerGas: asked.maxFeePerGas * 2n }

/**
 * Returns the fees to offer for a new transaction.
 *
 * @throws {ServiceError} `chain-unavailable` while the chain asks for more than the ceiling. The ceiling
 * keeps a node's absurd answer from spending the operator's funds.
 */
export const offerFees = (chain: string, asked: Fees, ceiling: bigint | undefined): Fees => {
  const fees = offer(asked, ceiling)
  if (fees) return fees
  const message = `${chain} requires ${priceOf(asked)} wei per unit of gas, more than the allowed ${ceiling}.`
  throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 60 })
}

/** Whether a chain asks for more than a transaction offers. */
export const isOutpriced = (offered: Fees, asked: Fees): boolean =>
  priceOf(asked) > priceOf(offered) || tipOf(asked) > tipOf(offered)

/**
 * Raises a fee enough for a replacement: nodes accept the same nonce again only if each fee is an eighth
 * higher.
 */
const raise = (fee: bigint): bigint => (fee * 9n) / 8n + 1n

/**
 * Returns the fees that replace an earlier offer with the same nonce, or `undefined` if the ceiling forbids
 * it.
 */
export const outbid = (offered: Fees, asked: Fees, ceiling: bigint | undefined): Fees | undefined => {
  const fees = offer(asked, ceiling)
  const raised = raise(priceOf(offered))
  if (!fees || (ceiling !== undefined && raised > ceiling)) return undefined
  return toFees(fees.type, most(priceOf(fees), raised), most(tipOf(fees), raise(tipOf(offered))))
}

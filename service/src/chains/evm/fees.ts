import type { PublicClient } from 'viem'
import { ServiceError } from '../../errors.js'

/** What a transaction offers for its gas: as EIP-1559 has it, or as chains do that lack it. */
export type Fees =
  | { type: 'eip1559'; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
  | { type: 'legacy'; gasPrice: bigint }

/** How much gas a block has, and what its transactions are asked to pay for it. */
export type BlockTerms = { gasLimit: bigint; asked: Fees }

/** The smaller of two amounts. */
export const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)
/** The greater of two amounts. */
export const most = (one: bigint, other: bigint): bigint => (one > other ? one : other)

/** The most that a unit of gas may come to. */
export const priceOf = (fees: Fees): bigint => (fees.type === 'legacy' ? fees.gasPrice : fees.maxFeePerGas)
const tipOf = (fees: Fees): bigint => (fees.type === 'legacy' ? fees.gasPrice : fees.maxPriorityFeePerGas)

const toFees = (type: Fees['type'], price: bigint, tip: bigint): Fees =>
  type === 'legacy'
    ? { type, gasPrice: price }
    : { type, maxFeePerGas: price, maxPriorityFeePerGas: least(tip, price) }

/** Reads what the latest block says of the next one. */
export const readBlockTerms = async (client: PublicClient): Promise<BlockTerms> => {
  const { gasLimit, baseFeePerGas } = await client.getBlock()
  if (baseFeePerGas === null) {
    return { gasLimit, asked: { type: 'legacy', gasPrice: await client.getGasPrice() } }
  }
  const tip = await client.estimateMaxPriorityFeePerGas()
  return { gasLimit, asked: toFees('eip1559', (baseFeePerGas * 6n) / 5n + tip, tip) }
}

/** What is offered to a chain that asks for no more than the ceiling; undefined when it asks for more. */
const offer = (asked: Fees, ceiling: bigint | undefined): Fees | undefined => {
  const price = priceOf(asked)
  if (ceiling !== undefined && price > ceiling) return undefined
  // Of a cap only what the block costs is paid, and it may cost more by then; a gas price is paid in full.
  const offered = asked.type === 'legacy' ? price : price * 2n
  // Below the ceiling there has to be room for a higher offer in its place.
  const highest = ceiling === undefined ? offered : most(price, (ceiling * 8n) / 9n - 1n)
  return toFees(asked.type, least(offered, highest), tipOf(asked))
}

/** Returns the fees of an unsigned transaction that a wallet may send minutes later. */
export const suggestFees = (asked: Fees): Fees =>
  asked.type === 'legacy' ? asked : { ...asked, maxFeePerGas: asked.maxFeePerGas * 2n }

/**
 * What to offer for a new transaction.
 *
 * @throws {ServiceError} `chain-unavailable` while the chain asks for more than the ceiling: one absurd answer of a
 * node is not to spend what the operator has.
 */
export const offerFees = (chain: string, asked: Fees, ceiling: bigint | undefined): Fees => {
  const fees = offer(asked, ceiling)
  if (fees) return fees
  const message = `${chain} asks for ${priceOf(asked)} wei a unit of gas, more than the ${ceiling} it may be paid.`
  throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 60 })
}

/** Whether a chain asks for more than a transaction offers. */
export const isOutpriced = (offered: Fees, asked: Fees): boolean =>
  priceOf(asked) > priceOf(offered) || tipOf(asked) > tipOf(offered)

/** Nodes take another transaction with the same nonce only when each fee is an eighth higher. */
const raise = (fee: bigint): bigint => (fee * 9n) / 8n + 1n

/** What to offer in place of an earlier offer with the same nonce; undefined when the ceiling forbids it. */
export const outbid = (offered: Fees, asked: Fees, ceiling: bigint | undefined): Fees | undefined => {
  const fees = offer(asked, ceiling)
  const raised = raise(priceOf(offered))
  if (!fees || (ceiling !== undefined && raised > ceiling)) return undefined
  return toFees(fees.type, most(priceOf(fees), raised), most(tipOf(fees), raise(tipOf(offered))))
}

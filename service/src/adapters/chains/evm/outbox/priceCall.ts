import { least, offerFees, readBlockTerms } from '../connection/fees.js'
import type { BroadcastOptions } from './broadcast.js'
import type { OutboxCall } from './outboxCall.js'
import { explainLength, explainMisfit, gasFor, type PricedCall } from './signCall.js'
import { type Refusal, refuse } from './toResult.js'

/** A call with what it costs, and the nonce that the chain expects next. */
export type Cost = { priced: PricedCall; chainNonce: number }

/** Reads what a call costs, or why the chain would not accept it. */
export const priceCall = async (
  { client, account, chain, maxFeePerGas }: BroadcastOptions,
  { maxGas, ...call }: OutboxCall,
): Promise<Cost | Refusal> => {
  const excess = explainLength(call.data)
  if (excess !== undefined) return refuse(excess, call.data)
  // All network reads come before the database transaction, which is short and holds the nonce.
  const [needed, { gasLimit, asked }, chainNonce] = await Promise.all([
    client.estimateGas({ account: account.address, ...call }),
    readBlockTerms(client),
    client.getTransactionCount({ address: account.address, blockTag: 'pending' }),
  ])
  const most = least(maxGas ?? gasLimit, gasLimit)
  const misfit = explainMisfit(needed, most)
  if (misfit !== undefined) return refuse(misfit, call.data)
  const fees = offerFees(chain, asked, maxFeePerGas)
  return { priced: { ...call, gas: gasFor(needed, most), fees }, chainNonce }
}

import type { OrderState } from 'kassa/engine'
import type { RefundRow } from '../db/tables/index.js'
import type { ChainPort } from '../ports/chain.js'

type Payer = Pick<RefundRow, 'recipient' | 'sentTo'>

/** Whether a refund without an address would go to a contract. */
export const isPaidByContract = async (chain: ChainPort, { recipient, sentTo }: Payer): Promise<boolean> =>
  sentTo === null && (await chain.isContract(recipient))

/**
 * Returns where a refund goes: to the address that was named for it, else to the order's, else to its payer.
 *
 * The order's address is one on the order's chain. What was paid on another chain by mistake goes to its payer, because
 * the same address may be someone else's there. A contract that the order does not name as its payer may belong to an
 * exchange or pay for many, and what it receives reaches no buyer.
 *
 * @param isContract - Whether the payer is a contract.
 * @returns `undefined` if an address has to be named first.
 */
export const findRecipient = (
  { chain, parseAddress }: ChainPort,
  { payment }: Pick<OrderState, 'payment'>,
  { recipient: payer, sentTo, isContract }: Payer & { isContract: boolean },
): string | undefined => {
  if (sentTo !== null) return sentTo
  if (payment.chain === chain && payment.refundAddress !== undefined) return payment.refundAddress
  const isNamed = payment.payerAddress !== undefined && parseAddress(payer) === payment.payerAddress
  return isContract && !isNamed ? undefined : payer
}

import type { OrderState } from 'kassa/engine'
import type { RefundRow } from '#base/db/tables/index.js'
import type { ChainPort } from '#base/ports/chain.js'

type Payer = Pick<RefundRow, 'recipient' | 'sentTo'>

/** Whether a refund without an address would go to a contract. */
export const isPaidByContract = async (chain: ChainPort, { recipient, sentTo }: Payer): Promise<boolean> =>
  sentTo === null && (await chain.isContract(recipient))

type Payment = Pick<OrderState, 'payment'>

/**
 * Returns the address that was named for a refund, or else the order's. The order's is one on the order's chain. What was
 * paid on another chain by mistake goes to its payer, because the same address may be someone else's there.
 */
const findNamed = (
  { chain }: ChainPort,
  { payment }: Payment,
  { sentTo }: Pick<Payer, 'sentTo'>,
): string | undefined => sentTo ?? (payment.chain === chain ? payment.refundAddress : undefined)

/** Returns the address to which a refund would go, whose fee it has to be worth. */
export const findAddressee = (chain: ChainPort, order: Payment, refund: Payer): string =>
  findNamed(chain, order, refund) ?? refund.recipient

/**
 * Returns where a refund goes: to the address that was named for it, else to the order's, else to its payer. A contract
 * that the order does not name as its payer may belong to an exchange or pay for many, and what it receives reaches no
 * buyer.
 *
 * @param isContract - Whether the payer is a contract.
 * @returns `undefined` if an address has to be named first.
 */
export const findRecipient = (
  chain: ChainPort,
  order: Payment,
  { recipient: payer, sentTo, isContract }: Payer & { isContract: boolean },
): string | undefined => {
  const named = findNamed(chain, order, { sentTo })
  if (named !== undefined) return named
  const { payerAddress } = order.payment
  const isNamed = payerAddress !== undefined && chain.parseAddress(payer) === payerAddress
  return isContract && !isNamed ? undefined : payer
}

import type { OrderState } from './order.js'

/** The chain of a refund. It parses an address to its canonical form. */
type RefundChain = { chain: string; parseAddress(text: string): string | undefined }

/** The payer of a refund, and the address that was named for it since. */
type Payer = { recipient: string; sentTo: string | null }

type Payment = Pick<OrderState, 'payment'>

/**
 * Returns the address that was named for a refund, or else the order's. The order's is one on the order's chain. What was
 * paid on another chain by mistake goes to its payer, because the same address may be someone else's there.
 */
const findNamed = (
  { chain }: Pick<RefundChain, 'chain'>,
  { payment }: Payment,
  { sentTo }: Pick<Payer, 'sentTo'>,
): string | undefined => sentTo ?? (payment.chain === chain ? payment.refundAddress : undefined)

/** Returns the address to which a refund would go, whose fee it has to be worth. */
export const findAddressee = (chain: Pick<RefundChain, 'chain'>, order: Payment, refund: Payer): string =>
  findNamed(chain, order, refund) ?? refund.recipient

/**
 * Returns where a refund goes: to the address that was named for it, else to the order's, else to its payer. A contract
 * that the order does not name as its payer may belong to an exchange or pay for many, and what it receives reaches no
 * buyer.
 *
 * @param refund.isContract - Whether the payer is a contract.
 * @returns `undefined` if an address has to be named first.
 */
export const findRecipient = (
  chain: RefundChain,
  order: Payment,
  { recipient: payer, sentTo, isContract }: Payer & { isContract: boolean },
): string | undefined => {
  const named = findNamed(chain, order, { sentTo })
  if (named !== undefined) return named
  const { payerAddress } = order.payment
  const isNamed = payerAddress !== undefined && chain.parseAddress(payer) === payerAddress
  return isContract && !isNamed ? undefined : payer
}

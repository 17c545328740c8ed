import type { Order } from 'kassa'
import { isAddress } from 'viem'
import { type ChainFamily, getFamily } from './networks'
import { isSolanaAddress } from './solana/base58'

/** Where the goods go. An empty e-mail address or account is still being typed. */
export type Delivery = { to: 'wallet' } | { to: 'email'; email: string } | { to: 'account'; address: string }

/** Returns the family of the chain on which an order's goods are. */
export const getGoodsFamily = ({ lineItems, payment }: Order): ChainFamily =>
  getFamily(lineItems[0]?.chain ?? payment.method)

/** Whether a text is an address on the chains of a family. */
export const isAddressOf = (family: ChainFamily, text: string): boolean =>
  family === 'solana' ? isSolanaAddress(text) : isAddress(text)

/** Whether two addresses are the same. Those of EVM chains ignore case; Solana's do not. */
export const isSameAddress = (one: string | undefined, other: string | undefined): boolean =>
  one === other || Boolean(one?.startsWith('0x') && one.toLowerCase() === other?.toLowerCase())

/**
 * Returns where the goods go: the buyer's choice as far as it is possible, else what the order says.
 *
 * @param isPayable - Whether a connected wallet can receive the goods, because both are of one family of chains.
 * @param ownAddress - The buyer's connected account on the chains of the goods.
 */
export const getDelivery = (
  order: Order,
  choice: Delivery | undefined,
  { isPayable, ownAddress }: { isPayable: boolean; ownAddress: string | undefined },
): Delivery => {
  const known = order.lineItems[0]?.delivery.recipient
  if (choice?.to === 'email') return choice
  if (choice === undefined && known?.email) return { to: 'email', email: known.email }
  if (isPayable) return { to: 'wallet' }
  if (choice?.to === 'account') return choice
  const given = known?.walletAddress
  const address = given !== undefined && isAddressOf(getGoodsFamily(order), given) ? given : ownAddress
  return { to: 'account', address: address ?? '' }
}

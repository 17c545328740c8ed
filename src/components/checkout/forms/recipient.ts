import type { Order } from '../../../schema/index.js'

/**
 * Returns an order's recipient as far as it is known: an e-mail user or a wallet, never both. An edit has to
 * repeat it.
 */
export const getRecipient = (order: Order | undefined): { email?: string; walletAddress?: string } => {
  const known = order?.lineItems.find(({ delivery }) => delivery.recipient)?.delivery.recipient
  // The service owns the wallet of an e-mail user.
  if (known?.email !== undefined) return { email: known.email }
  return known?.walletAddress === undefined ? {} : { walletAddress: known.walletAddress }
}

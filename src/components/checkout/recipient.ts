import type { Order } from '../../schema/index.js'

/**
 * Whom an order is for, as far as it says: an e-mail user or a wallet, never both. An edit has to name them again.
 */
export const getRecipient = (order: Order | undefined): { email?: string; walletAddress?: string } => {
  const known = order?.lineItems.find(({ delivery }) => delivery.recipient)?.delivery.recipient
  // The wallet of an e-mail user is the service's own.
  if (known?.email !== undefined) return { email: known.email }
  return known?.walletAddress === undefined ? {} : { walletAddress: known.walletAddress }
}

import type { OrderDraft } from '../../src/server/readDraft.js'
import { refuseCart } from '../../src/server/refuseCart.js'

/** What a browser sends to the handler of a shop. */
export const cartBody = {
  cart: { edition: 'dunes' },
  payment: { method: 'base-sepolia' as const, currency: 'eth', payerAddress: `0x${'11'.repeat(20)}` },
  recipient: { walletAddress: `0x${'11'.repeat(20)}` },
}

/** The function of a shop that sells one thing. */
export const createDraft = (cart: unknown): OrderDraft => {
  const isOnSale = typeof cart === 'object' && cart !== null && 'edition' in cart && cart.edition === 'dunes'
  if (!isOnSale) throw refuseCart('This is not on sale.')
  return { lineItems: { collectionLocator: 'kassa:dunes' }, metadata: { shelf: 'A' } }
}

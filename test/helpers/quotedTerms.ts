import type { LineItemState, QuotedTerms } from '../../src/engine/order/order.js'

/** The price of a line item in base units, and who receives it. */
export type Goods = { units: number; payee?: string | undefined }

/** The chain on which they are sold and paid for. */
export const chain = 'base-sepolia'

/** The terms of an order of goods, quoted in USDC for a second. */
export const termsOf = (goods: readonly Goods[]): QuotedTerms => ({
  locale: 'en-US',
  recipient: { walletAddress: '0xbb' },
  lineItems: goods.map(({ units, payee }): LineItemState => {
    const totalUnits = `${units}`
    const charges = { unitUnits: totalUnits, salesTaxUnits: '0', shippingUnits: '0', totalUnits }
    return {
      collectionId: 'tea',
      chain,
      quantity: 1,
      callData: {},
      metadata: { name: 'Tea', description: '', imageUrl: '' },
      quote: { status: 'valid', charges, ...(payee !== undefined && { payee }) },
      delivery: { status: 'awaiting-payment', walletAddress: '0xbb' },
    }
  }),
  quote: {
    status: 'valid',
    expiresAtMs: 1000,
    totalUnits: `${goods.reduce((sum, { units }) => sum + units, 0)}`,
  },
  payment: { chain, currency: 'usdc', decimals: 6 },
})

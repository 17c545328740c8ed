import type { LineItem, Order } from 'kassa/schema'

/** How an order changes: by one object put in another's place, or by all of it coming anew. */
export type Change = 'field' | 'fresh'

// One transparent pixel: a picture that is there at once.
const imageUrl = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

const createItem = (index: number): LineItem => ({
  chain: 'base-sepolia',
  quantity: 1,
  callData: { quantity: 1 },
  metadata: { name: `Item ${index}`, description: 'One of many.', imageUrl },
  quote: {
    status: 'valid',
    charges: {
      unit: { amount: '0.012', currency: 'eth' },
      salesTax: { amount: '0', currency: 'eth' },
      shipping: { amount: '0', currency: 'eth' },
    },
    totalPrice: { amount: '0.012', currency: 'eth' },
  },
  delivery: {
    status: 'completed',
    recipient: {
      locator: 'base-sepolia:0x9F3b6b1C0a4e2cF6d1B27F4E5cD0A1b2C3d4E5F6',
      walletAddress: '0x9F3b6b1C0a4e2cF6d1B27F4E5cD0A1b2C3d4E5F6',
    },
  },
})

/** An order that is no longer polled, so that only the benchmark changes it. */
export const createOrder = (count: number): Order => ({
  orderId: 'b4d1f0f2-6f0f-4a53-9f57-3a1f2c0f7c11',
  phase: 'completed',
  locale: 'en-US',
  lineItems: Array.from({ length: count }, (_, index) => createItem(index)),
  quote: { status: 'valid', totalPrice: { amount: '12', currency: 'eth' } },
  payment: { status: 'completed', method: 'base-sepolia', currency: 'eth' },
})

/** The order with one more of one line item. */
export const addOne = (order: Order, at: number, change: Change): Order => {
  const next = {
    ...order,
    lineItems: order.lineItems.map((item, index) =>
      index === at ? { ...item, quantity: (item.quantity ?? 0) + 1 } : item,
    ),
  }
  return change === 'fresh' ? structuredClone(next) : next
}

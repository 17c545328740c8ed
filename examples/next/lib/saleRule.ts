import type { LineItem, Order } from 'kassa'

const codesOf = ({ lineItems }: Order): (string | undefined)[] =>
  lineItems.map(({ quote }) => quote.unavailabilityReason?.code)

const ofBuyer: readonly (string | undefined)[] = ['not-in-phase', 'limit-reached', 'recipient-refuses']
const ofSale: readonly (string | undefined)[] = [
  'sale-not-started',
  'sale-ended',
  'phase-sold-out',
  ...ofBuyer,
]

/** Whether a rule of its sale keeps an order from being bought, and not its supply. */
export const isRefusedByRule = (order: Order): boolean => codesOf(order).some((code) => ofSale.includes(code))

/** Whether rules keep only this buyer from an order, so that another wallet or e-mail address might get it. */
export const isRefusedToBuyer = (order: Order): boolean =>
  codesOf(order).every((code) => ofBuyer.includes(code))

/** Whether there are promotion codes for an order. */
export const hasPromotionCodes = ({ lineItems }: Order): boolean =>
  lineItems.some(({ quote }: LineItem) => quote.sale?.hasPromotionCodes)

import type { OrderState } from './order.js'

/** Returns what the merchant has refunded of a line item's price. @units base units of the payment's currency */
export const refundedOf = ({ refunds }: Pick<OrderState, 'refunds'>, lineItemIndex: number): bigint =>
  refunds
    .flatMap(({ request }) => request?.shares ?? [])
    .filter((share) => share.lineItemIndex === lineItemIndex)
    .reduce((sum, { units }) => sum + BigInt(units), 0n)

import type { Address } from 'viem'
import { payError } from '../errors/payError.js'

import type { Order } from '../schema/index.js'
import { readRouterPay } from './calls.js'
import { toOrderReference } from './orderAddresses.js'
import type { PaymentTransaction } from './preparation.js'
import { notAllowed } from './refusals.js'
import type { PaymentRules } from './rules.js'

const checkRouterCall = (order: Order, { data }: PaymentTransaction): void => {
  const call = readRouterPay(data)
  if (!call) throw notAllowed('it calls something other than the payment of an order')
  if (call.orderRef !== toOrderReference(order.orderId)) throw notAllowed('it pays for another order')
  const expiresAtMs = Date.parse(order.quote.expiresAt ?? '')
  // A quote without an expiry gives NaN, which equals no deadline.
  if (Number(call.deadline) !== Math.floor(expiresAtMs / 1000))
    throw notAllowed('its deadline is not the end of the quote')
}

/**
 * Checks a payment in a chain's native currency against the order: it must call the payment router, for this
 * order, with the quote's expiry as its deadline.
 *
 * @throws {@link KassaError} `pay.recipient-mismatch`, `pay.call-not-allowed`.
 */
export const checkNativePayment = (
  order: Order,
  transaction: PaymentTransaction,
  { contracts }: PaymentRules,
): { recipient: Address; units: bigint } => {
  const { to, data, valueWei } = transaction
  if (contracts && contracts.router.toLowerCase() !== to.toLowerCase()) {
    throw payError('pay.recipient-mismatch', { expected: contracts.router, prepared: to })
  }
  // A service without a router may use a plain transfer.
  if (contracts || data !== '0x') checkRouterCall(order, transaction)
  return { recipient: to, units: valueWei }
}

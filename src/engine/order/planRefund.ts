import { fromBaseUnits, toBaseUnits } from '../../schema/baseUnits.js'
import type { CreateRefundBody } from '../../schema/refund.js'
import { invalid } from '../invalidInput.js'
import { isPaid, isPaymentLost, listAccepted } from './accepted.js'
import { isUncaptured } from './applyCapture.js'
import type { OrderState, RefundShare } from './order.js'
import { divideRefund, listRefundable, sumRefundable } from './requestRefund.js'

/** Why a refund cannot be made. */
type Refusal = { refusal: string }

/** Returns the currency that an order was paid in, or is to be paid in. */
const currencyOf = (order: OrderState): Pick<OrderState['payment'], 'currency' | 'decimals'> =>
  listAccepted(order)[0] ?? order.payment

/** Returns what is left to refund, and which recipients of proceeds have to return the rest themselves. */
export const explainLeft = (order: OrderState): string => {
  const { currency, decimals } = currencyOf(order)
  const left = `${fromBaseUnits(sumRefundable(order), decimals)} ${currency} can be refunded now`
  const gone = listRefundable(order).filter(({ payee, units }) => payee !== undefined && units > 0n)
  const payees = [...new Set(gone.map(({ payee }) => payee))].join(', ')
  return payees ? `${left}. The proceeds of the rest went to ${payees}: refund them from there` : left
}

const readUnits = (
  { amount }: CreateRefundBody,
  { currency, decimals }: ReturnType<typeof currencyOf>,
): bigint | undefined => {
  if (amount === undefined) return undefined
  const units = toBaseUnits(amount, decimals)
  if (units === undefined) throw invalid('amount', `${currency} has ${decimals} decimals at most`)
  return units
}

/** Says why a named line item cannot be refunded. */
const explainItem = (order: OrderState, index: number, field: string): string | undefined => {
  const { delivery } = order.lineItems[index] ?? {}
  if (!delivery) throw invalid(field, `the order has no line item ${index}`)
  if (delivery.status === 'failed') {
    return `${field}: line item ${index} was not delivered, so the service refunds it`
  }
  if (delivery.status === 'completed') return undefined
  return `${field}: line item ${index} is not delivered yet: refund it afterwards`
}

const explainItems = (order: OrderState, indexes: readonly number[] = []): string | undefined => {
  for (const [at, index] of indexes.entries()) {
    const field = `lineItems[${at}].index`
    if (order.lineItems[index] && indexes.indexOf(index) !== at) {
      throw invalid(field, `line item ${index} is named twice`)
    }
    const refusal = explainItem(order, index, field)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

const explainUnpaid = (order: OrderState): string | undefined => {
  if (isUncaptured(order)) return 'The payment of this order is not captured: void the order to pay it back'
  if (isPaid(order)) return undefined
  return isPaymentLost(order)
    ? 'The blockchain has taken the payment of this order back'
    : 'The order is not paid'
}

/**
 * Divides a refund that the merchant asks for among the delivered line items, or says why it cannot be made.
 *
 * @throws {@link InvalidInput} naming the field.
 */
export const planRefund = (order: OrderState, body: CreateRefundBody): RefundShare[] | Refusal => {
  const lineItemIndexes = body.lineItems?.map(({ index }) => index)
  const refusal = explainUnpaid(order) ?? explainItems(order, lineItemIndexes)
  if (refusal !== undefined) return { refusal }
  const units = readUnits(body, currencyOf(order))
  const shares = divideRefund(order, { lineItemIndexes, units })
  if (shares.length) return shares
  if (units !== undefined) return { refusal: `amount: ${body.amount} is too much: ${explainLeft(order)}` }
  const field = lineItemIndexes ? 'lineItems: ' : ''
  const hasUndelivered = order.phase === 'delivery' && !lineItemIndexes
  const later = hasUndelivered ? ' A line item can be refunded once it is delivered' : ''
  return { refusal: `${field}There is nothing left of it: ${explainLeft(order)}${later && `.${later}`}` }
}

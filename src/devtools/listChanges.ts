import type { Amount, Order } from '../schema/index.js'
import type { Change } from './snapshot.js'

const write = (amount: Amount | undefined): string | undefined =>
  amount && `${amount.amount} ${amount.currency.toUpperCase()}`

/** Reads the fields whose changes a developer wants to see, by name. */
const readFields = ({ phase, quote, payment, lineItems }: Order): Map<string, string | undefined> => {
  const item = (index: number): string => (lineItems.length > 1 ? ` ${index + 1}` : '')
  return new Map([
    ['phase', phase],
    ['quote', quote.status],
    ['payment', payment.status],
    ['failure', payment.failureReason?.code],
    ...lineItems.flatMap(({ quote, delivery }, index): [string, string][] => [
      [`item${item(index)}`, quote.status],
      [`delivery${item(index)}`, delivery.status],
    ]),
    ['total', write(quote.totalPrice)],
    ['expires', quote.expiresAt],
    ['received', write(payment.received)],
    ['refunded', write(payment.refunded)],
  ])
}

/**
 * Lists the changes between two readings of an order.
 *
 * @param before - Undefined for the first reading.
 */
export const listChanges = (before: Order | undefined, after: Order): Change[] => {
  const [was, is] = [before && readFields(before), readFields(after)]
  const fields = [...new Set([...is.keys(), ...(was?.keys() ?? [])])]
  return fields.flatMap((field) => {
    const [from, to] = [was?.get(field), is.get(field)]
    return from === to ? [] : [{ field, ...(from !== undefined && { from }), to: to ?? 'none' }]
  })
}

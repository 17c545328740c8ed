import { getOrderOwner } from 'kassa/engine'
import type { PaymentPort } from '#base/ports/chainParts.js'
import type { ChainParts } from '../chainParts.js'
import { readBlock } from '../connection/readBlock.js'
import { createOpenTokens } from './createOpenTokens.js'
import { createPaymentSearch } from './findPayments.js'
import { estimatePayments, preparePayment } from './preparePayment.js'
import { readHoldings } from './readHoldings.js'
import { readStatement } from './readStatement.js'
import { traceReported } from './traceReported.js'

/** Creates the part of a port that prepares and finds payments of orders on Solana. */
export const createPaymentPort = (parts: ChainParts): PaymentPort => {
  const { chain, operator, terms, placeOf, read, peek } = parts
  const { db, log } = parts.options
  const openTokens = createOpenTokens(parts)
  const search = createPaymentSearch(terms, log)
  return {
    traceReported: (input) => read((rpc) => traceReported(rpc, parts, input)),
    paymentTarget: ({ orderId }) => getOrderOwner(operator, orderId),
    preparePayment: (input) =>
      read((rpc) => {
        const place = placeOf(input)
        return preparePayment(rpc, { place, openAccount: () => openTokens(input, place) }, input)
      }),
    readHoldings: (payers) => read((rpc) => readHoldings(rpc, terms, payers)),
    estimatePayments: ({ orderId, payments, ...input }) =>
      read((rpc) => {
        const placed = payments.map((payment) => ({
          ...payment,
          place: placeOf({ orderId, currency: payment.currency }),
        }))
        return estimatePayments(rpc, placed, input)
      }),
    findPayments: (input) => read((rpc) => search(rpc, (slot) => readBlock(rpc, slot), input)),
    getStatement: (input) => peek((rpc) => readStatement({ rpc, db, chain }, terms, input)),
  }
}

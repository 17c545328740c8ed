import type { ChainPort } from '#base/ports/chain.js'
import type { AuthorizationChain } from '../authorizations/authorizationTerms.js'
import type { ChainParts } from '../chainParts.js'
import { findPayments, getPaymentTarget } from './orderPayments.js'
import { estimatePayments, preparePayment } from './preparePayment.js'
import { readArrived } from './readArrived.js'
import { readHoldings } from './readHoldings.js'
import { readStatement } from './readStatement.js'
import { traceReported } from './traceReported.js'

/** Creates the part of a port that prepares and finds payments of orders on an EVM chain. */
export const createPaymentPort = (parts: ChainParts, authorizing: AuthorizationChain) => {
  const { contracts, currencies, tokenOf, use, read, peek } = parts
  const { chain, chainId, nativeCurrency, db } = parts.options
  const paymentChain = { contracts, chainId, nativeCurrency, tokenOf, authorizing }
  return {
    traceReported: ({ txId, orderId, currency }) =>
      read((client) => {
        // The order may be paid on another chain, in a currency that this chain lacks.
        const isKnown = currencies.some((each) => each.currency === currency)
        const token = isKnown ? tokenOf(currency) : undefined
        return traceReported(
          client,
          txId,
          token && { token, target: getPaymentTarget(contracts, orderId, token) },
        )
      }),
    paymentTarget: ({ orderId, currency }) => getPaymentTarget(contracts, orderId, tokenOf(currency)),
    preparePayment: (input) => use((opened) => preparePayment(opened, paymentChain, input)),
    readHoldings: (payers) => use(({ batching }) => readHoldings(batching, tokenOf, payers)),
    estimatePayments: (input) => use((opened) => estimatePayments(opened, paymentChain, input)),
    findPayments: (input) => use(({ batching }) => findPayments(batching, contracts, input)),
    readArrived: (input) => read((client) => readArrived({ client, db, chain }, contracts, input)),
    // An accounting report must not change anything, and a connection deploys missing contracts.
    getStatement: (input) => peek((client) => readStatement({ client, db, chain }, contracts, input)),
  } satisfies Partial<ChainPort>
}

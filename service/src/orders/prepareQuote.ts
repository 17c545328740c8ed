import type { Deps } from '../deps.js'
import type { PaymentWatch } from '../payments/watchTargets.js'
import { findLineItems } from './findLineItems.js'
import type { FundsCheck, OrderState, PaymentTerms, QuotedTerms, Recipient } from './order.js'
import { quoteOrder } from './quote.js'
import type { AskedItem } from './readLineItems.js'

/** What an order is about, before it has a price. */
export type AskedTerms = {
  orderId: string
  projectId: string
  locale: OrderState['locale']
  metadata?: OrderState['metadata']
  recipient?: Recipient | undefined
  payment: PaymentTerms
  items: readonly AskedItem[]
}

/** A quote ready for an order to take on, and where to look for its payment. */
export type PreparedQuote = { terms: QuotedTerms; watch?: PaymentWatch }

type QuoteDeps = Pick<Deps, 'db' | 'chains' | 'config' | 'log' | 'now'>

/** Asks the chain whether the payer can pay a quote, and for the transaction to sign. */
export const checkPayer = async (
  { chains }: Pick<Deps, 'chains'>,
  { orderId, quote, payment }: Pick<OrderState, 'orderId' | 'quote'> & { payment: PaymentTerms },
): Promise<FundsCheck | undefined> => {
  const chain = chains.get(payment.chain)
  const { payerAddress: payer, currency } = payment
  const { totalUnits, expiresAtMs } = quote
  if (!chain || payer === undefined || totalUnits === undefined || expiresAtMs === undefined) return undefined
  return chain.preparePayment({
    orderId,
    payer,
    currency,
    units: BigInt(totalUnits),
    deadlineMs: expiresAtMs,
  })
}

/**
 * Prices what is asked for and, once there is a price, prepares its payment. This talks to the chain: no database
 * transaction may be open.
 *
 * @param isFirst - Whether the client just sent the line items.
 * @throws {@link ServiceError} `not-found`, `input-invalid`, `chain-unavailable`.
 */
export const prepareQuote = async (
  deps: QuoteDeps,
  asked: AskedTerms,
  isFirst: boolean,
): Promise<PreparedQuote> => {
  const { orderId, locale, metadata, recipient, payment } = asked
  const items = await findLineItems(deps, asked, isFirst)
  const quoted = quoteOrder({ items, recipient, payment, nowMs: deps.now() }, deps.config)
  const terms: QuotedTerms = {
    locale,
    payment,
    ...quoted,
    ...(metadata && { metadata }),
    ...(recipient && { recipient }),
  }
  const chain = deps.chains.get(payment.chain)
  if (quoted.quote.status !== 'valid' || !chain) return { terms }
  await chain.ready()
  const head = await chain.getHead()
  // Of every currency: who pays in the wrong one gets it back.
  const targets = chain.currencies.map(({ currency }) => chain.paymentTarget({ orderId, currency }))
  const funds = await checkPayer(deps, { orderId, quote: quoted.quote, payment })
  return { terms: { ...terms, ...(funds && { funds }) }, watch: { chain: payment.chain, targets, head } }
}

import { and, eq } from 'drizzle-orm'
import { wallets } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import type { PaymentWatch } from '../payments/watchTargets.js'
import { assertOnSale } from './assertOnSale.js'
import { findLineItems } from './findLineItems.js'
import type { FundsCheck, OrderState, PaymentTerms, QuotedTerms, Recipient } from './order.js'
import { quoteOrder } from './quote.js'
import type { AskedItem } from './readLineItems.js'

/** The terms of an order, before it has a price. */
export type AskedTerms = {
  orderId: string
  projectId: string
  locale: OrderState['locale']
  metadata?: OrderState['metadata']
  recipient?: Recipient | undefined
  payment: PaymentTerms
  items: readonly AskedItem[]
}

/** A quote that an order can take, and where to watch for its payment. */
export type PreparedQuote = { terms: QuotedTerms; watch?: PaymentWatch }

type QuoteDeps = Pick<Deps, 'db' | 'chains' | 'config' | 'rates' | 'log' | 'now'>

type PayerDeps = Pick<Deps, 'db' | 'chains' | 'config'>

/**
 * Whether a payer is the project's own wallet whose gas is sponsored. A smart wallet may have no code yet.
 */
const hasGasPaid = async (
  { db, config }: PayerDeps,
  projectId: string,
  address: string,
): Promise<boolean> => {
  const [wallet] = await db
    .select({ type: wallets.type })
    .from(wallets)
    .where(and(eq(wallets.projectId, projectId), eq(wallets.address, address)))
  return wallet?.type === 'evm-smart-wallet' || (wallet !== undefined && config.sponsorsGas)
}

/** Asks the chain whether the payer can pay a quote, and for the transaction to sign. */
export const checkPayer = async (
  deps: PayerDeps,
  order: Pick<OrderState, 'orderId' | 'projectId' | 'quote'> & { payment: PaymentTerms },
): Promise<FundsCheck | undefined> => {
  const { orderId, projectId, quote, payment } = order
  const chain = deps.chains.get(payment.chain)
  const { payerAddress: payer, currency } = payment
  const { totalUnits, expiresAtMs } = quote
  if (!chain || payer === undefined || totalUnits === undefined || expiresAtMs === undefined) return undefined
  return chain.preparePayment({
    orderId,
    payer,
    currency,
    units: BigInt(totalUnits),
    isGasPaidByOthers: await hasGasPaid(deps, projectId, payer),
    deadlineMs: expiresAtMs,
  })
}

/**
 * Prices the requested items and, once there is a price, prepares the payment. This calls the chain, so no
 * database transaction may be open.
 *
 * @param isFirst - Whether the client just sent the line items.
 * @throws {@link ServiceError} `not-found`, `input-invalid`, `chain-unavailable`, `rates-unavailable`.
 */
export const prepareQuote = async (
  deps: QuoteDeps,
  asked: AskedTerms,
  isFirst: boolean,
): Promise<PreparedQuote> => {
  const { orderId, projectId, locale, metadata, recipient, payment } = asked
  const items = await findLineItems(deps, asked, isFirst)
  const rates = await deps.rates.read()
  assertOnSale(deps, { items, recipient, payment, rates })
  const input = { items, recipient, payment, nowMs: deps.now() }
  const quoted = quoteOrder(input, { ...deps.config, rates: rates.usd })
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
  // Includes every currency, so that a payment in the wrong one is found and refunded.
  const targets = chain.currencies.map(({ currency }) => chain.paymentTarget({ orderId, currency }))
  const funds = await checkPayer(deps, { orderId, projectId, quote: quoted.quote, payment })
  return { terms: { ...terms, ...(funds && { funds }) }, watch: { chain: payment.chain, targets, head } }
}

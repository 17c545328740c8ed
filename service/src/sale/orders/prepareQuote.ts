import { sql } from 'drizzle-orm'
import type { FundsCheck, OrderState, PaymentTerms, QuotedTerms } from 'kassa/engine'
import { type AskedTerms, dueUnits, quotedTerms, quoteOrder } from 'kassa/engine'
import type { Call } from '#base/call.js'
import { createStatement } from '#base/db/createStatement.js'
import type { Database } from '#base/db/database.js'
import { wallets } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { createBatch } from '#base/lib/createBatch.js'
import { memoizeAsync } from '#base/lib/memoizeAsync.js'
import type { BlockRef, ChainPort } from '#base/ports/chain.js'
import { readSuspended } from '#goods/collections/suspendedCurrencies.js'
import { audienceOf } from '#identity/authorize.js'
import type { WalletRow } from '#identity/wallets/findWallet.js'
import { kindOf } from '#identity/wallets/kinds.js'
import { findLineItems } from './findLineItems.js'
import { isSponsored, offerAuthorization } from './offerAuthorization.js'
import { withX402Url } from './offerX402.js'
import { assertOnSale } from './onSale.js'
import type { PaymentWatch } from './watchTargets.js'

/** How long a block is the head for new orders. */
const recentMs = 1_000
const recentHeads = new WeakMap<ChainPort, () => Promise<BlockRef>>()

/**
 * Reads a block that was the head within the last second. The search for an order's payment begins there, so an
 * earlier one finds no less. The search itself reads the head anew.
 */
export const readRecentHead = (chain: ChainPort, now: () => number): Promise<BlockRef> => {
  const read = recentHeads.get(chain) ?? memoizeAsync(() => chain.getHead(), recentMs, now)
  recentHeads.set(chain, read)
  return read()
}

/** A quote that an order can take, and where to watch for its payment. */
export type PreparedQuote = { terms: QuotedTerms; watch?: PaymentWatch }

type QuoteDeps = Pick<Deps, 'db' | 'notices' | 'chains' | 'config' | 'rates' | 'log' | 'now' | 'randomBytes'>

type PayerDeps = Pick<Deps, 'db' | 'chains' | 'config' | 'rates'>

type Payer = { projectId: string; address: string }

const walletReaders = new WeakMap<Database, (payer: Payer) => Promise<WalletRow['type'] | undefined>>()

const readWallets = createStatement('wallets_types', (db) => {
  const { projectId, address, type } = wallets
  const isAsked = sql`${projectId} = any(${sql.placeholder('projectIds')}) and ${address} = any(${sql.placeholder('addresses')})`
  return db.select({ projectId, address, type }).from(wallets).where(isAsked)
})

/** Creates a reader of the types of projects' own wallets. Those asked for at about the same time are read together. */
const createWalletReader = (db: Database) =>
  createBatch(async (payers: readonly Payer[]) => {
    const rows = await readWallets(db, {
      projectIds: [...new Set(payers.map(({ projectId }) => projectId))],
      addresses: payers.map(({ address }) => address),
    })
    return payers.map(
      (payer) => rows.find((row) => row.projectId === payer.projectId && row.address === payer.address)?.type,
    )
  })

/**
 * Whether a payer is the project's own wallet whose gas is sponsored. A smart wallet may have no code yet.
 */
export const hasGasPaid = async ({ db, config }: PayerDeps, payer: Payer): Promise<boolean> => {
  const read = walletReaders.get(db) ?? createWalletReader(db)
  walletReaders.set(db, read)
  const type = await read(payer)
  return type !== undefined && kindOf(type).isGasPaid(config)
}

/** Asks the chain whether the payer can pay what is left of a quote, and for the transaction to sign. */
export const checkPayer = async (
  deps: PayerDeps,
  order: Pick<OrderState, 'orderId' | 'projectId' | 'quote' | 'payments'> & { payment: PaymentTerms },
  network?: string,
): Promise<FundsCheck | undefined> => {
  const { orderId, projectId, quote, payment } = order
  const chain = deps.chains.get(payment.chain)
  const { payerAddress: payer, currency } = payment
  const { expiresAtMs } = quote
  const units = dueUnits(order)
  // What costs nothing is claimed, and never paid.
  if (!chain || payer === undefined || !units || expiresAtMs === undefined) return undefined
  const prepared = await chain.preparePayment({
    orderId,
    projectId,
    network,
    payer,
    currency,
    units,
    isGasPaidByOthers: await hasGasPaid(deps, { projectId, address: payer }),
    isSponsored: isSponsored(deps, chain, currency),
    deadlineMs: expiresAtMs,
  })
  return offerAuthorization(deps, chain, { currency, units, prepared })
}

/**
 * Prices the requested items and, once there is a price, prepares the payment. This calls the chain, so no
 * database transaction may be open.
 *
 * @param input.isFirst - Whether the client just sent the line items.
 * @throws {@link ServiceError} `not-found`, `input-invalid`, `chain-unavailable`, `rates-unavailable`.
 */
export const prepareQuote = async (
  deps: QuoteDeps,
  asked: AskedTerms,
  { call, isFirst }: { call: Call; isFirst: boolean },
): Promise<PreparedQuote> => {
  const { orderId, projectId, recipient, payment, promotionCode } = asked
  const items = await findLineItems(deps, asked, isFirst)
  const rates = await deps.rates.read()
  const suspended = await readSuspended(deps, payment.chain)
  assertOnSale(deps, { items, recipient, payment, rates, suspended })
  const input = { items, recipient, payment, promotionCode, nowMs: deps.now() }
  const quoted = quoteOrder(input, { ...deps.config, rates: rates.usd })
  const chain = deps.chains.get(payment.chain)
  if (quoted.quote.status !== 'valid' || !chain) return { terms: quotedTerms(asked, quoted) }
  await chain.ready()
  const terms = quotedTerms({ ...asked, payment: await withX402Url(deps, chain, asked) }, quoted)
  const head = await readRecentHead(chain, deps.now)
  // Includes every currency, so that a payment in the wrong one is found and refunded.
  const targets = chain.currencies.map(({ currency }) => chain.paymentTarget({ orderId, currency }))
  const order = { orderId, projectId, quote: quoted.quote, payment, payments: [] }
  // A merchant's server limits its own callers.
  const isMerchant = audienceOf(call.actor) === 'merchant'
  const funds = await checkPayer(deps, order, isMerchant ? undefined : (call.client.network ?? 'unknown'))
  return { terms: { ...terms, ...(funds && { funds }) }, watch: { chain: payment.chain, targets, head } }
}

import {
  type AskedTerms,
  changeTerms,
  isQuotedIn,
  knownUnits,
  listPlaces,
  type OrderState,
  type PaymentEstimate,
  quoteOrder,
  viewPaymentOption,
} from 'kassa/engine'
import type { PaymentOptionList } from 'kassa/schema'
import type { Call } from '#base/call.js'
import { advances } from '#base/config/advances.js'
import { countInWindow } from '#base/db/countInWindow.js'
import type { Deps } from '#base/deps.js'
import { checkInput, ServiceError } from '#base/errors.js'
import { type Cache, createCache } from '#base/lib/createCache.js'
import { withTimeout } from '#base/lib/withTimeout.js'
import type { ChainPort, EstimatePaymentsInput } from '#base/ports/chain.js'
import type { ChainCurrency } from '#base/ports/currency.js'
import type { Rates } from '#base/ports/rates.js'
import { readSuspended } from '#goods/collections/suspendedCurrencies.js'
import { audienceOf, requireOrderAccess } from '#identity/authorize.js'
import { findGoods, findUnpayable, type Goods, withPayees } from './findLineItems.js'
import { listPayable } from './onSale.js'
import { hasGasPaid, readRecentHead } from './prepareQuote.js'
import { assertEditable } from './requoteOrder.js'
import { readOrder } from './store.js'

/** How long a chain may take before the answer goes without it. */
const patienceMs = 3_000
/** How long an answer of a chain is kept while its head stays the same. */
const keepMs = 15_000
const maxKept = 1_000

type OptionsDeps = Pick<Deps, 'db' | 'notices' | 'chains' | 'config' | 'rates' | 'log' | 'now'>

/** A chain that an order may be paid on, and the payer in the chain's canonical form. */
type Place = { port: ChainPort; payer: string | undefined }

/** A currency on a chain, and the price of the order in it. */
type Priced = ChainCurrency & { units: bigint }

/** What all ways to pay an order share. */
type Shop = { order: OrderState; asked: AskedTerms; goods: readonly Goods[]; rates: Rates }

/** Prices an order in each currency of a chain. A currency without a price is left out, and so is what costs nothing. */
const priceOn = async (deps: OptionsDeps, shop: Shop, { port, payer }: Place): Promise<Priced[]> => {
  const { order, asked, goods, rates } = shop
  if (findUnpayable(goods, port)) return []
  const items = withPayees(goods, port)
  const suspended = await readSuspended(deps, port.chain)
  const { recipient, promotionCode } = asked
  const nowMs = deps.now()
  const payable = listPayable(deps, port, { items, recipient, rates, suspended })
  return port.currencies.flatMap((known) => {
    const { currency, decimals } = known
    const isKept = isQuotedIn(order, { chain: port.chain, currency, payer }, nowMs)
    if (!isKept && !payable.some((each) => each.currency === currency)) return []
    const payment = {
      chain: port.chain,
      currency,
      decimals,
      ...(payer !== undefined && { payerAddress: payer }),
    }
    const quoted = isKept
      ? order
      : quoteOrder({ items, recipient, payment, promotionCode, nowMs }, { ...deps.config, rates: rates.usd })
    const units = knownUnits(quoted)
    return units ? [{ ...known, units }] : []
  })
}

const estimates = new WeakMap<ChainPort, Cache<(PaymentEstimate | undefined)[]>>()

/** Reads what payments would take of a payer, once for each block. */
const readEstimates = async (
  { now }: Pick<Deps, 'now'>,
  port: ChainPort,
  input: EstimatePaymentsInput,
): Promise<(PaymentEstimate | undefined)[]> => {
  const { hash } = await readRecentHead(port, now)
  const kept = estimates.get(port) ?? createCache(maxKept, keepMs, now)
  estimates.set(port, kept)
  const { orderId, payer, isGasPaidByOthers, payments } = input
  const asked = payments.map(({ currency, units }) => `${currency}:${units}`)
  return kept.get([hash, orderId, payer, isGasPaidByOthers, ...asked].join(' '), () =>
    port.estimatePayments(input),
  )
}

/**
 * Counts a list that asks the chains, and returns whether it may. Anyone can name any number of payers. A merchant's
 * server limits its own callers.
 */
const mayAsk = async ({ db, config, now }: OptionsDeps, { actor, client }: Call): Promise<boolean> => {
  if (audienceOf(actor) === 'merchant') return true
  const { windowMs, caps } = advances.balances
  const window = { kind: 'balances', of: client.network ?? 'unknown', windowMs, nowMs: now() }
  return (await countInWindow(db, window)).count <= caps(config).network
}

/** Lists the ways to pay an order on a chain. */
const listOn = async (
  deps: OptionsDeps,
  shop: Shop & { isAsking: boolean },
  place: Place,
): Promise<PaymentOptionList> => {
  const { port, payer } = place
  const { orderId, projectId } = shop.order
  const priced = await priceOn(deps, shop, place)
  const native = port.currencies.find(({ address }) => address === undefined)
  if (!priced.length || !native) return []
  const isGasPaidByOthers =
    payer === undefined ? false : await hasGasPaid(deps, { projectId, address: payer })
  const deadlineMs = deps.now() + deps.config.quoteTtlMs
  const asked = { payer: shop.isAsking ? payer : undefined, isGasPaidByOthers }
  const input = { orderId, ...asked, deadlineMs, payments: priced }
  const reading = readEstimates(deps, port, input).catch((err: unknown) => {
    deps.log.warn({ chain: port.chain, err }, 'the payment options of a chain are unknown')
    throw err
  })
  const known = await withTimeout(reading, patienceMs)
  return priced.flatMap(({ units, ...currency }, at) => {
    const estimate = known?.[at]
    // The chain takes no payment of so little.
    if (known && !estimate) return []
    return [
      viewPaymentOption({ chain: port.chain, currency, native, units, estimate, rates: shop.rates.usd }),
    ]
  })
}

/**
 * Lists the ways to pay an order: each currency on each chain that it may be paid in, what it costs there, and whether
 * the payer holds enough. Until it is known who gets the goods, they are listed at what the goods cost. A chain that does
 * not answer in time is listed without its network fee and balances. From a network that has asked too often, all chains
 * are listed without balances.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`, `conflict`, `input-invalid` naming `payerAddress`.
 * @source answers.md "Revised again"
 */
export const listPaymentOptions = async (
  deps: OptionsDeps,
  call: Call,
  { orderId, payerAddress }: { orderId: string; payerAddress?: string | undefined },
): Promise<PaymentOptionList> => {
  requireOrderAccess(call.actor, 'orders.read', orderId)
  const read = await readOrder(deps.db, orderId, call.actor.projectId)
  if (!read) throw new ServiceError('not-found', 'Not found')
  const { order } = read
  assertEditable(order)
  const ports = deps.chains.enabled.flatMap((name) => deps.chains.get(name) ?? [])
  const places = checkInput(() => listPlaces(order, ports, payerAddress))
  const payer = places.find((place) => place.payer !== undefined)?.payer
  const { payment: own, ...terms } = changeTerms(order, {})
  const { payerAddress: _, ...payment } = own
  const asked = { ...terms, payment: { ...payment, ...(payer !== undefined && { payerAddress: payer }) } }
  const [goods, rates, isAsking] = await Promise.all([
    findGoods(deps, asked, false),
    deps.rates.read(),
    payer !== undefined && mayAsk(deps, call),
  ])
  const shop = { order, asked, goods, rates, isAsking }
  const listed = await Promise.all(places.map((place) => listOn(deps, shop, place)))
  return listed.flat()
}

import { getRate, type LineItemRequest, type PaymentTerms, type Recipient } from 'kassa/engine'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { ChainCurrency } from '#base/ports/currency.js'
import type { Rates } from '#base/ports/rates.js'
import { listTaken } from '#goods/collections/listTaken.js'

/** What decides in which currencies of a chain an order may be paid. */
export type Sale = {
  items: readonly Pick<LineItemRequest, 'collection'>[]
  recipient?: Recipient | undefined
  rates: Rates
  /** The currencies that are suspended on the chain. */
  suspended: ReadonlySet<string>
}

/** Lists the currencies whose rates are needed to price the items in another one. */
const listConverted = ({ items, recipient }: Sale, currency: string, shippingUsd: string): string[] =>
  [
    ...items.flatMap(({ collection: { priceCurrency } }) => priceCurrency ?? []),
    ...(recipient?.physicalAddress && Number(shippingUsd) > 0 ? ['usd'] : []),
  ].filter((priced) => priced !== currency)

/** A currency that an order may be paid in, if its rate is known. */
type Offered = ChainCurrency & {
  /** Whether a price is in another currency and this one has no fresh rate. */
  lacksRate: boolean
  /** A currency whose rate is needed and missing because its source does not answer. */
  away: string | undefined
}

/** Lists what the deployment and each collection accept on a chain, and what is not suspended there. */
const listOffered = (config: Deps['config'], chain: ChainPort, sale: Sale): Offered[] =>
  listTaken(config, chain)
    .filter(({ currency }) => !sale.suspended.has(currency))
    .filter(({ currency }) =>
      sale.items.every(({ collection: { currencies } }) => currencies?.includes(currency) ?? true),
    )
    .map((offered) => {
      const { currency } = offered
      const converted = listConverted(sale, currency, config.shippingUsd)
      const isConverted = converted.length > 0
      return {
        ...offered,
        lacksRate: isConverted && getRate(sale.rates.usd, currency) === undefined,
        away: isConverted ? [currency, ...converted].find((each) => sale.rates.isAway(each)) : undefined,
      }
    })

/** Lists the currencies of a chain that an order may be paid in now. */
export const listPayable = (
  { config }: Pick<Deps, 'config'>,
  chain: ChainPort,
  sale: Sale,
): readonly ChainCurrency[] =>
  listOffered(config, chain, sale).filter(({ lacksRate, away }) => !lacksRate && away === undefined)

/**
 * Asserts that an order may be paid in its currency: the deployment and each collection accept it, it is not
 * suspended, and a fresh rate exists wherever a price is in another currency.
 *
 * @throws {@link ServiceError} `input-invalid`, naming what is on sale; `rates-unavailable` while a source of
 * rates does not answer.
 */
export const assertOnSale = (
  { chains, config }: Pick<Deps, 'chains' | 'config'>,
  { payment, ...sale }: Sale & { payment: PaymentTerms },
): void => {
  const chain = chains.get(payment.chain)
  if (!chain) return
  const { currency } = payment
  const offered = listOffered(config, chain, sale)
  const own = offered.find((each) => each.currency === currency)
  if (own?.away !== undefined) {
    const message = `There is no exchange rate for ${own.away} at the moment. Try again in a few minutes.`
    throw new ServiceError('rates-unavailable', message, { retryAfterSeconds: 30 })
  }
  if (own && !own.lacksRate) return
  const rated = offered.filter(({ lacksRate }) => !lacksRate).map((each) => each.currency)
  const onSale = rated.join(', ') || 'none'
  const reason = own ? 'has no exchange rate at the moment' : 'is not accepted for this order'
  throw new ServiceError(
    'input-invalid',
    `payment.currency: ${currency} ${reason} on ${chain.chain}; accepted: ${onSale}`,
  )
}

import { listTaken } from '../collections/listTaken.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import type { Rates } from '../rates/port.js'
import { getRate } from './convert.js'
import type { PaymentTerms, Recipient } from './order.js'
import type { LineItemRequest } from './quote.js'

type Sale = {
  items: readonly LineItemRequest[]
  recipient?: Recipient | undefined
  payment: PaymentTerms
  rates: Rates
}

/** Lists the currencies whose rates are needed to price the items in another one. */
const listConverted = ({ items, recipient }: Sale, currency: string, shippingUsd: string): string[] =>
  [
    ...items.flatMap(({ collection: { priceCurrency } }) => priceCurrency ?? []),
    ...(recipient?.physicalAddress && Number(shippingUsd) > 0 ? ['usd'] : []),
  ].filter((priced) => priced !== currency)

/**
 * Asserts that an order may be paid in its currency: the deployment and each collection accept it, and a
 * fresh rate exists wherever a price is in another currency.
 *
 * @throws {@link ServiceError} `input-invalid`, naming what is on sale; `rates-unavailable` while a source of
 * rates does not answer.
 */
export const assertOnSale = ({ chains, config }: Pick<Deps, 'chains' | 'config'>, sale: Sale): void => {
  const { items, payment, rates } = sale
  const chain = chains.get(payment.chain)
  if (!chain) return
  const isAllowed = (currency: string): boolean =>
    items.every(({ collection: { currencies } }) => currencies?.includes(currency) ?? true)
  const lacksRate = (currency: string): boolean =>
    listConverted(sale, currency, config.shippingUsd).length > 0 && getRate(rates.usd, currency) === undefined
  const taken = listTaken(config, chain).map(({ currency }) => currency)
  const { currency } = payment
  const isTaken = taken.includes(currency) && isAllowed(currency)
  const converted = listConverted(sale, currency, config.shippingUsd)
  const away = converted.length ? [currency, ...converted].find((each) => rates.isAway(each)) : undefined
  if (isTaken && away !== undefined) {
    const message = `There is no exchange rate for ${away} at the moment. Try again in a few minutes.`
    throw new ServiceError('rates-unavailable', message, { retryAfterSeconds: 30 })
  }
  if (isTaken && !lacksRate(currency)) return
  const onSale = taken.filter((each) => isAllowed(each) && !lacksRate(each)).join(', ') || 'none'
  const reason = isTaken ? 'has no exchange rate at the moment' : 'is not taken for this order'
  throw new ServiceError(
    'input-invalid',
    `payment.currency: ${currency} ${reason} on ${chain.chain}; on sale: ${onSale}`,
  )
}

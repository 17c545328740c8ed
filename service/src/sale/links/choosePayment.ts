import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import type { MerchantTerms } from '#goods/collections/findCollection.js'
import { listTaken } from '#goods/collections/listTaken.js'
import { readSuspended } from '#goods/collections/suspendedCurrencies.js'

type ChoiceDeps = Pick<Deps, 'db' | 'chains' | 'config' | 'now'>

type Payment = { method: string; currency: string }

const chooseCurrency = async (
  deps: ChoiceDeps,
  { priceCurrency, paymentCurrencies, paymentRecipient }: MerchantTerms,
  method: string,
): Promise<string | undefined> => {
  const chain = deps.chains.get(method)
  if (!chain) return undefined
  if (paymentRecipient !== null && chain.parseAddress(paymentRecipient) === undefined) return undefined
  const suspended = await readSuspended(deps, method)
  const accepted = listTaken(deps.config, chain)
    .map(({ currency }) => currency)
    .filter((currency) => !suspended.has(currency) && (paymentCurrencies?.includes(currency) ?? true))
  return accepted.find((currency) => currency === priceCurrency) ?? accepted[0]
}

/**
 * Chooses how an order begins whose payment link names no way to pay: on the collection's own chain and in the currency
 * of its price, where they are accepted.
 *
 * @throws {@link ServiceError} `conflict` if no currency is accepted on any chain.
 */
export const choosePayment = async (deps: ChoiceDeps, collection: MerchantTerms): Promise<Payment> => {
  for (const method of new Set([collection.chain, ...deps.chains.enabled])) {
    const currency = await chooseCurrency(deps, collection, method)
    if (currency !== undefined) return { method, currency }
  }
  throw new ServiceError('conflict', `${collection.name} cannot be paid in any currency now`)
}

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

/** Lists the chains on which the page of a link can take a payment: in production it has no node of Solana. */
const listPayable = ({ chains, config }: ChoiceDeps, first: string): string[] =>
  [...new Set([first, ...chains.enabled])].filter(
    (name) => config.isSandbox || chains.get(name)?.family === 'evm',
  )

/**
 * Chooses how an order begins whose payment link names no way to pay: on the collection's own chain and in the currency
 * of its price, where they are accepted and the page can take them.
 *
 * @throws {@link ServiceError} `unprocessable` if no currency is accepted on any chain.
 */
export const choosePayment = async (deps: ChoiceDeps, collection: MerchantTerms): Promise<Payment> => {
  for (const method of listPayable(deps, collection.chain)) {
    const currency = await chooseCurrency(deps, collection, method)
    if (currency !== undefined) return { method, currency }
  }
  throw new ServiceError('unprocessable', `${collection.name} cannot be paid by a link in any currency now`)
}

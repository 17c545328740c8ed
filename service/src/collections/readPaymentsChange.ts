import type { UpdateCollectionBody } from 'kassa/schema'
import type { ChainPort } from '../chains/port.js'
import type { Deps } from '../deps.js'
import type { Collection } from './findCollection.js'
import { type ReadPayments, readPayments } from './readPayments.js'

/** What changes of the price of a collection's tokens. */
export type PaymentsChange = NonNullable<UpdateCollectionBody['payments']>

/**
 * Reads what a change makes of the price of a collection's tokens: what is not given stays.
 *
 * @param faults - Gets what is wrong with it, by the name of the field.
 * @returns Undefined where there is no price, neither before nor now.
 */
export const readPaymentsChange = (
  deps: Pick<Deps, 'chains' | 'config'>,
  chain: ChainPort,
  {
    price: present,
    priceCurrency,
    paymentCurrencies,
    paymentRecipient,
    royaltyBasisPoints,
    requires,
  }: Collection,
  change: PaymentsChange,
  faults: string[],
): ReadPayments | undefined => {
  const price = change.price ?? present
  if (price === null) {
    faults.push('payments.price: required')
    return undefined
  }
  const currency = change.currency ?? priceCurrency
  const recipientAddress = change.recipientAddress === undefined ? paymentRecipient : change.recipientAddress
  const currencies = change.currencies === undefined ? paymentCurrencies : change.currencies
  const merged = {
    price,
    ...(currencies && { currencies }),
    ...(currency !== null && { currency }),
    ...(recipientAddress !== null && { recipientAddress }),
    royaltyBasisPoints: change.royaltyBasisPoints ?? royaltyBasisPoints,
    requires: change.requires ?? [...requires],
  }
  return readPayments(deps, chain, merged, faults)
}

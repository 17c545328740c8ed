import type { Address } from '@solana/kit'
import type { ChainCurrency } from '#base/ports/currency.js'
import {
  type Derived,
  deriveOrderAccount,
  deriveOrderTokens,
  derivePaymentsKey,
} from '../connection/derivedAddresses.js'

/** What payments of a deployment have in common. */
export type PaymentTerms = { operator: Address; currencies: readonly ChainCurrency[] }

/** Where an order is paid in one currency: the order's own account, and what its payments name. */
export type PaymentPlace = {
  account: Derived
  /** The mint of the currency; undefined for SOL. */
  mint: Address | undefined
  decimals: number
  references: readonly [order: Address, deployment: Address]
}

/** Returns where the order of a reference is paid in a currency, or `undefined` if the chain has no such currency. */
export const getPaymentPlace = (
  { operator, currencies }: PaymentTerms,
  { reference, currency }: { reference: Address; currency: string },
): PaymentPlace | undefined => {
  const known = currencies.find((each) => each.currency === currency)
  if (!known) return undefined
  const mint = known.address as Address | undefined
  return {
    account: mint ? deriveOrderTokens(operator, reference, mint) : deriveOrderAccount(operator, reference),
    mint,
    decimals: known.decimals,
    references: [reference, derivePaymentsKey(operator)],
  }
}

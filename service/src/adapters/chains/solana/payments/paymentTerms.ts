import { type Address, address } from '@solana/kit'
import { and, eq } from 'drizzle-orm'
import { getAssociatedTokens, getOrderOwner, getOrderReference, getPaymentsKey } from 'kassa/engine'
import type { Database } from '#base/db/database.js'
import { paymentTargets } from '#base/db/tables/paymentTargets.js'
import { keepNewest } from '#base/lib/keepNewest.js'
import { memoizeAsync } from '#base/lib/memoizeAsync.js'
import type { ChainCurrency } from '#base/ports/currency.js'
import { type Derived, deriveSeededAccount } from '../connection/derivedAddresses.js'

/**
 * Reads the ids and the targets of orders from before orders had keys of their own. They were paid at accounts that the
 * operator derived by a seed, which are watched and emptied until there are none.
 */
export type ReadSeeded = () => Promise<ReadonlySet<string>>

/** An account that receives payments of an order in one currency. */
export type PaymentAccount = {
  account: Address
  /** Set if the operator's key moves what the account holds; otherwise the order's own key does. */
  seed?: Derived
  currency: string
  /** The mint of the currency; undefined for SOL. */
  mint: Address | undefined
  decimals: number
}

/** Where an order is paid in one currency, and what its payments name. */
export type PaymentPlace = PaymentAccount & {
  orderId: string
  /** The order's own address, which is the account itself for SOL. */
  owner: Address
  references: readonly [order: Address, deployment: Address]
}

/** What payments of a deployment have in common. Lists are in the order of the currencies. */
export type PaymentTerms = {
  operator: Address
  currencies: readonly ChainCurrency[]
  /** Lists where an order is paid. */
  placesOf(orderId: string): readonly PaymentPlace[]
  /** Lists where an order may hold something: also where it was paid before orders had keys. */
  holdingPlacesOf(orderId: string): Promise<readonly PaymentPlace[]>
  /** Lists the accounts that a payment target stands for. */
  accountsOf(target: string): Promise<readonly PaymentAccount[]>
}

/** Creates the reading of orders from before orders had keys. During a rollout, an earlier build makes more of them. */
export const createReadSeeded = ({ db, chain }: { db: Database; chain: string }): ReadSeeded =>
  memoizeAsync(
    async () => {
      const { orderId, target, isSeeded } = paymentTargets
      const rows = await db
        .select({ orderId, target })
        .from(paymentTargets)
        .where(and(eq(paymentTargets.chain, chain), eq(isSeeded, true)))
      return new Set(rows.flatMap((row) => [row.orderId, row.target]))
    },
    60_000,
    Date.now,
  )

/** Of so many orders the addresses are kept: each takes a millisecond to derive. */
const maxKept = 20_000

/** Derives what payments have in common from the operator's address. */
export const createPaymentTerms = (
  { operator, currencies }: Pick<PaymentTerms, 'operator' | 'currencies'>,
  readSeeded: ReadSeeded,
): PaymentTerms => {
  const mints = currencies.map(({ currency, decimals, address: mint }) => ({
    currency,
    decimals,
    mint: mint === undefined ? undefined : address(mint),
  }))
  const deployment = address(getPaymentsKey(operator))

  /** An address holds coins itself, and tokens in its associated accounts. */
  const ownedBy = keepNewest(maxKept, (owner: string): readonly PaymentAccount[] =>
    mints.map((each) => {
      const account = each.mint === undefined ? owner : getAssociatedTokens(owner, each.mint)
      return { ...each, account: address(account) }
    }),
  )
  const seededBy = keepNewest(maxKept, (reference: string): readonly PaymentAccount[] =>
    mints.map((each) => {
      const seed = deriveSeededAccount(operator, reference, each.mint)
      return { ...each, account: seed.address, seed }
    }),
  )
  const placesOf = keepNewest(maxKept, (orderId: string): readonly PaymentPlace[] => {
    const owner = address(getOrderOwner(operator, orderId))
    const references = [address(getOrderReference(operator, orderId)), deployment] as const
    return ownedBy(owner).map((each) => ({ ...each, orderId, owner, references }))
  })
  return {
    operator,
    currencies,
    placesOf,
    holdingPlacesOf: async (orderId) => {
      const places = placesOf(orderId)
      if (!(await readSeeded()).has(orderId)) return places
      const reference = getOrderReference(operator, orderId)
      const seeded = places.flatMap((place, at) => {
        const account = seededBy(reference)[at]
        return account ? [{ ...place, ...account }] : []
      })
      return [...places, ...seeded]
    },
    accountsOf: async (target) => ((await readSeeded()).has(target) ? seededBy(target) : ownedBy(target)),
  }
}

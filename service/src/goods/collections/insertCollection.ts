import type { SaleRules } from 'kassa/engine'
import type { BuyerDetail, CollectionChain, Fungibility } from 'kassa/schema'
import type { Transaction } from '#base/db/database.js'
import { collections } from '#base/db/tables/index.js'
import type { Collection } from './viewCollection.js'

/** A collection that is about to be written down, and has been looked at. */
export type NewCollection = {
  projectId: string
  id: string
  chain: CollectionChain
  name: string
  description?: string | undefined
  imageUrl?: string | undefined
  symbol?: string | undefined
  fungibility?: Fungibility | undefined
  isTransferable?: boolean
  isSubscription?: boolean
  supplyLimit?: number | undefined
  /** @units `price` is a decimal string in whole units of `currency` */
  payments?:
    | {
        price: string
        currency: string
        currencies?: readonly string[] | undefined
        recipientAddress?: string | undefined
        royaltyBasisPoints?: number
        requires?: readonly BuyerDetail[] | undefined
      }
    | undefined
  sale?: SaleRules | undefined
  /** Of the request that asks for it, and the action that follows it; none where the service makes it itself. */
  request?: { requestHash: string; actionId: string }
}

/** Whether a sale has any rule. */
export const hasRules = (sale: SaleRules): boolean => Object.values(sale).some((rule) => rule !== undefined)

/**
 * Writes a collection down; its contract is put on chain by its job, or before the first mint.
 *
 * @returns The collection, or undefined where the project has one of this id already, which stays as it is.
 */
export const insertCollection = async (
  tx: Transaction,
  collection: NewCollection,
  nowMs: number,
): Promise<Collection | undefined> => {
  const { payments, supplyLimit, request, sale, ...rest } = collection
  const { description = '', imageUrl = '', symbol = 'TOKEN', fungibility = 'non-fungible' } = collection
  const [row] = await tx
    .insert(collections)
    .values({
      isTransferable: true,
      ...rest,
      ...request,
      description,
      imageUrl,
      symbol,
      fungibility,
      supplyLimit: supplyLimit ?? null,
      price: payments?.price ?? null,
      priceCurrency: payments?.currency ?? null,
      paymentCurrencies: payments?.currencies ? [...payments.currencies] : null,
      paymentRecipient: payments?.recipientAddress ?? null,
      royaltyBasisPoints: payments?.royaltyBasisPoints ?? 0,
      requires: payments?.requires ?? [],
      sale: sale && hasRules(sale) ? sale : null,
      nextTokenId: 1n,
      createdAt: new Date(nowMs),
    })
    .onConflictDoNothing()
    .returning()
  return row
}

import { type CollectionChain, collectionChains, Decimal } from 'kassa/schema'
import * as z from 'zod/mini'
import type { Transaction } from '../db/database.js'
import { collections } from '../db/tables/index.js'
import { ServiceError } from '../errors.js'
import { type Collection, findCollection } from './findCollection.js'

/** What a merchant says of a new collection. */
export type CollectionInput = {
  projectId: string
  id: string
  chain: CollectionChain
  name: string
  description: string
  imageUrl: string
  symbol: string
  fungibility?: 'non-fungible' | 'semi-fungible'
  isTransferable?: boolean
  supplyLimit?: number
  /** @units `price` is a decimal string in whole units of `currency` */
  payments?: { price: string; currency: string; recipientAddress?: string }
}

const assertValid = ({ chain, payments, supplyLimit, fungibility }: CollectionInput): void => {
  if (fungibility === 'semi-fungible') {
    throw new ServiceError('input-invalid', 'fungibility: semi-fungible is not supported yet')
  }
  if (payments?.recipientAddress !== undefined) {
    const message = 'payments.recipientAddress: not supported yet; takings go to the operator of the service'
    throw new ServiceError('input-invalid', message)
  }
  if (!collectionChains.includes(chain)) {
    throw new ServiceError('input-invalid', `chain: no chain is called ${chain}`)
  }
  if (payments && !z.safeParse(Decimal, payments.price).success) {
    throw new ServiceError('input-invalid', 'payments.price: expected a decimal string such as "0.0125"')
  }
  // A payment of nothing leaves no trace on chain, so nobody could see that it was made.
  if (payments && !/[1-9]/.test(payments.price)) {
    throw new ServiceError('input-invalid', 'payments.price: expected more than 0')
  }
  if (supplyLimit !== undefined && !(Number.isSafeInteger(supplyLimit) && supplyLimit > 0)) {
    throw new ServiceError('input-invalid', 'supplyLimit: expected a whole number of 1 or more')
  }
}

/**
 * Creates a collection; its contract is put on chain before the first mint. Doing it again with the same id finds
 * the first one, unchanged.
 *
 * @throws {@link ServiceError} `input-invalid`
 */
export const createCollection = async (
  tx: Transaction,
  input: CollectionInput,
  nowMs: number,
): Promise<Collection> => {
  assertValid(input)
  const { payments, supplyLimit, fungibility, isTransferable, ...rest } = input
  await tx
    .insert(collections)
    .values({
      ...rest,
      fungibility: fungibility ?? 'non-fungible',
      isTransferable: isTransferable ?? true,
      supplyLimit: supplyLimit ?? null,
      price: payments?.price ?? null,
      priceCurrency: payments?.currency.toLowerCase() ?? null,
      nextTokenId: 1n,
      createdAt: new Date(nowMs),
    })
    .onConflictDoNothing()
  const collection = await findCollection(tx, input.projectId, input.id)
  if (!collection) throw new Error(`the collection ${input.id} was not created`)
  return collection
}

import { canonicalJson, type SaleRules } from 'kassa/engine'
import type { UpdateCollectionBody } from 'kassa/schema'
import type { ReadPayments } from './readPayments.js'
import type { Collection } from './viewCollection.js'

/** The requested values, with files copied and payments validated. `null` removes a value. */
export type CollectionChange = Pick<UpdateCollectionBody, 'metadata' | 'transferable'> & {
  supplyLimit?: number | null | undefined
  payments?: ReadPayments | null
  sale?: SaleRules | null
  /** Whether the change names the recipient or the royalty, which the contract has. */
  hasRoyalty?: boolean
}

type Row = Partial<Collection>
/** Columns as they were asked for; one that was not is undefined. */
type Asked = { [Column in keyof Collection]?: Collection[Column] | undefined }

const readMetadata = (metadata: NonNullable<CollectionChange['metadata']>): Asked => {
  const { description, imageUrl, ...names } = metadata
  return {
    ...names,
    description: description === null ? '' : description,
    imageUrl: imageUrl === null ? '' : imageUrl,
  }
}

const readPrice = (payments: ReadPayments | null): Asked => ({
  price: payments?.price ?? null,
  priceCurrency: payments?.currency ?? null,
  requires: payments?.requires ?? [],
  paymentCurrencies: payments?.currencies ?? null,
})

const readRoyalty = (payments: ReadPayments | null): Asked => ({
  paymentRecipient: payments?.recipientAddress ?? null,
  royaltyBasisPoints: payments?.royaltyBasisPoints ?? 0,
})

const pickDifferent = (collection: Collection, asked: Asked): Row =>
  Object.fromEntries(
    Object.entries(asked).filter(
      ([column, value]) =>
        value !== undefined && canonicalJson(value) !== canonicalJson(collection[column as keyof Collection]),
    ),
  )

/**
 * Works out what a change makes of a collection. Only what differs counts; where the chain has refused the change
 * before this one, or not taken it yet, whatever it has to know differs.
 *
 * @returns The columns to write, the names of the fields that changed, and whether the chain has to know.
 */
export const changeCollection = (
  collection: Collection,
  { metadata, supplyLimit, transferable, payments, sale, hasRoyalty = false }: CollectionChange,
): { columns: Row; changes: string[]; isOnChain: boolean } => {
  const isBehind = collection.revision > collection.chainRevision
  const changes = new Set<string>()
  const columns: Row = {}
  const changesOnChain = new Set<string>()
  const apply = (field: string, asked: Asked, isDue: boolean): boolean => {
    const different = pickDifferent(collection, asked)
    const isChange = isDue || Object.keys(different).length > 0
    if (isChange) changes.add(field)
    Object.assign(columns, different)
    return isChange
  }
  const applyOnChain = (field: string, asked: Asked, isDue = isBehind): boolean => {
    const isChange = apply(field, asked, isDue)
    if (isChange) changesOnChain.add(field)
    return isChange
  }
  // The JSON that the contract points at tells of both.
  let isToldAnew = false
  if (metadata) isToldAnew = applyOnChain('metadata', readMetadata(metadata))
  if (supplyLimit !== undefined) applyOnChain('supplyLimit', { supplyLimit })
  if (transferable !== undefined) applyOnChain('transferable', { isTransferable: transferable })
  if (payments !== undefined) {
    apply('payments', readPrice(payments), false)
    if (applyOnChain('payments', readRoyalty(payments), isBehind && hasRoyalty)) isToldAnew = true
  }
  if (sale !== undefined) apply('sale', { sale }, false)
  const isOnChain = changesOnChain.size > 0
  return {
    columns: {
      ...columns,
      // A new count is a new write: what was refused under the old one is not asked for again.
      ...(isOnChain && { revision: collection.revision + 1 }),
      ...(isToldAnew && { contractUri: null }),
    },
    changes: [...changes],
    isOnChain,
  }
}

import type { UpdateCollectionBody } from 'kassa/schema'
import type { Collection } from './findCollection.js'
import type { ReadPayments } from './readPayments.js'

/** What is to become of a collection: files copied, payments looked at; `null` takes away. */
export type CollectionChange = Pick<UpdateCollectionBody, 'metadata' | 'supplyLimit' | 'transferable'> & {
  payments?: ReadPayments | null
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
  paymentRecipient: payments?.recipientAddress ?? null,
})

const pickDifferent = (collection: Collection, asked: Asked): Row =>
  Object.fromEntries(
    Object.entries(asked).filter(
      ([column, value]) => value !== undefined && collection[column as keyof Collection] !== value,
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
  { metadata, supplyLimit, transferable, payments }: CollectionChange,
): { columns: Row; changes: string[]; isOnChain: boolean } => {
  const asked: Readonly<Record<string, Asked>> = {
    ...(metadata && { metadata: readMetadata(metadata) }),
    ...(supplyLimit !== undefined && { supplyLimit: { supplyLimit } }),
    ...(transferable !== undefined && { transferable: { isTransferable: transferable } }),
    ...(payments !== undefined && { payments: readPrice(payments) }),
  }
  const isBehind = collection.revision > collection.chainRevision
  const changes: string[] = []
  const columns: Row = {}
  for (const [field, columnsAsked] of Object.entries(asked)) {
    const different = pickDifferent(collection, columnsAsked)
    const isDue = isBehind && field !== 'payments'
    if (isDue || Object.keys(different).length) changes.push(field)
    Object.assign(columns, different)
  }
  const isOnChain = changes.some((field) => field !== 'payments')
  return {
    columns: {
      ...columns,
      // A new count is a new write: what was refused under the old one is not asked for again.
      ...(isOnChain && { revision: collection.revision + 1 }),
      // Its JSON is of the metadata before.
      ...(changes.includes('metadata') && { contractUri: null }),
    },
    changes,
    isOnChain,
  }
}

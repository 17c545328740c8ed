import { and, eq } from 'drizzle-orm'
import type { SaleRules } from 'kassa/engine'
import {
  type Collection as CollectionView,
  noLimit,
  type SaleRulesChange,
  type UpdateCollectionBody,
} from 'kassa/schema'
import type { Call } from '#base/call.js'
import { afterCommit } from '#base/db/commitTasks.js'
import { collections } from '#base/db/tables/index.js'
import type { CollectionDeps, Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { createUuid } from '#base/lib/uuid.js'
import { requireServerScope } from '#identity/authorize.js'
import { type ActionInput, finishAction, recordUnchanged, startAction } from '../actions/actions.js'
import { reuploadFile } from '../files/linkedFiles.js'
import { lockCollection } from './allocateTokens.js'
import { deleteAllowLists, insertAllowLists, type NewAllowList, readPhases } from './allowLists.js'
import { type CollectionChange, changeCollection } from './changeCollection.js'
import { featuresOf } from './features.js'
import { requireChain, requireCollection } from './findCollection.js'
import { hasRules } from './insertCollection.js'
import { type ReadPayments, readPayments, type TermsReading } from './readPayments.js'
import type { Collection } from './viewCollection.js'
import { collectionPath, describeCollection, viewCollection } from './viewCollection.js'

/** What changes of the price of a collection's tokens. */
type PaymentsChange = NonNullable<UpdateCollectionBody['payments']>

/**
 * Reads what a change makes of the price of a collection's tokens: what is not given stays.
 *
 * @returns Undefined where there is no price, neither before nor now.
 */
const readPaymentsChange = (
  deps: Pick<Deps, 'chains' | 'config'>,
  reading: TermsReading,
  { present, change }: { present: Collection; change: PaymentsChange },
): ReadPayments | undefined => {
  const { priceCurrency, paymentCurrencies, paymentRecipient, royaltyBasisPoints, requires } = present
  const price = change.price ?? present.price
  if (price === null) {
    reading.faults.push('payments.price: required')
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
  return readPayments(deps, reading, merged)
}

/** Returns the limits for each buyer after a change, or `null` if none is left. Omitted limits stay. */
const readLimits = (
  present: SaleRules['maxPerBuyer'],
  change: NonNullable<SaleRulesChange['maxPerBuyer']>,
): SaleRules['maxPerBuyer'] | null => {
  const limits: SaleRules['maxPerBuyer'] = { ...present }
  for (const of of ['wallet', 'email', 'payer'] as const) {
    const limit = change[of]
    if (limit === noLimit) delete limits[of]
    else if (limit !== undefined) limits[of] = limit
  }
  return Object.keys(limits).length ? limits : null
}

/** Returns the promotion codes of a change as they are stored. */
const readCodes = (codes: NonNullable<SaleRulesChange['promotionCodes']>): SaleRules['promotionCodes'] =>
  codes.map(({ limit, ...code }) => (limit === undefined || limit === noLimit ? code : { ...code, limit }))

/**
 * Reads what a change makes of the rules of a sale: a rule that is not given stays, and `null` removes it.
 */
const readSaleChange = (
  deps: Pick<Deps, 'randomBytes'>,
  reading: TermsReading,
  { present, change }: { present: SaleRules | null; change: SaleRulesChange },
): { sale: SaleRules | null; lists?: NewAllowList[] } => {
  const { phases, maxPerBuyer, promotionCodes, ...times } = change
  const read = phases ? readPhases(deps, { ...reading, present }, phases) : undefined
  const changed = {
    ...present,
    ...times,
    ...(phases !== undefined && { phases: read?.phases ?? null }),
    ...(maxPerBuyer !== undefined && { maxPerBuyer: readLimits(present?.maxPerBuyer, maxPerBuyer) }),
    ...(promotionCodes !== undefined && { promotionCodes: promotionCodes && readCodes(promotionCodes) }),
  }
  const sale: SaleRules = Object.fromEntries(Object.entries(changed).filter(([, rule]) => rule != null))
  const { startsAt, endsAt } = sale
  if (startsAt !== undefined && endsAt !== undefined && Date.parse(startsAt) >= Date.parse(endsAt)) {
    reading.faults.push('sale.endsAt: expected a time after startsAt')
  }
  return { sale: hasRules(sale) ? sale : null, ...(phases !== undefined && { lists: read?.lists ?? [] }) }
}

/** Returns the supply limit of a change as it is stored, where `null` is no limit. */
const readSupplyLimit = (asked: UpdateCollectionBody['supplyLimit']): number | null | undefined =>
  asked === noLimit ? null : asked

const readChange = (
  deps: CollectionDeps,
  known: Collection,
  body: UpdateCollectionBody,
): CollectionChange & { lists?: NewAllowList[] } => {
  const chain = requireChain(deps, known)
  const { metadata, supplyLimit, transferable, payments, sale: saleChange } = body
  const faults: string[] = []
  const { fixesTransferable } = featuresOf(known.chain)
  if (fixesTransferable && transferable !== undefined && transferable !== known.isTransferable) {
    faults.push(
      'transferable: cannot change on Solana, where the mint of each token fixes it for as long as the token exists',
    )
  }
  if (known.isSubscription && transferable) faults.push('transferable: must be false for a subscription')
  const reading = { chain, faults }
  const price = payments && readPaymentsChange(deps, reading, { present: known, change: payments })
  const read = saleChange && readSaleChange(deps, reading, { present: known.sale, change: saleChange })
  if (faults.length) throw new ServiceError('input-invalid', faults.join('; '))
  const { recipientAddress, royaltyBasisPoints } = payments ?? {}
  return {
    metadata,
    supplyLimit: readSupplyLimit(supplyLimit),
    transferable,
    ...(payments !== undefined && { payments: price ?? null }),
    ...(saleChange !== undefined && { sale: read?.sale ?? null }),
    // Without its rules, a sale has no allow-lists.
    ...(saleChange === null ? { lists: [] } : read?.lists && { lists: read.lists }),
    hasRoyalty: recipientAddress !== undefined || royaltyBasisPoints !== undefined,
  }
}

const copyFiles = async (
  deps: CollectionDeps,
  body: UpdateCollectionBody,
): Promise<UpdateCollectionBody['metadata']> => {
  const { metadata, reuploadLinkedFiles } = body
  if (metadata?.imageUrl == null || reuploadLinkedFiles === false) return metadata
  return { ...metadata, imageUrl: await reuploadFile(deps, 'metadata.imageUrl', metadata.imageUrl) }
}

const assertSupply = (
  { allocatedCount, reservedCount }: Collection,
  supplyLimit: number | null | undefined,
): void => {
  if (supplyLimit == null) return
  const spoken = allocatedCount + reservedCount
  if (supplyLimit >= spoken) return
  const message = `supplyLimit: ${supplyLimit} is less than the ${spoken} tokens that are minted, being minted or paid for`
  throw new ServiceError('input-invalid', message)
}

/**
 * Changes a collection. What its contract knows follows on chain; what only the service knows is changed at once.
 * Where nothing differs, here or on chain, the action that is answered has succeeded and names no changes.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`, `input-invalid`.
 * @source answers.md "Mint, NFTs, templates, collections"
 */
export const updateCollection = async (
  deps: CollectionDeps,
  call: Call,
  { collectionId, body }: { collectionId: string; body: UpdateCollectionBody },
): Promise<CollectionView> => {
  requireServerScope(call.actor, 'collections.create')

  const { projectId } = call.actor
  const known = await requireCollection(deps.db, projectId, collectionId)
  // Before any file is fetched; what counts is the collection as it is once it is locked.
  readChange(deps, known, body)
  assertSupply(known, readSupplyLimit(body.supplyLimit))
  const metadata = await copyFiles(deps, body)

  const actionId = createUuid(deps.randomBytes)
  return deps.db.transaction(async (tx) => {
    const before = await lockCollection(tx, known)
    if (!before) throw new Error(`the collection ${collectionId} is gone`)
    const { lists, ...asked } = readChange(deps, before, body)
    const change = { ...asked, metadata }
    assertSupply(before, change.supplyLimit)
    const { columns, changes, isOnChain } = changeCollection(before, change)
    const after = { ...before, ...columns }
    if (changes.length) {
      await tx
        .update(collections)
        .set(columns)
        .where(and(eq(collections.projectId, projectId), eq(collections.id, before.id)))
      if (lists) {
        await insertAllowLists(tx, lists)
        await deleteAllowLists(tx, before.sale, after.sale)
      }
      afterCommit(tx, () => deps.notices.tell('collections', before.id))
    }
    const data = { ...describeCollection(deps, after), changes }
    const resource = collectionPath(after)
    const action: ActionInput = { id: actionId, projectId, action: 'collections.update', data, resource }
    if (changes.length) await startAction(deps, tx, action)
    else await recordUnchanged(deps, tx, action)
    if (isOnChain) await deps.jobs.enqueue(tx, 'collections.update', { actionId, attempt: 1 })
    else if (changes.length) await finishAction(deps, tx, actionId, { status: 'succeeded', data: {} })
    const answer = viewCollection(deps, after, actionId)
    await call.complete(tx, { status: 200, body: answer })
    return answer
  })
}

import { and, eq, inArray } from 'drizzle-orm'
import {
  CreateTemplateBody,
  noLimit,
  type Template as TemplateView,
  type UpdateTemplateBody,
} from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Database, Transaction } from '#base/db/database.js'
import { nfts, templates } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { parseInput } from '#base/lib/parseInput.js'
import { requireServerScope } from '#identity/authorize.js'
import { isTemplate } from '../collections/allocateTokens.js'
import { explainSymbol } from '../collections/features.js'
import { requireCollection } from '../collections/findCollection.js'
import type { Collection } from '../collections/viewCollection.js'
import { copyLinkedFiles } from '../files/linkedFiles.js'
import { countOpenOrders } from './countOpenOrders.js'
import { assertSupply } from './createTemplate.js'
import { lockTemplate, requireTemplate, type Template, templateIdOf, viewTemplate } from './findTemplate.js'

type Locked = { collection: Collection; template: Template }

const copyFiles = async (
  deps: Deps,
  { metadata, reuploadLinkedFiles = true }: UpdateTemplateBody,
): Promise<UpdateTemplateBody['metadata']> => {
  if (!metadata || !reuploadLinkedFiles) return metadata
  return copyLinkedFiles(deps, metadata)
}

const isCopyOf = ({ projectId, collectionId, id }: Template) =>
  and(eq(nfts.projectId, projectId), eq(nfts.collectionId, collectionId), eq(nfts.templateId, id))

/**
 * Merges a change into the template's metadata.
 *
 * @throws {@link ServiceError} `conflict` if copies share the metadata or paid orders wait for copies.
 */
const mergeMetadata = async (
  db: Database | Transaction,
  { collection, template }: Locked,
  change: UpdateTemplateBody['metadata'],
): Promise<Template['metadata']> => {
  if (!change) return template.metadata
  const fault = explainSymbol(collection.chain, change.symbol)
  if (fault !== undefined) throw new ServiceError('input-invalid', fault)
  const { projectId, collectionId, id } = template
  const isShared = collection.fungibility === 'semi-fungible'
  if (isShared && (template.allocatedCount > 0 || (await db.$count(nfts, isCopyOf(template))) > 0)) {
    const message = `metadata: the copies of the template ${templateIdOf(template)} share one token, whose metadata was written with the first of them: create another template`
    throw new ServiceError('conflict', message)
  }
  const paidCount = await countOpenOrders(db, { projectId, collectionId, templateId: id }, ['delivery'])
  if (paidCount) {
    const message = `metadata: ${paidCount} paid order${paidCount === 1 ? '' : 's'} of the template ${templateIdOf(template)} must be delivered first: try again in a moment`
    throw new ServiceError('conflict', message)
  }
  return parseInput(CreateTemplateBody, { metadata: { ...template.metadata, ...change } }, 'body').metadata
}

type AskedLimit = number | typeof noLimit | undefined

/** @throws {@link ServiceError} `input-invalid`, `conflict`. */
const assertLimit = ({ collection, template }: Locked, limit: AskedLimit): void => {
  if (limit === undefined || limit === noLimit) return
  const { allocatedCount, reservedCount } = template
  assertSupply(collection, limit)
  const usedCount = allocatedCount + reservedCount
  if (limit < usedCount) {
    const message = `supply.limit: ${limit} is less than the ${usedCount} copies that are minted, being minted or paid for`
    throw new ServiceError('input-invalid', message)
  }
}

/**
 * Returns the limit of a template after a change. One that grows or is removed after the first copy is a new one to the
 * contract, less the copies before it. The service could not say which of the two a copy on its way will count against, so there may
 * be none.
 *
 * @throws {@link ServiceError} `conflict` while copies are being minted.
 */
const changeLimit = async (
  tx: Transaction,
  template: Template,
  asked: AskedLimit,
): Promise<Partial<Template>> => {
  const { supplyLimit, limitRevision, allocatedCount } = template
  if (asked === undefined) return {}
  const limit = asked === noLimit ? null : asked
  const isGrowing = allocatedCount > 0 && supplyLimit !== null && (limit === null || limit > supplyLimit)
  if (!isGrowing) return { supplyLimit: limit }
  const isMinted = inArray(nfts.status, ['success', 'burned'])
  const mintingCount = allocatedCount - (await tx.$count(nfts, and(isCopyOf(template), isMinted)))
  if (mintingCount > 0) {
    const copies = mintingCount === 1 ? '1 copy is' : `${mintingCount} copies are`
    const message = `supply.limit: ${copies} not minted yet, and may take long: paid orders and mints wait until the chain takes them. The limit of ${supplyLimit} can grow or be removed once each is minted or has failed, as its action or the delivery of its order shows`
    throw new ServiceError('conflict', message)
  }
  return { supplyLimit: limit, limitRevision: limitRevision + 1, limitBase: allocatedCount }
}

/**
 * Changes the given fields of a template. Copies that are minted keep their metadata.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`, `input-invalid`, `conflict`.
 * @source answers.md "Revised: Wallets, tokens, credentials"
 */
export const updateTemplate = async (
  deps: Deps,
  call: Call,
  { collectionId, templateId, body }: { collectionId: string; templateId: string; body: UpdateTemplateBody },
): Promise<TemplateView> => {
  requireServerScope(call.actor, 'nfts.create')

  const known = await requireCollection(deps.db, call.actor.projectId, collectionId)
  const before = { collection: known, template: await requireTemplate(deps.db, known, templateId) }
  // A refused change fetches no file. The locked template decides.
  await mergeMetadata(deps.db, before, body.metadata)
  assertLimit(before, body.supply?.limit)
  const change = await copyFiles(deps, body)

  return deps.db.transaction(async (tx) => {
    const locked = await lockTemplate(tx, known, templateId)
    const metadata = await mergeMetadata(tx, locked, change)
    assertLimit(locked, body.supply?.limit)
    const changed = { metadata, ...(await changeLimit(tx, locked.template, body.supply?.limit)) }
    await tx.update(templates).set(changed).where(isTemplate(known, locked.template.id))
    const answer = viewTemplate({ ...locked.template, ...changed })
    await call.complete(tx, { status: 200, body: answer })
    return answer
  })
}

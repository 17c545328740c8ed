import { and, eq } from 'drizzle-orm'
import type { CreateTemplateBody, Template as TemplateView } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Database, Transaction } from '#base/db/database.js'
import { templates } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { hashRequest } from '#base/lib/hashRequest.js'
import { createUuid, isUuid } from '#base/lib/uuid.js'
import { requireServerScope } from '#identity/authorize.js'
import { lockCollection, takeTokenIds } from '../collections/allocateTokens.js'
import { explainSymbol } from '../collections/features.js'
import { requireChain, requireCollection } from '../collections/findCollection.js'
import type { Collection } from '../collections/viewCollection.js'
import { copyLinkedFiles } from '../files/linkedFiles.js'
import {
  findKeptTemplate,
  type Template,
  type TemplateId,
  templateIdOf,
  toTemplateUuid,
  viewTemplate,
} from './findTemplate.js'

const assertFits = ({ chain, fungibility }: Collection, { metadata, onChain }: CreateTemplateBody): void => {
  const faults: string[] = []
  const fault = explainSymbol(chain, metadata.symbol)
  if (fault !== undefined) faults.push(fault)
  if (onChain?.tokenId !== undefined && fungibility !== 'semi-fungible') {
    faults.push('onChain.tokenId: is for semi-fungible collections only')
  }
  if (faults.length) throw new ServiceError('input-invalid', faults.join('; '))
}

/** Refuses a limit that the collection's own supply limit makes meaningless. */
export const assertSupply = ({ supplyLimit }: Collection, limit: number | undefined): void => {
  if (limit === undefined || supplyLimit === null || limit <= supplyLimit) return
  const message = `supply.limit: ${limit} is more than the collection's supplyLimit of ${supplyLimit}`
  throw new ServiceError('input-invalid', message)
}

/** Takes the requested token id, or the next free one, of a locked collection. */
const takeTokenId = async (
  tx: Transaction,
  collection: Collection,
  asked: string | undefined,
): Promise<bigint | undefined> => {
  if (collection.fungibility !== 'semi-fungible') return undefined
  if (asked === undefined) return (await takeTokenIds(tx, collection, 1))[0]
  const tokenId = BigInt(asked)
  const { projectId, id, nextTokenId } = collection
  const ofCollection = and(eq(templates.projectId, projectId), eq(templates.collectionId, id))
  const [other] = await tx
    .select({ id: templates.id })
    .from(templates)
    .where(and(ofCollection, eq(templates.tokenId, tokenId)))
  // Ids are assigned from 1 on, also to tokens without a template.
  if (other || (tokenId > 0n && tokenId < nextTokenId)) {
    throw new ServiceError('conflict', `onChain.tokenId: ${asked} is taken in the collection ${id}`)
  }
  return tokenId
}

/** Finds the template that the same request created before. */
const findCreated = async (
  db: Database | Transaction,
  templateId: TemplateId,
  requestHash: string,
): Promise<Template | undefined> => {
  const known = await findKeptTemplate(db, templateId)
  if (!known) return undefined
  if (known.deletedAt) {
    throw new ServiceError('conflict', `templateId: ${templateIdOf(known)} was deleted: choose another id`)
  }
  if (known.requestHash === requestHash) return known
  const message = `templateId: ${templateIdOf(known)} exists with other content: PATCH changes it`
  throw new ServiceError('conflict', message)
}

/** The template to create: the caller's id for it, or none if the service is to assign one. */
export type CreateTemplateInput = { collectionId: string; templateId?: string; body: CreateTemplateBody }

/**
 * Creates a template, of which many tokens can be minted. In a semi-fungible collection its copies share a
 * token id. Under a caller's id it is created once, however often it is requested, and the answer is its
 * current state.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`, `input-invalid`, `conflict`.
 * @source interface.md "Create token template"; answers.md "Revised: Wallets, tokens, credentials"
 */
export const createTemplate = async (
  deps: Deps,
  call: Call,
  { collectionId, templateId, body }: CreateTemplateInput,
): Promise<TemplateView> => {
  requireServerScope(call.actor, 'nfts.create')

  const { projectId } = call.actor
  const known = await requireCollection(deps.db, projectId, collectionId)
  const { onChain, supply, reuploadLinkedFiles = true } = body
  const id = templateId === undefined ? createUuid(deps.randomBytes) : toTemplateUuid(templateId)
  if (id === undefined) throw new Error(`${templateId} is not a template id`)
  const asked = { projectId, collectionId, templateId: id }
  const requestHash = hashRequest({ ...body, reuploadLinkedFiles })
  const created = await findCreated(deps.db, asked, requestHash)
  if (created) return viewTemplate(created)
  // A template from which nothing could be minted would only fail later.
  requireChain(deps, known)
  assertFits(known, body)
  assertSupply(known, supply?.limit)

  const metadata = reuploadLinkedFiles ? await copyLinkedFiles(deps, body.metadata) : body.metadata

  return deps.db.transaction(async (tx) => {
    const collection = await lockCollection(tx, known)
    if (!collection) throw new Error(`the collection ${collectionId} is gone`)
    const present = await findCreated(tx, asked, requestHash)
    if (present) return viewTemplate(present)
    assertSupply(collection, supply?.limit)
    const tokenId = (await takeTokenId(tx, collection, onChain?.tokenId)) ?? null
    const [row] = await tx
      .insert(templates)
      .values({
        id,
        name: templateId === undefined || isUuid(templateId) ? null : templateId,
        projectId,
        collectionId: collection.id,
        metadata,
        tokenId,
        supplyLimit: supply?.limit ?? null,
        requestHash,
        createdAt: new Date(deps.now()),
      })
      .returning()
    if (!row) throw new Error(`the template ${id} was not created`)
    const answer = viewTemplate(row)
    await call.complete(tx, { status: 200, body: answer })
    return answer
  })
}

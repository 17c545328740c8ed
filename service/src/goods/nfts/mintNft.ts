import { canonicalJson } from 'kassa/engine'
import type { MintNftBody, Nft } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Transaction } from '#base/db/database.js'
import { createTransactionBatch } from '#base/db/transactTogether.js'
import type { CollectionDeps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { groupBy } from '#base/lib/groupBy.js'
import { hashRequest } from '#base/lib/hashRequest.js'
import { createUuid } from '#base/lib/uuid.js'
import type { ChainPort } from '#base/ports/chain.js'
import { requireServerScope } from '#identity/authorize.js'
import { prepareCustodialWallet } from '#identity/wallets/custodialWallet.js'
import { lockCollection } from '../collections/allocateTokens.js'
import { featuresOf } from '../collections/features.js'
import { requireChain, requireCollection } from '../collections/findCollection.js'
import { type Collection, toCollectionRef } from '../collections/viewCollection.js'
import { storeJson } from '../files/linkedFiles.js'
import { requireTemplate } from '../templates/findTemplate.js'
import { askForBatch } from './batch.js'
import { findNft, type NftRow, viewNft } from './findNft.js'
import { insertMints, type MintTerms } from './insertMints.js'
import { type MintOwner, readMintRecipient } from './readMintRecipient.js'
import { type StoredMetadata, storeMetadata } from './storeMetadata.js'

/** A token's metadata, and the template that it comes from. */
type MintContent = StoredMetadata & { templateId: string | undefined; templateName: string | null }

const ofTemplate = async (
  deps: CollectionDeps,
  collection: Collection,
  asked: string,
): Promise<MintContent> => {
  const template = await requireTemplate(deps.db, collection, asked)
  const { metadata } = template
  const { id: templateId, name: templateName } = template
  return { templateId, templateName, metadata, uri: await storeJson(deps, metadata) }
}

/**
 * Reads a new token's metadata: the caller's, or its template's.
 *
 * @throws {@link ServiceError} `not-found`, `input-invalid`.
 */
const readMintContent = async (
  deps: CollectionDeps,
  collection: Collection,
  { metadata, templateId, reuploadLinkedFiles = true }: MintNftBody,
): Promise<MintContent> => {
  if (templateId !== undefined) return ofTemplate(deps, collection, templateId)
  if (!metadata) throw new ServiceError('input-invalid', 'body: expected either metadata or templateId')
  return {
    templateId: undefined,
    templateName: null,
    ...(await storeMetadata(deps, metadata, reuploadLinkedFiles)),
  }
}

/** The defaults of a mint's optional fields. */
const mintDefaults = { sendNotification: true, locale: 'en-US', reuploadLinkedFiles: true } as const

/**
 * Returns a hash that identifies a request for a token. Requests with the same meaning have the same hash,
 * with or without the defaults.
 */
const hashMint = (body: MintNftBody): string => hashRequest({ ...mintDefaults, ...body })

/** The token to mint: the caller's id for it, or none if the service is to assign one. */
export type MintNftInput = { collectionId: string; nftId?: string; body: MintNftBody }

const assertSame = ({ id, requestHash }: NftRow, asked: string): void => {
  if (requestHash === asked) return
  throw new ServiceError('conflict', `nftId: ${id} exists with other content`)
}

/**
 * Reads whether a token is minted compressed: the copies of a semi-fungible one never are, and neither are tokens that
 * cannot be transferred.
 */
const readCompressed = (
  { compresses = false }: ChainPort,
  { chain, id, fungibility, isTransferable }: Collection,
  { compressed }: MintNftBody,
): boolean => {
  if (compressed && !featuresOf(chain).isCompressible) {
    throw new ServiceError('input-invalid', `compressed: only on Solana, and the collection is on ${chain}`)
  }
  if (compressed && !isTransferable) {
    const message = `compressed: the collection ${id} has transferable: false, and a compressed token can always be transferred`
    throw new ServiceError('input-invalid', message)
  }
  return compresses && compressed !== false && fungibility === 'non-fungible' && isTransferable
}

const contentOf = ({ metadata, uri, templateId, templateName }: NftRow): MintContent => ({
  metadata,
  uri,
  templateId: templateId ?? undefined,
  templateName,
})

/**
 * Refuses copies of a template that was changed since the request was read, because the first copy's metadata
 * is that of all copies of a semi-fungible token.
 */
const assertUnchanged = async (tx: Transaction, collection: Collection, content: MintContent) => {
  if (content.templateId === undefined || collection.fungibility !== 'semi-fungible') return
  const { metadata } = await requireTemplate(tx, collection, content.templateId)
  if (canonicalJson(metadata) === canonicalJson(content.metadata)) return
  throw new ServiceError('conflict', 'templateId: the template was changed at the same moment: try again')
}

const prepareAddress = async (
  deps: CollectionDeps,
  { projectId, chain }: { projectId: string; chain: ChainPort },
  owner: MintOwner,
) => {
  if ('address' in owner) return async () => owner.address
  const write = await prepareCustodialWallet(deps, chain, { projectId, userLocator: owner.userLocator })
  return async (tx: Transaction) => (await write(tx)).address
}

/** Asserts that a recipient that is a contract can hold the token. */
const assertAccepted = async (chain: ChainPort, collection: Collection, recipient: string): Promise<void> => {
  const reason = await chain.explainRecipient?.({ collection: toCollectionRef(collection), recipient })
  if (reason !== undefined) throw new ServiceError('input-invalid', `recipient: ${reason}`)
}

/** A mint that is checked, and not yet stored. */
type Draft = {
  call: Call
  collection: Collection
  /** Whether the service has just made up the token's id. */
  isNew: boolean
  content: MintContent
  terms: Omit<MintTerms, 'isAgain'>
}

/** Stores the mints of a collection. */
const insertDrafts = async (
  deps: CollectionDeps,
  tx: Transaction,
  drafts: readonly Draft[],
): Promise<Nft[]> => {
  const [first] = drafts
  const locked = first && (await lockCollection(tx, first.collection))
  if (!locked) throw new Error(`the collection ${first?.collection.id} is gone`)
  const present = new Map<string, NftRow>()
  const due: MintTerms[] = []
  for (const { isNew, content, terms } of drafts) {
    const known = isNew ? undefined : await findNft(tx, terms.nft)
    if (known) {
      assertSame(known, terms.requestHash)
      present.set(known.id, known)
    }
    if (known && known.status !== 'failed') continue
    await assertUnchanged(tx, locked, content)
    due.push({ ...terms, isAgain: known !== undefined })
  }
  if (due.length) {
    for (const row of await insertMints(deps, tx, locked, due)) present.set(row.id, row)
    await askForBatch(deps, tx, locked)
  }
  const answers: Nft[] = []
  for (const { call, terms } of drafts) {
    const row = present.get(terms.nft.id)
    if (!row) throw new Error(`the token ${terms.nft.id} was not written`)
    const answer = viewNft(deps, locked, row)
    await call.complete(tx, { status: 200, body: answer })
    answers.push(answer)
  }
  return answers
}

const batches = new WeakMap<CollectionDeps, (draft: Draft) => Promise<Nft>>()

/** Stores a mint. Those that come at about the same time share a transaction. */
const insertDraft = (deps: CollectionDeps, draft: Draft): Promise<Nft> => {
  const insert = async (tx: Transaction, drafts: readonly Draft[]): Promise<Nft[]> => {
    const answers = new Map<Draft, Nft>()
    const groups = groupBy(drafts, ({ collection }) => `${collection.projectId}:${collection.id}`)
    // Every transaction locks collections in one order.
    for (const [, group] of [...groups].sort(([one], [other]) => (one < other ? -1 : 1))) {
      const stored = await insertDrafts(deps, tx, group)
      for (const [at, each] of group.entries()) answers.set(each, stored[at] as Nft)
    }
    return drafts.map((each) => answers.get(each) as Nft)
  }
  const join = batches.get(deps) ?? createTransactionBatch(deps.db, insert)
  batches.set(deps, join)
  return join(draft)
}

/**
 * Requests the mint of a token. Under a caller's id it is minted once, however often it is requested, and the
 * answer is its current state. If its mint has failed, it starts again.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`, `input-invalid`, `conflict`, `chain-unavailable`.
 * @source interface.md "Mint NFT"
 */
export const mintNft = async (
  deps: CollectionDeps,
  call: Call,
  { collectionId, nftId, body }: MintNftInput,
): Promise<Nft> => {
  requireServerScope(call.actor, 'nfts.create')

  const { projectId } = call.actor
  const collection = await requireCollection(deps.db, projectId, collectionId)
  const nft = { projectId, collectionId, id: nftId ?? createUuid(deps.randomBytes) }
  const requestHash = hashMint(body)
  const known = nftId === undefined ? undefined : await findNft(deps.db, nft)
  if (known) assertSame(known, requestHash)
  // An existing token was checked when it was requested, and the deployment may have changed since.
  if (known && known.status !== 'failed') return viewNft(deps, collection, known)
  const chain = requireChain(deps, collection)
  const isCompressed = readCompressed(chain, collection, body)
  const owner = readMintRecipient(chain, body.recipient)

  if ('address' in owner) await assertAccepted(chain, collection, owner.address)

  const content = known ? contentOf(known) : await readMintContent(deps, collection, body)
  const findAddress = await prepareAddress(deps, { projectId, chain }, owner)
  const { recipient, locale = mintDefaults.locale } = body
  const hasNotification = body.sendNotification ?? mintDefaults.sendNotification
  const sending = { recipient, locale, hasNotification, isCompressed }
  const terms = { nft, owner, findAddress, ...sending, requestHash, ...content }
  return insertDraft(deps, { call, collection, isNew: nftId === undefined, content, terms })
}

import { clip } from 'kassa/engine'
import type { Nft, UpdateNftBody } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { requireServerScope } from '#identity/authorize.js'
import type { Collection } from '../collections/viewCollection.js'
import { applyNftChanges } from './applyNftChanges.js'
import { assertMinted } from './assertMinted.js'
import { findMintable } from './findMintable.js'
import { assertUncompressed, findNft, lockNft, type NftRow, viewNft } from './findNft.js'
import { storeMetadata } from './storeMetadata.js'
import { toWholeSeconds } from './wholeSeconds.js'

/** Chains would accept any number. This limit catches milliseconds passed as seconds. */
const latestMs = Date.UTC(2100, 0)

const refuse = (message: string): never => {
  throw new ServiceError('input-invalid', message)
}

const readExpiry = (
  { now }: Pick<Deps, 'now'>,
  { id, isSubscription }: Collection,
  { subscription }: UpdateNftBody,
): Date | undefined => {
  if (!subscription) return undefined
  if (!isSubscription) return refuse(`subscription: ${id} is not a subscription collection`)
  const expiresAt = toWholeSeconds(Date.parse(subscription.expiresAt))
  const isNear = expiresAt.getTime() > now() && expiresAt.getTime() < latestMs
  return isNear
    ? expiresAt
    : refuse('subscription.expiresAt: expected a time in the future, before the year 2100')
}

const assertOwnMetadata = (
  { fungibility }: Collection,
  { templateId, templateName }: NftRow,
  body: UpdateNftBody,
): void => {
  if (!body.metadata || fungibility !== 'semi-fungible' || templateId === null) return
  refuse(`metadata: shared by all copies of the template ${templateName ?? templateId}`)
}

/**
 * Changes a token's metadata, or renews a subscription. The change reaches the chain later, followed by the
 * action in the answer.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`, `input-invalid`, `conflict`.
 * @source answers.md "Mint, NFTs, templates, collections"
 */
export const updateNft = async (
  deps: Deps,
  call: Call,
  { collectionId, nftId, body }: { collectionId: string; nftId: string; body: UpdateNftBody },
): Promise<Nft> => {
  requireServerScope(call.actor, 'nfts.create')

  const { projectId } = call.actor
  const nft = { projectId, collectionId, id: nftId }
  const { collection } = await findMintable(deps, projectId, collectionId)
  const known = await findNft(deps.db, nft)
  if (!known) throw new ServiceError('not-found', `Token ${clip(nftId)} not found`)
  assertOwnMetadata(collection, known, body)
  const expiresAt = readExpiry(deps, collection, body)
  assertMinted(known)
  assertUncompressed(known)

  const { metadata, reuploadLinkedFiles = true } = body
  const content = metadata && (await storeMetadata(deps, metadata, reuploadLinkedFiles))

  return deps.db.transaction(async (tx) => {
    const locked = await lockNft(tx, nft)
    if (!locked) throw new Error(`the token ${nftId} is gone`)
    assertMinted(locked)
    const asked = { content, expiresAt }
    const { changed, actionId } = await applyNftChanges(deps, tx, { collection, nft: locked, asked })
    const answer = { ...viewNft(deps, collection, changed), actionId }
    await call.complete(tx, { status: 200, body: answer })
    return answer
  })
}

import { parseMintRecipient } from 'kassa/schema'
import type { Transaction } from '#base/db/database.js'
import { nfts } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import type { TokenMint } from '#base/ports/collections.js'
import type { JobHandler } from '#base/ports/jobs.js'
import { attemptKey } from '#base/ports/write.js'
import { finishActions } from '../actions/actions.js'
import { prepareContract } from '../collections/contract.js'
import { type Collection, toCollectionRef } from '../collections/viewCollection.js'
import { contractTemplate } from '../templates/findTemplate.js'
import { type BatchedNft, type BatchId, isWaitingIn, readBatch } from './batch.js'
import { findMintable, type Mintable } from './findMintable.js'
import { describeNft, type NftRow, nftKey } from './findNft.js'
import { mailArrival } from './mailArrival.js'
import { refuseBatch, splitBatch } from './refuseBatch.js'
import { symbolOf } from './symbolOf.js'
import { toSeconds } from './wholeSeconds.js'

/** Converts a token to its mint on the chain. Every attempt gives the same mint. */
const toTokenMint = ({ nft, template }: BatchedNft, collection: Collection): TokenMint => {
  const { id, owner, tokenId, metadata, uri, expiresAt, isCompressed } = nft
  if (owner === null) throw new Error(`the token ${id} has no recipient`)
  const symbol = symbolOf(metadata, collection)
  return {
    recipient: owner,
    tokenId,
    name: metadata.name,
    symbol,
    uri,
    mintKey: nftKey(nft),
    ...(template && { template: contractTemplate(template) }),
    ...(expiresAt && { expiresAt: toSeconds(expiresAt) }),
    ...(isCompressed && { isCompressed }),
  }
}

/** Enqueues the e-mail about a minted token, if its recipient has an e-mail address. */
const mailMint = async (
  deps: Deps,
  tx: Transaction,
  mintable: Mintable,
  { projectId, recipient, hasNotification, locale, metadata, tokenId, mintHash, txId }: NftRow,
): Promise<void> => {
  const to = parseMintRecipient(recipient ?? '')
  if (!hasNotification || to?.kind !== 'email') return
  const arrival = { projectId, email: to.value, locale, metadata, tokenIds: [`${tokenId}`], mintHash, txId }
  await mailArrival(deps, tx, mintable, arrival)
}

/** Records that a batch is on its chain, and sends the event and the e-mail of each token once. */
const completeBatch = (
  deps: Deps,
  mintable: Mintable,
  { batchId }: BatchId,
  { txId, mintHash = null }: { txId: string; mintHash?: string | null },
): Promise<void> =>
  deps.db.transaction(async (tx) => {
    // A concurrent completion of the same batch waits here, and then finds nothing left.
    const minted = await tx
      .update(nfts)
      .set({ status: 'success', txId, mintHash })
      .where(isWaitingIn(batchId))
      .returning()
    const ends = minted.flatMap((nft) => {
      const token = describeNft(deps, mintable.collection, nft)
      const { actionId } = nft
      return actionId === null ? [] : [{ actionId, status: 'succeeded' as const, data: { txId, token } }]
    })
    await finishActions(deps, tx, ends)
    for (const nft of minted) await mailMint(deps, tx, mintable, nft)
  })

/**
 * Mints a batch in one transaction. Killed at any line and run again, it mints once: the batch was fixed
 * before, and chain writes go by their key.
 */
export const mintBatch =
  (deps: Deps): JobHandler<'nfts.mint'> =>
  async (batch) => {
    const members = await readBatch(deps.db, batch)
    if (!members.length) return
    const { collection, chain } = await findMintable(deps, batch.projectId, batch.collectionId)
    await chain.ready()
    const refuse = (reason: string, what: string) => {
      const { collectionId, batchId, attempt } = batch
      deps.log.error({ collectionId, batchId, attempt, reason }, `the chain refused ${what}`)
    }
    const turn = { id: batch.batchId, attempt: batch.attempt }
    const contract = await prepareContract(deps, chain, collection, turn)
    if (contract.status === 'failed') {
      refuse(contract.reason, 'a contract')
      return refuseBatch(deps, batch, contract)
    }
    const tokens = members.map((member) => toTokenMint(member, collection))
    const supplyLimit = BigInt(collection.supplyLimit ?? 0)
    const input = { collection: toCollectionRef(collection), tokens, supplyLimit }
    const minted = await chain.mint(attemptKey(`batch:${batch.batchId}`, batch.attempt), input)
    if (minted.status === 'succeeded') {
      return completeBatch(deps, { collection, chain }, batch, minted)
    }
    refuse(minted.reason, members.length > 1 ? 'a batch of mints' : 'a mint')
    return members.length > 1 ? splitBatch(deps, batch) : refuseBatch(deps, batch, minted)
  }
